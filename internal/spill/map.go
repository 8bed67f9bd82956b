package spill

import (
	"errors"
	"os"
)

// Map is memory that lies in a temporary file: the system writes it out and reads it back as it needs room, so it takes
// nothing of what the process may use. It is zero at first. Who holds its bytes must not use them after Close.
//
// A File is better where records are read in order. The disk has room for all of a map from the start; one that fails later
// ends the process, as it does for a page that was swapped out.
type Map struct{ Bytes []byte }

// zeros is written to have a file take its place on the disk.
var zeros [1 << 16]byte

// Map makes memory of n bytes.
func (d *Dir) Map(n int) (*Map, error) {
	f, err := d.Create()
	if err != nil {
		return nil, err
	}
	m := &Map{}
	if err = m.open(f, n); err != nil {
		err = failure(f.name, err)
	}
	return m, errors.Join(err, f.Close())
}

// open maps a file, which may be removed then: the memory keeps its bytes.
func (m *Map) open(f *File, n int) (err error) {
	for at := 0; at < n; at += len(zeros) {
		if _, err := f.disk.Write(zeros[:min(len(zeros), n-at)]); err != nil {
			return err
		}
	}
	m.Bytes, err = mapped(f.disk.(*os.File), n)
	return err
}

// Close gives the memory back.
func (m *Map) Close() error {
	b := m.Bytes
	m.Bytes = nil
	return unmap(b)
}
