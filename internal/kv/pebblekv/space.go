package pebblekv

import (
	"errors"
	"math"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Pebble does not survive a full disk: a failed write of its log ends the process. So writes are refused before.
//
// reserveShare of FreeBytesMin is what even commits and the DML log leave alone; above it they go on, so that what was
// accepted before the limit can still be made durable.
const reserveShare = 4

// CheckSpace returns the error (53100) with which new work is to be refused while the disk is nearly full.
func (s *Store) CheckSpace() error { return s.checkFree(s.opts.FreeBytesMin) }

// writable is asked before each write.
func (s *Store) writable() error {
	if err := s.failure.check(); err != nil {
		return err
	}
	return s.checkFree(s.opts.FreeBytesMin / reserveShare)
}

func (s *Store) checkFree(needed int64) error {
	free, err := s.free()
	if err != nil {
		return classify(err)
	}
	if free < needed {
		return errs.DiskFull.New("free", free, "needed", needed)
	}
	return nil
}

// free is the space left; a file system that does not tell has enough.
func (s *Store) free() (int64, error) {
	u, err := s.opts.FS.GetDiskUsage(s.opts.Dir)
	if errors.Is(err, vfs.ErrUnsupported) {
		return math.MaxInt64, nil
	}
	return int64(min(u.AvailBytes, math.MaxInt64)), err
}

// makeBallast sets space aside unless the disk is short of it already.
func (s *Store) makeBallast() error {
	if s.opts.BallastBytes < 0 {
		return nil
	}
	if _, err := s.opts.FS.Stat(s.path(ballastFile)); err == nil {
		return nil
	}
	free, err := s.free()
	if err != nil || free < s.opts.FreeBytesMin+s.opts.BallastBytes {
		return classify(err)
	}
	f, err := s.opts.FS.Create(s.path(ballastFile), vfs.WriteCategoryUnspecified)
	if err != nil {
		return classify(err)
	}
	err = f.Preallocate(0, s.opts.BallastBytes)
	return classify(errors.Join(err, f.Close()))
}
