package state

import (
	"fmt"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// A place is where the relation stores the row, whatever columns the chunk was made for.
func TestPlaces(t *testing.T) {
	ts := []types.T{types.Int4, types.Text, types.Int8}
	for _, f := range []*RelationFormat{
		{Table: 7, Types: ts, Key: []int{2, 1}, DistKey: []int{1}, Vnodes: 8},
		{Table: 7, Types: ts, Key: []int{0}, DistKey: []int{0}, Vnodes: 1},
		{Table: 7, Types: ts, DistKey: []int{0, 2}, Vnodes: 8},
	} {
		b := chunk.NewBuilder(ts, 20)
		for i := range int64(20) {
			b.Append(chunk.Insert, types.Row{types.NewInt(i), types.NewBytes(fmt.Sprint(i % 7)), types.NewInt(i / 7)})
		}
		rows := b.Take()
		stored := map[string]bool{}
		for i := range rows.Rows() {
			row := rows.Row(i)
			stored[string(f.AppendKeyRow(kv.AppendTable(nil, f.Table, uint16(f.VnodeOf(row))), row))] = true
		}
		for _, given := range [][]int{{}, {1}, {2, 0}} {
			p, n := NewPlaces(f, given), 0
			if got := fmt.Sprint(p.Cols()[:len(given)]); got != fmt.Sprint(given) {
				t.Errorf("the columns begin with %s, not %v", got, given)
			}
			p.Each(rows.Project(p.Cols()), func(_ int, v vnode.ID, key []byte) {
				if stored[string(append(kv.AppendTable(nil, f.Table, uint16(v)), key...))] {
					n++
				}
			})
			if n != rows.Rows() {
				t.Errorf("key %v, columns %v: %d of %d places are right", f.Key, given, n, rows.Rows())
			}
		}
	}
}
