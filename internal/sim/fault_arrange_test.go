package sim

import (
	"bytes"
	"slices"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// arranged are the faults of catch-ups that read while their job is attached.
var arranged = []planted{
	{"a change of the key that the cursor is at does not pass", arranging(func(c *backfill.CatchUp) {
		c.Arrangement.Places = farther{c.Arrangement.Places}
	})},
	{"an attached catch-up takes a barrier for visibility", arranging(func(c *backfill.CatchUp) { c.Pins = &eager{Pins: c.Pins} })},
	{"changes of a range that was not begun pass", filtered(func(r backfill.RangeStatus, _ bool, key []byte) bool {
		return r.Phase != backfill.Scanning || bytes.Compare(key, r.ScanCursor) <= 0
	})},
	{"changes of a range that has ended are lost while another is being read", filtered(func(r backfill.RangeStatus, reading bool, _ []byte) bool {
		return r.Phase != backfill.Live || !reading
	})},
	{"changes are filtered when they come, not when the epoch ends", filtered(func(r backfill.RangeStatus, _ bool, key []byte) bool {
		return r.Phase == backfill.Live || r.Phase == backfill.Scanning && bytes.Compare(key, r.ScanCursor) <= 0
	})},
}

// arranging changes the catch-ups that read while their job is attached.
func arranging(change func(*backfill.CatchUp)) fault {
	return catchUps(func(c *backfill.CatchUp) {
		if c.Arrangement != nil {
			change(c)
		}
	})
}

// farther finds each row a little behind where it is.
type farther struct{ backfill.Places }

func (p farther) Each(c *chunk.Chunk, fn func(row int, v vnode.ID, key []byte)) {
	p.Places.Each(c, func(row int, v vnode.ID, key []byte) { fn(row, v, append(slices.Clone(key), 0)) })
}

// passes says whether a change of a key passes, of a range as it is when the change comes; reading: a range is being read.
type passes func(r backfill.RangeStatus, reading bool, key []byte) bool

// filtered passes changes on by a rule of its own, at once.
func filtered(pass passes) fault {
	return fault{actor: func(a *actor.Actor) {
		for i, n := range a.Nodes {
			if c, ok := n.Op.(*backfill.CatchUp); ok && c.Arrangement != nil {
				a.Nodes[i].Op = filter{c, pass}
			}
		}
	}}
}

type filter struct {
	*backfill.CatchUp
	pass passes
}

func (f filter) Chunk(_ int, c *chunk.Chunk, out stream.Out) error {
	ranges := map[vnode.ID]backfill.RangeStatus{}
	reading := false
	for _, r := range f.Report().(backfill.Status).Ranges {
		ranges[r.Vnode] = r
		reading = reading || r.Phase == backfill.Scanning
	}
	var rows []int32
	f.Arrangement.Places.Each(c, func(row int, v vnode.ID, key []byte) {
		if f.pass(ranges[v], reading, key) {
			rows = append(rows, int32(row))
		}
	})
	return out.Chunk(c.Project(f.Arrangement.Cols).Gather(rows))
}
