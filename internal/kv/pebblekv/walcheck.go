package pebblekv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	walrecord "github.com/cockroachdb/pebble/v2/record"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// What was acknowledged last is in Pebble's log alone, and Pebble opens without it: a log that is missing or cut short looks
// like one that a crash has kept short, and so does one in which a bit has changed: Pebble reads up to there. So it is looked at
// before Pebble opens. The manifest tells from which log on there must be one; a store that was closed has noted in the file CLOSED
// how long its logs are, and their checksums.

// checkLogs finds a log that must be there and is not, or is not as it was.
func (s *Store) checkLogs() error {
	first, err := s.firstLog()
	if err != nil || first == 0 {
		return err
	}
	sizes, err := s.logSizes(first)
	if err != nil {
		return err
	}
	if len(sizes) == 0 {
		return errs.StoreFile.New("file", logName(first), "what", "is missing")
	}
	noted, err := s.read(closedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it was not closed: nobody knows how far the last log was written
	}
	if err != nil {
		return unread(err)
	}
	for line := range strings.Lines(noted) {
		var name string
		var size int64
		var sum uint32
		if _, err := fmt.Sscanf(line, "%s %d %08x", &name, &size, &sum); err != nil {
			return errs.StoreCorrupt.New("what", "the file "+closedFile+" is not a store's")
		}
		found, ok := sizes[name]
		if !ok && name < logName(first) { // a build that does not know CLOSED has been here since
			continue
		}
		if err := s.checkLog(name, found, size, sum); err != nil {
			return err
		}
	}
	return nil
}

// checkLog compares a log with what was noted; found is its length, 0 for one that is not there.
func (s *Store) checkLog(name string, found, size int64, sum uint32) error {
	switch {
	case found == 0 && size > 0:
		return errs.StoreFile.New("file", name, "what", "is missing")
	case found < size:
		return errs.StoreFile.New("file", name, "what", fmt.Sprintf("has %d bytes of %d", found, size))
	}
	now, err := s.logSum(name, size)
	if err == nil && now != sum {
		err = errs.StoreFile.New("file", name, "what", "is not as it was written")
	}
	return err
}

// logSum is the checksum of so many bytes of a log.
func (s *Store) logSum(name string, size int64) (uint32, error) {
	f, err := s.opts.FS.Open(s.path(name))
	if err != nil {
		return 0, unread(err)
	}
	defer f.Close()
	sum := crc32.New(castagnoli)
	if _, err := io.CopyN(sum, f, size); err != nil {
		return 0, unread(err)
	}
	return sum.Sum32(), nil
}

// tellClosed notes that the store was closed. Without that it is one that a crash has left.
func (s *Store) tellClosed() {
	if err := s.noteClosed(); err != nil {
		s.opts.Logger.Warn("what the store's logs hold could not be noted", "error", err)
	}
}

// noteClosed writes down how long the logs are and their checksums, when Pebble has closed.
func (s *Store) noteClosed() error {
	first, err := s.firstLog()
	if err != nil {
		return err
	}
	sizes, err := s.logSizes(first)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		sum, err := s.logSum(name, sizes[name])
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %d %08x\n", name, sizes[name], sum)
	}
	return s.replace(closedFile, b.String())
}

// forgetClosed says that the logs grow again.
func (s *Store) forgetClosed() error {
	err := s.opts.FS.Remove(s.path(closedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = s.syncDir(s.opts.Dir)
	}
	return classify(err)
}

func logName(n uint64) string { return fmt.Sprintf("%s/%06d%s", databaseDir, n, walSuffix) }

// logSizes are the lengths of the logs from one on, by name.
func (s *Store) logSizes(first uint64) (map[string]int64, error) {
	names, err := s.opts.FS.List(s.path(databaseDir))
	if err != nil {
		return nil, unread(err)
	}
	out := map[string]int64{}
	for _, name := range names {
		number, isLog := strings.CutSuffix(name, walSuffix)
		n, err := strconv.ParseUint(number, 10, 64)
		if !isLog || err != nil || n < first {
			continue
		}
		info, err := s.opts.FS.Stat(s.path(logName(n)))
		if err != nil {
			return nil, unread(err)
		}
		out[logName(n)] = info.Size()
	}
	return out, nil
}

// firstLog is the number of the first log whose rows are in no other file, 0 for a database that is not there. It is in
// Pebble's manifest: the last edit that has one.
func (s *Store) firstLog() (uint64, error) {
	found, err := pebble.Peek(s.path(databaseDir), s.opts.FS)
	if err != nil || !found.Exists {
		return 0, nil // Pebble tells why it does not open
	}
	f, err := s.opts.FS.Open(found.ManifestFilename)
	if err != nil {
		return 0, nil
	}
	defer f.Close()
	first := uint64(0)
	for edits := walrecord.NewReader(f, 0); ; {
		r, err := edits.Next()
		if err != nil {
			return first, nil // its end, or damage that Pebble will find
		}
		edit, err := io.ReadAll(r)
		if err != nil {
			return first, nil
		}
		if n, ok := logOfEdit(edit); ok {
			first = n
		}
	}
}

// The fields that an edit of the manifest may have before and as its log number, each after its tag.
const (
	editComparer = 1
	editLog      = 2
)

// logOfEdit reads the number of the first log from an edit: a comparer's name, if any, then the number, if any.
func logOfEdit(edit []byte) (uint64, bool) {
	for {
		tag, n := binary.Uvarint(edit)
		if n <= 0 || tag != editComparer && tag != editLog {
			return 0, false
		}
		v, m := binary.Uvarint(edit[n:])
		if m <= 0 || tag == editLog {
			return v, m > 0
		}
		edit = edit[n+m:]
		edit = edit[min(v, uint64(len(edit))):]
	}
}
