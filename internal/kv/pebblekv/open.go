package pebblekv

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Open opens the store in a directory, or creates it in an empty one.
func Open(o Options) (*Store, error) {
	o = o.WithDefaults()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := &Store{opts: o, failure: newFailure(o.OnFatal)}
	err := s.open()
	if err == nil {
		return s, nil
	}
	if s.db != nil && s.failure.check() == nil {
		_ = s.db.Close() // the first error tells more
	}
	s.memory.Close()
	s.unlock()
	return nil, err
}

func (s *Store) open() error {
	created, err := s.openDir()
	if err != nil {
		return err
	}
	if err := s.reserve(); err != nil {
		return err
	}
	if err := s.checkLogs(); err != nil {
		return err
	}
	if err := s.forgetClosed(); err != nil {
		return err
	}
	if err := s.failure.run(s.openDB); err != nil {
		return err
	}
	s.base = &base{db: s.db, failure: s.failure}
	if created {
		err = s.create()
	} else {
		err = s.recover()
	}
	if err != nil {
		return err
	}
	return s.makeBallast()
}

func (s *Store) reserve() error {
	n := s.opts.CacheBytes + memtables*s.opts.MemtableBytes
	s.memory = s.opts.Budget.Child("store", 0)
	return s.memory.Reserve(n)
}

// create writes the record from which all others follow, and only then says that the directory is a store.
func (s *Store) create() error {
	w := commitWriter{pending: &kv.Pending{}}
	if err := s.failure.run(func() error { return s.batch(&w) }); err != nil {
		return err
	}
	if err := s.writeFormat(); err != nil {
		return err
	}
	if err := s.opts.FS.Remove(s.path(creatingFile)); err != nil {
		return classify(err)
	}
	return s.recover()
}

func (s *Store) recover() error {
	last, ok, err := readRecord(s.base)
	if err != nil {
		return err
	}
	if !ok {
		return errs.StoreCorrupt.New("what", "no commit is recorded")
	}
	leases, err := readLeases(s.base)
	if err != nil {
		return err
	}
	s.last, s.recorded = last, leases
	s.layers = kv.NewLayers(s.base, last.epoch, leases)
	return nil
}

// Pebble's tuning.
const (
	blockBytes    = 32 << 10 // scans dominate; a point read of a hot block costs the same
	filterBits    = 10
	l0Compact     = 16 // twice the sorted layers of L0 from which compactions begin
	l0Stop        = 32 // layers of L0 at which writes wait
	baseBytes     = 64 << 20
	openFilesMax  = 1_000
	compactions   = 2
	formatVersion = pebble.FormatTableFormatV6
)

func (s *Store) openDB() error {
	dir := s.path(databaseDir)
	if !s.readOnly {
		if err := s.opts.FS.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	// The lock is ours, so that it is released even when Pebble can not be closed.
	lock, err := pebble.LockDirectory(dir, s.opts.FS)
	if err != nil {
		return err
	}
	s.locks = append(s.locks, lock)
	cache := pebble.NewCache(s.opts.CacheBytes)
	defer cache.Unref()
	po := &pebble.Options{
		FS:                          walFS{s.opts.FS, s.failure},
		ReadOnly:                    s.readOnly,
		Lock:                        lock,
		Cache:                       cache,
		Logger:                      logger{log: s.opts.Logger, f: s.failure},
		FormatMajorVersion:          formatVersion,
		MemTableSize:                uint64(s.opts.MemtableBytes),
		MemTableStopWritesThreshold: memtables,
		L0CompactionThreshold:       l0Compact,
		L0StopWritesThreshold:       l0Stop,
		LBaseMaxBytes:               baseBytes,
		MaxOpenFiles:                openFilesMax,
		CompactionConcurrencyRange:  func() (lower, upper int) { return 1, compactions },
	}
	// A damaged block is the error of who reads it, not the end of the store: what does not need it goes on.
	po.EventListener = &pebble.EventListener{DataCorruption: func(i pebble.DataCorruptionInfo) {
		s.opts.Logger.Error("a file of the store is damaged", "file", i.Path, "error", i.Details)
	}}
	for i := range po.Levels {
		po.Levels[i].BlockSize = blockBytes
		po.Levels[i].FilterPolicy = bloom.FilterPolicy(filterBits)
	}
	po.EnsureDefaults()
	db, err := pebble.Open(dir, po)
	if err != nil {
		return unopened(err)
	}
	s.db = db
	s.tableOptions = po.MakeWriterOptions(0, db.TableFormat())
	return nil
}
