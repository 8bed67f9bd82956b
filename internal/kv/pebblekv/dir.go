package pebblekv

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// The directory of a store (mode 0700):
//
//	FORMAT    what wrote the store, and the options that shape its data
//	LOCK      locked while the store is open
//	OWNER     who has locked it
//	store/    Pebble's files
//	spill/    files of commits under way, and of statements
//	CLOSED    how long the logs were when the store was closed, and their checksums
//	CREATING  while the store is being made: what is there has no value yet
//	ballast   space to delete when the disk is full
const (
	formatFile   = "FORMAT"
	lockFile     = "LOCK"
	ownerFile    = "OWNER"
	closedFile   = "CLOSED"
	creatingFile = "CREATING"
	databaseDir  = "store"
	ballastFile  = "ballast"

	format      = "1"
	formatTitle = "tidemark store"
)

// openDir locks the directory, checks that it is a store that this build knows, and clears what a crash left. It
// reports true when there is no store yet.
func (s *Store) openDir() (created bool, err error) {
	if err := s.makeDir(); err != nil {
		return false, errs.StoreOpen.New("what", "its directory can not be made").Wrap(err)
	}
	if err := s.lock(); err != nil {
		return false, err
	}
	created, err = s.checkFormat()
	if err != nil {
		return false, err
	}
	return created, s.clearSpill()
}

// makeDir makes the directory and those above it, and syncs the names of the new ones: a crash must not lose the store
// with everything in it.
func (s *Store) makeDir() error {
	fs := s.opts.FS
	var parents []string
	for d := s.opts.Dir; fs.PathDir(d) != d; d = fs.PathDir(d) {
		if _, err := fs.Stat(d); err == nil {
			break
		}
		parents = append(parents, fs.PathDir(d))
	}
	if err := fs.MkdirAll(s.opts.Dir, 0o700); err != nil {
		return err
	}
	for _, p := range parents {
		if err := s.syncDir(p); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) path(name string) string { return s.opts.FS.PathJoin(s.opts.Dir, name) }

func (s *Store) lock() error {
	if err := s.exclude(); err != nil {
		return err
	}
	return s.replace(ownerFile, s.opts.Owner)
}

// exclude takes the lock, or tells who has it.
func (s *Store) exclude() error {
	l, err := s.opts.FS.Lock(s.path(lockFile))
	if err != nil {
		owner, readErr := s.read(ownerFile)
		if readErr != nil || owner == "" {
			owner = "another process"
		}
		return errs.StoreLocked.New("dir", s.opts.Dir, "owner", owner).Wrap(err)
	}
	s.locks = append(s.locks, l)
	return nil
}

func (s *Store) read(name string) (string, error) {
	f, err := s.opts.FS.Open(s.path(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return string(b), err
}

// replace writes a whole file or nothing.
func (s *Store) replace(name, text string) error {
	fs, tmp := s.opts.FS, s.path(name+".new")
	f, err := fs.Create(tmp, vfs.WriteCategoryUnspecified)
	if err != nil {
		return classify(err)
	}
	if _, err = f.Write([]byte(text)); err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = fs.Rename(tmp, s.path(name))
	}
	if err == nil {
		err = s.syncDir(s.opts.Dir)
	}
	return classify(err)
}

func (s *Store) syncDir(dir string) error {
	d, err := s.opts.FS.OpenDir(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// writeFormat says that the directory is a store. Its lines: title, format, then the stored options by name.
func (s *Store) writeFormat() error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nformat %s\n", formatTitle, format)
	for _, name := range slices.Sorted(maps.Keys(s.opts.Stored)) {
		fmt.Fprintf(&b, "%s %s\n", name, s.opts.Stored[name])
	}
	return s.replace(formatFile, b.String())
}

func (s *Store) checkFormat() (created bool, err error) {
	names, err := s.opts.FS.List(s.opts.Dir)
	if err != nil {
		return false, errs.StoreOpen.New("what", "its directory can not be listed").Wrap(err)
	}
	if !slices.Contains(names, formatFile) {
		return true, s.beginCreation(names)
	}
	text, err := s.read(formatFile)
	if err != nil {
		return false, unread(err)
	}
	return false, s.compareFormat(text)
}

// beginCreation clears what a creation that was cut short has left. Of Pebble's files any may be missing then, so they
// are not opened; CREATING says that they hold nothing.
func (s *Store) beginCreation(names []string) error {
	if slices.Contains(names, creatingFile) {
		return classify(s.opts.FS.RemoveAll(s.path(databaseDir)))
	}
	ours := []string{lockFile, ownerFile, ownerFile + ".new", creatingFile + ".new", spill, "lost+found"}
	for _, n := range names {
		if !slices.Contains(ours, n) {
			return errs.NotAStore.New("dir", s.opts.Dir, "name", n)
		}
	}
	return s.replace(creatingFile, formatTitle)
}

func (s *Store) compareFormat(text string) error {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) < 2 || lines[0] != formatTitle {
		return errs.StoreCorrupt.New("what", "the file FORMAT is not a store's")
	}
	if found := strings.TrimPrefix(lines[1], "format "); found != format {
		return errs.StoreVersion.New("what", "file", "found", found, "known", format)
	}
	stored := map[string]string{}
	for _, l := range lines[2:] {
		name, v, _ := strings.Cut(l, " ")
		stored[name] = v
	}
	for _, name := range slices.Sorted(maps.Keys(s.opts.Stored)) {
		if stored[name] != s.opts.Stored[name] {
			return errs.StoreOptions.New("name", name, "found", or(stored[name], "nothing"), "wanted", s.opts.Stored[name])
		}
	}
	return nil
}

// SpillDir is the folder of a store's directory in which temporary files may lie: Open deletes what it finds there.
func SpillDir(dir string) string { return filepath.Join(dir, spill) }

// clearSpill deletes the files of commits that a crash cut short.
func (s *Store) clearSpill() error {
	fs, dir := s.opts.FS, s.path(spill)
	if err := fs.MkdirAll(dir, 0o700); err != nil {
		return classify(err)
	}
	names, err := fs.List(dir)
	if err != nil {
		return classify(err)
	}
	for _, n := range names {
		if err := fs.Remove(fs.PathJoin(dir, n)); err != nil {
			return classify(err)
		}
	}
	return classify(s.syncDir(s.opts.Dir))
}
