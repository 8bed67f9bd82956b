package dml

import (
	"bytes"
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Change is the exact effect of a statement on one row of a table. Old nil: inserted; New nil: deleted. A statement may move
// a row to another key; inside this package a change is the effect on one key, as byKey makes it.
type Change struct {
	Table    *Table
	Old, New types.Row
	write    write // what the change leaves under its key; set by byKey
}

// storedKey is the key of a change that moves no row.
func (c Change) storedKey() []byte {
	if c.New != nil {
		return c.Table.storedKey(c.New)
	}
	return c.Table.storedKey(c.Old)
}

// become makes the change leave another row, nil for none.
func (c *Change) become(row types.Row) {
	c.New, c.write.value = row, c.Table.encode(row)
}

// byKey turns what a statement does to rows into what it does to keys, each once. All old rows go before any new one comes:
// a statement may swap the keys of two rows.
func byKey(changes []Change) []Change {
	out := make([]Change, 0, len(changes))
	var movedTo []Change
	at := map[string]int{} // of the keys that moves touch
	for _, c := range changes {
		key := c.storedKey()
		if c.Old != nil && c.New != nil {
			if from := c.Table.storedKey(c.Old); !bytes.Equal(from, key) {
				movedTo = append(movedTo, Change{Table: c.Table, New: c.New, write: write{key: key}})
				c.New, key = nil, from
				at[string(from)] = len(out)
			}
		}
		c.write = write{key: key, value: c.Table.encode(c.New)}
		out = append(out, c)
	}
	for _, c := range movedTo {
		if i, ok := at[string(c.write.key)]; ok {
			out[i].become(c.New)
			continue
		}
		c.become(c.New)
		out = append(out, c)
	}
	return out
}

// Table is a table as DML sees it.
type Table struct {
	Rel    *catalog.Relation
	Format *state.RelationFormat
}

// NewTable prepares a relation for DML.
func NewTable(rel *catalog.Relation) *Table { return &Table{rel, state.FormatOf(rel)} }

// storedKey returns the whole key of a row.
func (t *Table) storedKey(row types.Row) []byte {
	return t.Format.AppendKeyRow(kv.AppendTable(nil, t.Rel.Table, uint16(t.Format.VnodeOf(row))), row)
}

// Key returns the bytes that tell rows of the table apart.
func (t *Table) Key(row types.Row) []byte { return t.storedKey(row) }

// Find reads the row with the key columns of the given row.
func (t *Table) Find(r kv.Reader, row types.Row) (old types.Row, ok bool, err error) {
	b, ok, err := r.Get(t.storedKey(row))
	if err != nil || !ok {
		return nil, false, err
	}
	old, err = keyenc.DecodeGrown(t.Format.Types, b, t.Format.Growth)
	return old, err == nil, err
}

// InitialValue is the stored form of the value that an added column has in the rows that are there.
func InitialValue(t types.T, d types.Datum) []byte {
	return keyenc.AppendDatums([]byte{}, []types.T{t}, types.Row{d})
}

// encode returns the stored value of a row, nil for none.
func (t *Table) encode(row types.Row) []byte {
	if row == nil {
		return nil
	}
	return keyenc.AppendDatums([]byte{}, t.Format.Types, row)
}

// entry is one statement or transaction in the DML log: the changes of its tables.
//
//	entry   = count, change ...
//	change  = table id, flags (1 old, 2 new), [len, old row], [len, new row]
func encodeEntry(changes []Change) []byte {
	b := binary.AppendUvarint(nil, uint64(len(changes)))
	for _, c := range changes {
		b = binary.AppendUvarint(b, uint64(c.Table.Rel.Table))
		old, new := c.Table.encode(c.Old), c.write.value
		flags := byte(0)
		if old != nil {
			flags |= 1
		}
		if new != nil {
			flags |= 2
		}
		b = append(b, flags)
		for _, row := range [][]byte{old, new} {
			if row != nil {
				b = binary.AppendUvarint(b, uint64(len(row)))
				b = append(b, row...)
			}
		}
	}
	return b
}

// decodeEntry reads an entry; changes of tables that are gone are left out.
func decodeEntry(b []byte, table func(id.Table) (*Table, bool)) ([]Change, error) {
	d := entryDecoder{b: b, ok: true}
	var out []Change
	for range d.uvarint() {
		t, known := table(id.Table(d.uvarint()))
		flags := d.byte()
		var rows [2]types.Row
		for i := range rows {
			if flags&(1<<i) == 0 {
				continue
			}
			raw := d.bytes()
			if !d.ok {
				break
			}
			if !known {
				continue
			}
			row, err := keyenc.DecodeGrown(t.Format.Types, raw, t.Format.Growth)
			if err != nil {
				return nil, err
			}
			rows[i] = row
		}
		if !d.ok {
			return nil, errs.RowCorrupt.New("what", "entry of the DML log")
		}
		if known {
			out = append(out, Change{Table: t, Old: rows[0], New: rows[1]})
		}
	}
	if len(d.b) != 0 {
		return nil, errs.RowCorrupt.New("what", "entry of the DML log")
	}
	return out, nil
}

// entryDecoder reads fields until one does not fit.
type entryDecoder struct {
	b  []byte
	ok bool
}

func (d *entryDecoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.ok, d.b = false, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *entryDecoder) byte() byte {
	if len(d.b) == 0 {
		d.ok = false
		return 0
	}
	v := d.b[0]
	d.b = d.b[1:]
	return v
}

func (d *entryDecoder) bytes() []byte {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.ok = false
		return nil
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}

// fedRows turns changes into the chunks that their tables take, in order: old rows as deletes, new ones as inserts.
func fedRows(changes []Change) []Fed {
	var out []Fed
	builders := map[*Table]*chunk.Builder{}
	var tables []*Table // in order of their first change
	flush := func(t *Table) {
		if c := builders[t].Take(); c != nil {
			out = append(out, Fed{t.Rel.Job, c})
		}
	}
	for _, c := range changes {
		b := builders[c.Table]
		if b == nil {
			b = chunk.NewBuilder(c.Table.Format.Types, min(2*len(changes), chunk.RowsMax))
			builders[c.Table], tables = b, append(tables, c.Table)
		}
		if c.Old != nil {
			b.Append(chunk.Delete, c.Old)
		}
		if c.New != nil {
			b.Append(chunk.Insert, c.New)
		}
		if b.Len() >= chunk.RowsMax {
			flush(c.Table)
		}
	}
	for _, t := range tables {
		flush(t)
	}
	return out
}
