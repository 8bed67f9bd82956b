package pebblekv

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-db/tidemark/internal/mem"
)

// Options open a store. Dir is needed, everything else has a default.
type Options struct {
	FS     vfs.FS // the operating system's
	Dir    string
	Owner  string // who holds the lock, for the error of a second process; "process <pid>"
	Logger *slog.Logger
	Budget *mem.Budget // the cache and the memtables are reserved in it
	// OnFatal is called once, when the store can not write any more; every later call returns the error too.
	OnFatal func(error)

	CacheBytes    int64 // block cache
	MemtableBytes int64
	// IngestRows is from how many writes on a commit is written as sorted files instead of a batch.
	IngestRows int
	// FreeBytesMin is the free space below which writes are refused.
	FreeBytesMin int64
	// BallastBytes is the size of a file that can be deleted to get out of a full disk; negative: none.
	BallastBytes int64

	// Stored options shape stored data: they are written when the store is created and compared when it is opened.
	Stored map[string]string
}

// Defaults and bounds.
const (
	cacheDefault    = 256 << 20
	cacheMin        = 1 << 20
	memtableDefault = 64 << 20
	memtableMin     = 1 << 20
	// ingestRowsDefault is where sorted files become cheaper than a batch by a factor of two.
	ingestRowsDefault = 10_000
	freeDefault       = 256 << 20
	ballastDefault    = 64 << 20
	// memtables is how many may be in memory at a time: one written, others being flushed.
	memtables = 3
)

// WithDefaults fills what is zero. With a budget that has a limit, the cache takes a quarter and the memtables an eighth.
func (o Options) WithDefaults() Options {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Owner == "" {
		o.Owner = fmt.Sprintf("process %d", os.Getpid())
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.OnFatal == nil {
		o.OnFatal = func(error) {}
	}
	if limit := o.Budget.Limit(); limit > 0 {
		o.CacheBytes = or(o.CacheBytes, max(cacheMin, min(cacheDefault, limit/4)))
		o.MemtableBytes = or(o.MemtableBytes, max(memtableMin, min(memtableDefault, limit/8/memtables)))
	}
	o.CacheBytes = or(o.CacheBytes, cacheDefault)
	o.MemtableBytes = or(o.MemtableBytes, memtableDefault)
	o.IngestRows = or(o.IngestRows, ingestRowsDefault)
	o.FreeBytesMin = or(o.FreeBytesMin, freeDefault)
	o.BallastBytes = or(o.BallastBytes, ballastDefault)
	return o
}

func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// Validate names the field that is out of its range.
func (o Options) Validate() error {
	switch {
	case o.Dir == "":
		return fmt.Errorf("pebblekv: Options.Dir is empty")
	case o.CacheBytes < cacheMin:
		return fmt.Errorf("pebblekv: Options.CacheBytes = %d, must be at least %d", o.CacheBytes, int64(cacheMin))
	case o.MemtableBytes < memtableMin:
		return fmt.Errorf("pebblekv: Options.MemtableBytes = %d, must be at least %d", o.MemtableBytes, int64(memtableMin))
	case o.IngestRows < 1:
		return fmt.Errorf("pebblekv: Options.IngestRows = %d, must be at least 1", o.IngestRows)
	}
	return nil
}
