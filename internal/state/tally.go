package state

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/tally"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// lookEvery is how many rows are read between two looks at whether nobody wants the answer any more.
const lookEvery = 1024

// Tally adds up the stored rows of a relation, as op.Materialize counts them when it writes them. Bytes that are no row are
// counted as they are, so that the sums differ.
func Tally(ctx context.Context, r kv.Reader, f *RelationFormat, key uint64) (*tally.Table, error) {
	t := tally.NewTable(f.Vnodes)
	it := r.Scan(kv.TableRange(f.Table))
	for n := 0; it.Next(); n++ {
		if n%lookEvery == 0 && ctx.Err() != nil {
			it.Close()
			return nil, ctx.Err()
		}
		_, v, k, _ := kv.TableOf(it.Key())
		row, copies, err := f.encoded(k, it.Value())
		if err != nil {
			row, copies = it.Value(), 1
		}
		var s tally.Sum
		s.AddTimes(tally.Hash(f.Growth.Trim(f.Types, row), key), copies)
		t.Merge([]tally.Delta{{Vnode: vnode.ID(v), Sum: s}})
	}
	return t, it.Close()
}

// toldVnodes bounds how many vnodes an error names.
const toldVnodes = 16

// TallyDiffers is the error for a relation whose stored rows are not those that were counted: they are by so much more.
func TallyDiffers(rel *catalog.Relation, counted *tally.Table, more []tally.Delta) *errs.Error {
	var names []string
	rows := counted.Rows()
	stored := rows
	for _, d := range more {
		stored += d.Rows
		if len(names) < toldVnodes {
			names = append(names, fmt.Sprintf("vnode %d", d.Vnode))
		}
	}
	if left := len(more) - len(names); left > 0 {
		names = append(names, fmt.Sprintf("%d others", left))
	}
	return errs.StateHashDiffers.New("relation", rel.Name, "vnodes", strings.Join(names, ", "), "stored", stored, "counted", rows)
}
