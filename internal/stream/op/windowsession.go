package op

import (
	"sort"

	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// findSessions cuts the partition into sessions: a row begins a new one when it lies at least the frame's gap after the
// row before it. Rows whose value of the order column is NULL are a session of their own.
func (p *windowPart) findSessions(f *plan.Frame) error {
	p.sessions = append(p.sessions[:0], 0)
	order := p.Order[0]
	col := p.cols[order.Col]
	t := comparedAs(col.Type)
	for i := 1; i < p.n; i++ {
		if col.IsNull(i) && col.IsNull(i-1) {
			continue
		}
		if !col.IsNull(i) && !col.IsNull(i-1) {
			next, err := displace(col.Type, col.Datum(i-1), f.Start, order.Desc, p.Ctx)
			if err != nil {
				return err
			}
			c := types.Compare(t, comparable(col.Type, col.Datum(i)), next)
			if !order.Desc && c < 0 || order.Desc && c > 0 {
				continue
			}
		}
		p.sessions = append(p.sessions, i)
	}
	p.sessions = append(p.sessions, p.n)
	return nil
}

// sessionOf returns the rows of the session of row i.
func (p *windowPart) sessionOf(i int) (from, to int) {
	k := sort.SearchInts(p.sessions, i+1)
	return p.sessions[k-1], p.sessions[k]
}
