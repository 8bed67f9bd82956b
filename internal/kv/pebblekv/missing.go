package pebblekv

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// What Pebble says of a sorted file that its manifest names and that is not there, or has another size; it has no types for
// these errors.
var (
	sortedMissing = regexp.MustCompile(`(\d{6,}): file \d+ \(type sstable\) unknown`)
	sortedSize    = regexp.MustCompile(`(\d{6,}): object size mismatch \(.*\): (\d+) \(disk\) != (\d+) \(MANIFEST\)`)
)

// unopened gives an error of opening Pebble its entry, with the file that it is about.
func unopened(err error) error {
	var path *fs.PathError
	file, what := "", "is missing"
	if m := sortedMissing.FindStringSubmatch(err.Error()); m != nil {
		file = m[1] + ".sst"
	} else if m := sortedSize.FindStringSubmatch(err.Error()); m != nil {
		file, what = m[1]+".sst", "has "+m[2]+" bytes of "+m[3]
	} else if errors.Is(err, pebble.ErrDBDoesNotExist) {
		file = "marker.manifest.*"
	} else if errors.Is(err, pebble.ErrDBNotPristine) {
		file = "marker.format-version.*"
	} else if errors.Is(err, fs.ErrNotExist) && errors.As(err, &path) {
		file = filepath.Base(path.Path)
	}
	if file == "" {
		return unread(err)
	}
	return errs.StoreFile.New("file", databaseDir+"/"+file, "what", what).Wrap(err)
}
