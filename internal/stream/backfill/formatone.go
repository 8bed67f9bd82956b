package backfill

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Format 1 is the layout of the catch-up that RisingWave calls no_shuffle: each actor had one position and wrote it to
// the records of all its vnodes. So a position says nothing of a single vnode once vnodes have moved between actors.
// It is read, never written:
//
//	1 | finished 1 | upstream table, fragment, actor, rows: uvarint each | length uvarint, position | checksum 4

// FormatOne is a record of format 1.
type FormatOne struct {
	Finished               bool
	Table, Fragment, Actor uint64
	Rows                   uint64
	Position               []byte // the key of the last row read
}

// unfinished is the error for a record of format 1 from which nothing can be resumed.
type unfinished struct{ FormatOne }

func (u unfinished) Error() string {
	return fmt.Sprintf("unfinished record of format 1 of fragment %d, actor %d", u.Fragment, u.Actor)
}

// adoptFormatOne reads the body of a record of format 1, less its checksum. One that has finished is what a record is whose
// scan has ended; of another nothing is guessed.
func adoptFormatOne(body []byte) (*Record, error) {
	if len(body) < 2 || body[1] > 1 {
		return nil, corrupt("flag of format 1")
	}
	d := decoder{b: body[2:], ok: true}
	f := FormatOne{Finished: body[1] == 1, Table: d.uvarint(), Fragment: d.uvarint(), Actor: d.uvarint(), Rows: d.uvarint()}
	f.Position = d.bytes()
	switch {
	case !d.ok || len(d.b) != 0:
		return nil, corrupt("fields do not fill the record")
	case !f.Finished:
		return nil, unfinished{f}
	}
	return &Record{Phase: Replaying, Rows: f.Rows}, nil
}

// FormatOneRecords makes the records of an input's vnodes as such a store has them: each of so many actors has written its
// position to the records of all vnodes that it owned. Only makers of old stores need it.
func FormatOneRecords(vnodes, actors int, of func(actor int) FormatOne) [][]byte {
	out := make([][]byte, vnodes)
	for a, owned := range vnode.Assign(vnodes, actors) {
		f := of(a)
		for _, v := range owned.IDs() {
			out[v] = f.Encode()
		}
	}
	return out
}

// Encode returns the stored form.
func (f *FormatOne) Encode() []byte {
	b := []byte{1, 0}
	if f.Finished {
		b[1] = 1
	}
	for _, n := range []uint64{f.Table, f.Fragment, f.Actor, f.Rows, uint64(len(f.Position))} {
		b = binary.AppendUvarint(b, n)
	}
	b = append(b, f.Position...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}
