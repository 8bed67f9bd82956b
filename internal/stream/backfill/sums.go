package backfill

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Sums are the checksums of the records of a job, by input and vnode. A job's status has them, in the commit that the records are
// in: a record that is sound but another one, such as that of an earlier commit, is told from the last by them. Of a job without
// any, or of an input or vnode that has none, every record is taken.
type Sums [][]uint32

// SumsOf makes the sums of what catch-ups have reported.
func SumsOf(reports []Status) Sums {
	var s Sums
	for _, r := range reports {
		for len(s) <= r.Input {
			s = append(s, nil)
		}
		for _, n := range r.Ranges {
			for len(s[r.Input]) <= int(n.Vnode) {
				s[r.Input] = append(s[r.Input], 0)
			}
			s[r.Input][n.Vnode] = n.Sum()
		}
	}
	return s
}

// disown reports whether a record is not the one that was summed.
func (s Sums) disown(input int, v vnode.ID, r *Record) bool {
	return input < len(s) && int(v) < len(s[input]) && s[input][v] != r.Sum()
}

// sumSize is what a checksum takes in bytes.
const sumSize = 4

// Encode returns the stored form: for each input the number of sums and the sums. Nothing is nothing.
func (s Sums) Encode() []byte {
	var b []byte
	for _, in := range s {
		b = binary.AppendUvarint(b, uint64(len(in)))
		for _, n := range in {
			b = binary.BigEndian.AppendUint32(b, n)
		}
	}
	return b
}

// DecodeSums reads what Encode has made. What can not be read is none: the records are then as good as they look.
func DecodeSums(b []byte) Sums {
	var s Sums
	for len(b) > 0 {
		count, n := binary.Uvarint(b)
		if n <= 0 || count > uint64(len(b)-n)/sumSize {
			return nil
		}
		b = b[n:]
		in := make([]uint32, count)
		for i := range in {
			in[i], b = binary.BigEndian.Uint32(b), b[sumSize:]
		}
		s = append(s, in)
	}
	return s
}
