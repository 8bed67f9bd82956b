package meta

import (
	"hash/crc32"
	"slices"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Capture is how far a source of change data has come. It is written with the rows that it speaks of, in one synced batch.
type Capture struct {
	Position uint64       // everything that committed upstream before it is in the tables, as far as their history is
	Part     *CapturePart `json:",omitempty"` // nil: nothing behind it is
	Tables   map[id.Relation]*CapturedTable
	Sum      uint32 `json:",omitempty"` // of the record without it, as stored; 0: a version that kept none wrote it
}

// CapturePart is how much is in the tables of a transaction that is too large to be applied at once.
type CapturePart struct {
	XID     uint64
	Changes uint64 // of the transaction, captured or not, from its first
	Beside  []CapturedRow
}

// CapturedRow is a row beside another of its key, which the rest of the transaction takes away: uniqueness may be checked at
// the end of a transaction.
type CapturedRow struct {
	Table id.Relation
	Row   []byte
}

// CapturedTable is how far the history of a captured table is read. Keys are in the order of the upstream's index.
type CapturedTable struct {
	Number  uint64 // of the upstream's table, which another of its name does not have
	Entry   uint64 // of the upstream's publication for it; 0: not known
	Done    bool   // the history was read to its end
	Stale   bool   // rows are here that an earlier reading gave: what is read now replaces them, range by range
	Whole   bool   // a reading came to its end: the table may be queried, also while it is read again
	Cursor  []byte // exclusive: keys up to it were read; nil before the first
	Rows    uint64 // read
	Ranges  uint64 // read
	Windows []CaptureWindow
	Holes   [][]byte // keys whose rows must be read on their own
}

// CaptureWindow is a range of keys that was read at a snapshot which the log has not passed yet.
type CaptureWindow struct {
	Key       []byte // of a single row; else the keys in (Low, High], nil being without a bound
	Low, High []byte
	Snapshot  string
	Until     uint64 // position from which on nothing that the snapshot has seen can follow
}

// Clone returns a copy to change.
func (c *Capture) Clone() *Capture {
	out := &Capture{Position: c.Position, Part: c.Part, Tables: map[id.Relation]*CapturedTable{}}
	for r, t := range c.Tables {
		copied := *t
		copied.Windows, copied.Holes = slices.Clone(t.Windows), slices.Clone(t.Holes)
		out.Tables[r] = &copied
	}
	return out
}

const dirCapture = "capture/"

// PutCapture returns the write that stores the progress of a source; DropCapture the one that removes it.
func PutCapture(source id.Relation, c *Capture) kv.Write {
	sealed := *c
	sealed.Sum = c.sum()
	return put(dirCapture+number(source), &sealed)
}
func DropCapture(source id.Relation) kv.Write { return drop(dirCapture + number(source)) }

// sum is the checksum of the record.
func (c *Capture) sum() uint32 {
	plain := *c
	plain.Sum = 0
	return crc32.Checksum(put("", &plain).New, crc32.MakeTable(crc32.Castagnoli))
}

// LoadCaptures reads the progress of all sources. One that is not what was written is left out, as if it were not there: what a
// source has in its tables can be read again.
func LoadCaptures(r kv.Reader) (map[id.Relation]*Capture, error) {
	out := map[id.Relation]*Capture{}
	return out, loadRaw(r, dirCapture, func(name string, value []byte) error {
		source, err := relationOf(dirCapture, name)
		if c, damage := decode[*Capture](dirCapture+name, value); err == nil && damage == nil && c != nil && (c.Sum == 0 || c.Sum == c.sum()) {
			out[source] = c
		}
		return err
	})
}

const dirUpstream = "upstream/"

// PutUpstream returns the write that notes, before anything is made upstream for a source, the options that undo it;
// DropUpstream the one that forgets it, because the source is there or all is undone. The name is of the source.
func PutUpstream(name string, options map[string]string) kv.Write {
	return put(dirUpstream+name, &options)
}
func DropUpstream(name string) kv.Write { return drop(dirUpstream + name) }

// LoadUpstreams reads what was noted and not forgotten.
func LoadUpstreams(r kv.Reader) (map[string]map[string]string, error) {
	out := map[string]map[string]string{}
	return out, load(r, dirUpstream, func(name string, o *map[string]string) error {
		out[name] = *o
		return nil
	})
}
