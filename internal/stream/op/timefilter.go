package op

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// TimeFilterConfig is what a TimeFilter is made of; see plan.TimeFilter. Bounds and keys are dates or timestamps.
type TimeFilterConfig struct {
	Types  []types.T
	Bounds []expr.Expr
	Keys   []expr.Expr
	Cond   expr.Expr // over the columns, then the bounds
	Ctx    *expr.Ctx
	Vnodes int
	Owned  vnode.Set // none in a query: everything lies in vnode 0
	Dist   []int     // columns that choose the vnode
	State  *state.Table
}

// TimeFilter passes the rows whose condition is true at the time of the barrier, and takes them back when that ends.
//
// What is true of a row is settled once its keys are below their bounds, since bounds only grow. Until then, and only until
// then, the row is kept, once for each key that is not yet below:
//
//	number of the key, key, compact row -> count
//	timeBounds                          -> the bounds at which the vnode was looked at last
//
// So a barrier reads what the bounds have reached and nothing else. The bounds of a vnode are stored with every change of
// its rows; what was true of its rows when they were last looked at is therefore known after a crash, whatever the clock
// says then. A clock that goes back stands still.
type TimeFilter struct {
	stream.NoWatermark
	TimeFilterConfig
	places []timePlace     // by vnode
	rows   *state.Multimap // by vnode: rows to look at, with the change of their count in the row's word
	hashes []uint64
	buf    []byte
}

// timePlace is what is known of one vnode.
type timePlace struct {
	read   bool
	bounds []int64 // nil: no row was ever looked at
	next   []int64 // by key: no row is stored with a smaller one
}

// timeBounds begins the key of the record of a vnode's bounds; there are never as many keys.
const timeBounds = math.MaxUint8

// NewTimeFilter returns a filter without rows.
func NewTimeFilter(c TimeFilterConfig) *TimeFilter {
	return &TimeFilter{TimeFilterConfig: c, places: make([]timePlace, max(c.Vnodes, 1)), rows: state.NewMultimap()}
}

// Chunk collects the changes.
func (t *TimeFilter) Chunk(_ int, c *chunk.Chunk, _ stream.Out) error {
	t.hashes = sized(t.hashes, c.Rows())
	if len(t.places) > 1 {
		vnode.Hash(c.Project(t.Dist).Cols, t.hashes)
	}
	for i := range c.Rows() {
		v := vnode.ID(0)
		if len(t.places) > 1 {
			v = vnode.Of(t.hashes[i], t.Vnodes)
		}
		t.buf = keyenc.AppendRow(t.buf[:0], c.Cols, i)
		t.look(v, t.buf, int32(c.Op(i)))
	}
	return nil
}

// look notes a row that is to be looked at, because it changed or because of the time.
func (t *TimeFilter) look(v vnode.ID, row []byte, change int32) {
	r, _ := t.rows.Add(int32(v), row, 1)
	t.rows.SetWord(r, t.rows.Word(r)+change)
}

// Pending implements stream.Pending.
func (t *TimeFilter) Pending() int { return t.rows.Size() }

// Unstaged implements stream.Unstaged.
func (t *TimeFilter) Unstaged() int { return t.rows.Used() }

// Shrink implements stream.Pending.
func (t *TimeFilter) Shrink() { t.rows = state.NewMultimap() }

// Barrier moves the bounds and emits what that and the changes come to.
func (t *TimeFilter) Barrier(b stream.Barrier, out stream.Out) error {
	tick(t.Ctx, b)
	now, err := t.now()
	if err != nil {
		return err
	}
	e := newEmitter(t.Types, out)
	for v := range t.places {
		if t.Owned.Len() > 0 && !t.Owned.Contains(vnode.ID(v)) {
			continue
		}
		if err := t.advance(vnode.ID(v), now, e); err != nil {
			return err
		}
	}
	t.rows.Reset()
	return e.flush()
}

// now evaluates the bounds.
func (t *TimeFilter) now() ([]int64, error) {
	one := chunk.New(nil, nil, 1)
	out := make([]int64, len(t.Bounds))
	for i, e := range t.Bounds {
		v, err := e.Eval(t.Ctx, one, nil)
		if err != nil {
			return nil, err
		}
		if v.IsNull(0) {
			out[i] = math.MinInt64 // a watermark that no row has moved
			continue
		}
		out[i] = v.Ints[0]
	}
	return out, nil
}

// advance looks at the rows of a vnode that changed or that a bound has reached.
func (t *TimeFilter) advance(v vnode.ID, now []int64, e *emitter) error {
	p := &t.places[v]
	if !p.read {
		if err := t.recall(v, p); err != nil {
			return err
		}
	}
	is := make([]int64, len(now))
	for i := range now {
		is[i] = now[i]
		if p.bounds != nil {
			is[i] = max(now[i], p.bounds[i])
		}
		if p.bounds == nil || is[i] > p.bounds[i] {
			if err := t.reached(v, p, i, is[i]); err != nil {
				return err
			}
		}
	}
	if t.rows.First(int32(v)) < 0 {
		return nil
	}
	s := settling{t: t, v: v, place: p, was: p.bounds, is: is, out: e}
	if s.was == nil {
		s.was = is
	}
	if err := s.all(); err != nil {
		return err
	}
	p.bounds = is
	t.remember(v, is)
	return nil
}

// recall reads the bounds of a vnode.
func (t *TimeFilter) recall(v vnode.ID, p *timePlace) error {
	p.read, p.next = true, make([]int64, len(t.Keys))
	for i := range p.next {
		p.next[i] = math.MinInt64
	}
	value, ok, err := t.State.Get(v, []byte{timeBounds})
	if err != nil || !ok {
		return err
	}
	for range t.Bounds {
		x, n := binary.Varint(value)
		if n <= 0 {
			return errs.RowCorrupt.New("what", "bounds of a filter by time")
		}
		p.bounds, value = append(p.bounds, x), value[n:]
	}
	return nil
}

func (t *TimeFilter) remember(v vnode.ID, bounds []int64) {
	var value []byte
	for _, x := range bounds {
		value = binary.AppendVarint(value, x)
	}
	t.State.Put(v, []byte{timeBounds}, nil, value)
}

// reached notes the rows of a vnode whose key a bound has reached.
func (t *TimeFilter) reached(v vnode.ID, p *timePlace, key int, bound int64) error {
	if p.next[key] > bound {
		return nil
	}
	p.next[key] = math.MaxInt64
	it := t.State.Scan(v, []byte{byte(key)})
	var err error
	for it.Next() {
		var d types.Datum
		var row []byte
		if d, row, err = keyenc.DecodeKey(t.Keys[key].Type(), it.Key()[1:], keyenc.Order{}); err != nil {
			break
		}
		if d.Int() > bound {
			p.next[key] = d.Int()
			break
		}
		t.look(v, row, 0)
	}
	if closed := it.Close(); err == nil {
		err = closed
	}
	return err
}
