package pgcdc

import (
	"encoding/binary"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Messages of pgoutput, protocol versions 1 and 2 without streaming of open transactions.
type (
	beginMessage struct {
		final uint64 // position of the commit
		xid   uint32
	}
	commitMessage struct {
		commit, end uint64
	}
	relationMessage struct {
		id           uint32
		schema, name string
		columns      []string
		identity     byte     // pg_class.relreplident
		key          []string // the columns that tell rows apart in the log
		shape        string   // of columns and their types; describeColumns makes the same of the catalog
	}
	rowMessage struct {
		relation uint32
		op       byte   // I, U, D
		oldKind  byte   // K: the key; O: the whole row; 0: none
		old, new []cell // nil where there is none
	}
	truncateMessage struct {
		relations []uint32
	}
)

// What a change and a value take beside texts.
const (
	changeBytes = 192
	cellBytes   = 32
)

// bytes is about what the rows of a change take in memory.
func (m rowMessage) bytes() (n int64) {
	for _, cells := range [][]cell{m.old, m.new} {
		for _, c := range cells {
			n += cellBytes + int64(len(c.text))
		}
	}
	return n
}

// cell is a value as it travels.
type cell struct {
	kind byte // n: NULL, u: unchanged and left out, t: text
	text string
}

// decode reads a message; nil for those that say nothing about rows.
func decode(b []byte) (any, error) {
	d := decoder{b: b, ok: true}
	var m any
	switch d.byte() {
	case 'B':
		final := d.uint64()
		d.uint64() // time of the commit
		m = beginMessage{final, d.uint32()}
	case 'C':
		d.byte() // flags, none defined
		commit, end := d.uint64(), d.uint64()
		d.uint64() // time
		m = commitMessage{commit, end}
	case 'R':
		m = d.relation()
	case 'I', 'U', 'D':
		m = d.row(b[0])
	case 'T':
		m = d.truncate()
	case 'O', 'Y', 'M': // origin, type, message
		return nil, nil
	default:
		return nil, errs.StreamCorrupt.New("what", "unknown kind of message")
	}
	if !d.ok || len(d.b) > 0 {
		return nil, errs.StreamCorrupt.New("what", "message "+string(b[:1])+" is too short or too long")
	}
	return m, nil
}

// decoder reads fields until one does not fit.
type decoder struct {
	b   []byte
	all string // of a row: its message
	ok  bool
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.ok, d.b = false, nil
		return nil
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) byte() byte {
	if v := d.take(1); d.ok {
		return v[0]
	}
	return 0
}

func (d *decoder) uint16() int {
	if v := d.take(2); d.ok {
		return int(binary.BigEndian.Uint16(v))
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if v := d.take(4); d.ok {
		return binary.BigEndian.Uint32(v)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if v := d.take(8); d.ok {
		return binary.BigEndian.Uint64(v)
	}
	return 0
}

// text reads bytes up to a zero.
func (d *decoder) text() string {
	for i, c := range d.b {
		if c == 0 {
			return string(d.take(i + 1)[:i])
		}
	}
	d.ok, d.b = false, nil
	return ""
}

// partOfKey flags a column of a relation that is part of its replica identity.
const partOfKey = 1

func (d *decoder) relation() relationMessage {
	m := relationMessage{id: d.uint32(), schema: d.text(), name: d.text()}
	m.identity = d.byte()
	for n := d.uint16(); n > 0 && d.ok; n-- {
		flags := d.byte()
		name, typ, modifier := d.text(), d.uint32(), d.uint32()
		m.columns = append(m.columns, name)
		if flags&partOfKey != 0 {
			m.key = append(m.key, name)
		}
		m.shape += columnShape(name, strconv.FormatUint(uint64(typ), 10), strconv.Itoa(int(int32(modifier))))
	}
	return m
}

// columnShape is the part of a shape for one column: its name, its type's oid and modifier.
func columnShape(name, typ, modifier string) string {
	return strconv.Quote(name) + " " + typ + " " + modifier + ";"
}

// row reads a change; the texts of its cells share one copy of the message.
func (d *decoder) row(op byte) rowMessage {
	d.all = string(d.b)
	m := rowMessage{relation: d.uint32(), op: op}
	for len(d.b) > 0 {
		switch kind := d.byte(); kind {
		case 'K', 'O':
			m.oldKind, m.old = kind, d.tuple()
		case 'N':
			m.new = d.tuple()
		default:
			d.ok, d.b = false, nil
		}
	}
	d.ok = d.ok && (m.new != nil) == (op != 'D') && (m.old != nil || op != 'D')
	return m
}

func (d *decoder) tuple() []cell {
	n := d.uint16()
	out := make([]cell, 0, min(n, len(d.b))) // each cell takes a byte at least
	for ; n > 0 && d.ok; n-- {
		c := cell{kind: d.byte()}
		switch c.kind {
		case 't':
			n := len(d.take(int(d.uint32())))
			end := len(d.all) - len(d.b)
			c.text = d.all[end-n : end]
		case 'n', 'u':
		default:
			d.ok, d.b = false, nil
		}
		out = append(out, c)
	}
	return out
}

func (d *decoder) truncate() truncateMessage {
	n := d.uint32()
	d.byte() // options
	var m truncateMessage
	for ; n > 0 && d.ok; n-- {
		m.relations = append(m.relations, d.uint32())
	}
	return m
}
