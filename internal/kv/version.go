package kv

import (
	"bytes"
	"encoding/binary"
	"sync"
	"sync/atomic"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
)

// content is the store at one visible epoch, but for the base.
type content struct {
	epoch   epoch.Epoch
	durable epoch.Epoch              // all rows up to here are in the base
	tables  map[id.Table][]segment   // visible runs, oldest first
	logs    map[id.Table]epoch.Epoch // the changelog is kept of epochs after this one
}

// version is a content and the pin of the base below it. The pin is taken when the first reader comes and lives as long
// as the last one.
type version struct {
	content
	holders atomic.Int64 // the views, and Layers while the version is current
	once    sync.Once
	pin     Pinned
}

func newVersion(c content) *version {
	v := &version{content: c}
	v.holders.Store(1)
	return v
}

// hold adds a reader. The caller holds Layers' lock (K3), so the version is current and can not be released meanwhile.
func (v *version) hold(b Base) {
	v.holders.Add(1)
	v.once.Do(func() { v.pin = b.Pin() })
}

// rest says that no reader will be added. The caller holds Layers' lock, so none is being added.
func (v *version) rest() {
	if v.pin != nil {
		v.pin.Rest()
	}
}

func (v *version) release() error {
	if v.holders.Add(-1) == 0 && v.pin != nil {
		return v.pin.Close()
	}
	return nil
}

// cursors appends cursors over the visible writes in [start, end); ranks begin at 0.
func (c *content) cursors(start, end []byte) []cursor {
	if t, ok := soleTable(start, end); ok {
		return appendCursors(nil, c.tables[t], start, end, 0)
	}
	var out []cursor
	for _, segs := range c.tables { // the merge orders by key, and one key is in one table
		out = appendCursors(out, segs, start, end, 0)
	}
	return out
}

// appendCursors adds the segments that meet the range; the first has the given rank.
func appendCursors(dst []cursor, segs []segment, start, end []byte, rank int) []cursor {
	for i := range segs {
		if cur, ok := segs[i].cursor(start, end, rank+i); ok {
			dst = append(dst, cur)
		}
	}
	return dst
}

// tableIDEnd is where the table's number ends in a key of the table space.
const tableIDEnd = 5

// soleTable returns the table that the whole range lies in.
func soleTable(start, end []byte) (id.Table, bool) {
	if len(start) < tableIDEnd || start[0] != SpaceTable {
		return 0, false
	}
	t := id.Table(binary.BigEndian.Uint32(start[1:]))
	return t, end != nil && bytes.Compare(end, tableEnd(t)) <= 0
}
