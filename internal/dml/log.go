package dml

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// The DML log has an entry for each transaction that is not in the durable epoch, by sequence number, in the meta space:
//
//	entry   = count, change ...            of one transaction
//	        | 0, parts                     the changes are in so many parts, entries of their own
//	change  = table id, flags (1 old, 2 new), [len, old row], [len, new row]
//
// Parts are written before the entry that names them, so a part without one is of a transaction that was never
// acknowledged.
const partBytes = 4 << 20

// LogKey is the key of an entry of the DML log in the meta space.
func LogKey(seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte{kv.SpaceMeta}, "dml/"...), seq)
}

// LogRange is the keys of all entries up to seq.
func LogRange(seq uint64) (start, end []byte) { return LogKey(0), LogKey(seq + 1) }

// partKey is the key of a part of an entry.
func partKey(seq uint64, part uint32) []byte {
	key := binary.BigEndian.AppendUint64(append([]byte{kv.SpaceMeta}, "dmlpart/"...), seq)
	return binary.BigEndian.AppendUint32(key, part)
}

// partSeq is the entry that a part belongs to.
func partSeq(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-12:]) }

// logged writes the changes of a transaction: the parts at once, by apply, and the entry, which it returns.
func (j *journal) logged(seq uint64, apply func([]kv.Write) error) (entry kv.Write, parts uint32, err error) {
	var body []byte
	count := uint64(0)
	take := func() []byte {
		b := append(binary.AppendUvarint(make([]byte, 0, len(body)+binary.MaxVarintLen64), count), body...)
		body, count = body[:0], 0
		return b
	}
	err = j.net(func(first, last int32) error {
		body = appendLogged(body, j.tables[j.changes[last].table], j.old(first), j.new(last))
		if count++; len(body) < partBytes {
			return nil
		}
		parts++
		return apply([]kv.Write{{Key: partKey(seq, parts-1), New: take()}})
	})
	if err != nil {
		return kv.Write{}, 0, err
	}
	if parts == 0 {
		return kv.Write{Key: LogKey(seq), New: take()}, 0, nil
	}
	if count > 0 {
		parts++
		if err := apply([]kv.Write{{Key: partKey(seq, parts-1), New: take()}}); err != nil {
			return kv.Write{}, 0, err
		}
	}
	return kv.Write{Key: LogKey(seq), New: binary.AppendUvarint([]byte{0}, uint64(parts))}, parts, nil
}

func appendLogged(b []byte, t *Table, old, new []byte) []byte {
	b = binary.AppendUvarint(b, uint64(t.Rel.Table))
	flags := byte(0)
	if old != nil {
		flags |= 1
	}
	if new != nil {
		flags |= 2
	}
	b = append(b, flags)
	for _, row := range [...][]byte{old, new} {
		if row != nil {
			b = binary.AppendUvarint(b, uint64(len(row)))
			b = append(b, row...)
		}
	}
	return b
}

// entryParts is in how many parts an entry is, 0 for one that has its changes itself.
func entryParts(b []byte) uint64 {
	if len(b) < 2 || b[0] != 0 {
		return 0
	}
	n, _ := binary.Uvarint(b[1:])
	return n
}

// entryTable is the table that an entry changes first, 0 for one whose changes are in parts.
func entryTable(b []byte) id.Table {
	d := entryDecoder{b: b, ok: true}
	if d.uvarint() == 0 {
		return 0
	}
	return id.Table(d.uvarint())
}

// readLogged calls fn for the changes of an entry or part; those of tables that are gone are left out.
func readLogged(b []byte, table func(id.Table) (*Table, bool), fn func(t *Table, old, new []byte) error) error {
	d := entryDecoder{b: b, ok: true}
	for range d.uvarint() {
		t, known := table(id.Table(d.uvarint()))
		flags := d.byte()
		var rows [2][]byte
		for i := range rows {
			if flags&(1<<i) != 0 {
				rows[i] = d.bytes()
			}
		}
		if !d.ok {
			return errs.RowCorrupt.New("what", "entry of the DML log")
		}
		if known {
			if err := fn(t, rows[0], rows[1]); err != nil {
				return err
			}
		}
	}
	if len(d.b) != 0 {
		return errs.RowCorrupt.New("what", "entry of the DML log")
	}
	return nil
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
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}
