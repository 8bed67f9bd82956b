//go:build unix

package spill

import (
	"bytes"
	"errors"
	"testing"
)

// A map is zero, keeps what is written, and has no file by then; a full disk refuses it.
func TestMap(t *testing.T) {
	dir := t.TempDir()
	m, err := In(dir, nil).Map(3*len(zeros) + 5)
	if err != nil || len(m.Bytes) != 3*len(zeros)+5 || files(t, dir) > 0 {
		t.Fatalf("%d bytes, %d files, %v", len(m.Bytes), files(t, dir), err)
	}
	if bytes.ContainsFunc(m.Bytes, func(r rune) bool { return r != 0 }) {
		t.Error("a new map is not zero")
	}
	for i := range m.Bytes {
		m.Bytes[i] = byte(i % 251)
	}
	for i := range m.Bytes {
		if m.Bytes[i] != byte(i%251) {
			t.Fatalf("byte %d is %d", i, m.Bytes[i])
		}
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	full := errors.New("no room")
	if _, err := In(dir, func() error { return full }).Map(1); err != full || files(t, dir) > 0 {
		t.Error("a map was made where there is no room:", err)
	}
}
