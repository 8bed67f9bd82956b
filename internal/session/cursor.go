package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// cursor is a query whose rows are fetched by statements of their own. It shows the epoch it was declared at. Rows before
// the current one are kept only for a SCROLL cursor.
type cursor struct {
	columns []Column
	text    string
	hold    bool // outlives the transaction
	scroll  bool
	result  Result
	ctx     context.Context
	cancel  context.CancelFunc
	ahead   []types.Row // read and not fetched
	behind  []types.Row // fetched, of a SCROLL cursor
	place   int64       // of the current row: 0 before the first, place(last)+1 after the last
	ended   bool        // result has no more rows
	follows *follower   // of a subscription cursor, in place of result
}

// declareCursor runs DECLARE. Outside of a transaction the cursor is held, as RisingWave has it.
func (s *Session) declareCursor(ctx context.Context, st *ast.DeclareCursor) (Result, error) {
	if _, ok := s.cursors[st.Name]; ok {
		return nil, errs.DuplicateCursor.New("name", st.Name)
	}
	if len(st.Subscription.Parts) > 0 {
		return s.declareFollower(ctx, st)
	}
	r, err := s.query(ctx, &Prepared{stmt: st.Query}, nil)
	if err != nil {
		return nil, err
	}
	c := &cursor{columns: r.Columns(), text: ast.Format(st), result: r,
		hold: !s.txn.open || slices.Contains(st.Options, "WITH HOLD"), scroll: slices.Contains(st.Options, "SCROLL")}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if s.ownWrites() != nil || c.hold && s.oneEpoch() { // later writes must not show; the transaction's view ends with it
		if err := c.readAll(ctx); err != nil {
			c.close()
			return nil, err
		}
	}
	s.cursors[st.Name] = c
	return done("DECLARE CURSOR"), nil
}

// Cursor returns the columns of an open cursor.
func (s *Session) Cursor(name string) ([]Column, bool) {
	c, ok := s.cursors[name]
	if !ok {
		return nil, false
	}
	return c.columns, true
}

func (s *Session) closeCursor(st *ast.CloseCursor) (Result, error) {
	if st.Name == "" {
		s.closeCursors(func(*cursor) bool { return true })
		return done("CLOSE CURSOR ALL"), nil
	}
	c, ok := s.cursors[st.Name]
	if !ok {
		return nil, errs.UndefinedCursor.New("name", st.Name)
	}
	c.close()
	delete(s.cursors, st.Name)
	return done("CLOSE CURSOR"), nil
}

// closeCursors closes those that are chosen.
func (s *Session) closeCursors(chosen func(*cursor) bool) {
	for name, c := range s.cursors {
		if chosen(c) {
			c.close()
			delete(s.cursors, name)
		}
	}
}

// endCursors closes the cursors of a transaction that ends.
func (s *Session) endCursors() { s.closeCursors(func(c *cursor) bool { return !c.hold }) }

// fetchCursor runs FETCH and MOVE.
func (s *Session) fetchCursor(ctx context.Context, st *ast.FetchCursor) (Result, error) {
	c, ok := s.cursors[st.Cursor]
	if !ok {
		return nil, errs.UndefinedCursor.New("name", st.Cursor)
	}
	if c.follows != nil {
		return s.fetchChanges(ctx, c, st)
	}
	rows, err := c.fetch(ctx, st)
	if err != nil {
		return nil, err
	}
	if st.Move {
		return done(fmt.Sprintf("MOVE %d", len(rows))), nil
	}
	return c.rows(rows), nil
}

// rows is the result of a FETCH.
func (c *cursor) rows(rows []types.Row) Result {
	ts := make([]types.T, len(c.columns))
	for i, col := range c.columns {
		ts[i] = col.Type
	}
	b := chunk.NewBuilder(ts, len(rows)+1)
	for _, r := range rows {
		b.Append(chunk.Insert, r)
	}
	return &rowsResult{columns: c.columns, rows: b.Take(), tag: Tag{Text: "FETCH", CountRows: true}}
}

// fetch moves the cursor and returns the rows it comes by, as PostgreSQL defines each direction.
func (c *cursor) fetch(ctx context.Context, st *ast.FetchCursor) ([]types.Row, error) {
	n := st.Count
	switch st.Direction {
	case "NEXT":
		return c.forward(ctx, 1, false)
	case "PRIOR":
		return c.backward(1, false)
	case "FORWARD":
		if n < 0 {
			return c.backward(-n, st.All)
		}
		return c.some(ctx, n, st.All)
	case "BACKWARD":
		if n < 0 {
			return c.some(ctx, -n, st.All)
		}
		return c.backward(n, st.All)
	case "FIRST":
		return c.to(ctx, 1)
	case "LAST":
		return c.fromEnd(ctx, 1)
	case "ABSOLUTE":
		if n < 0 {
			return c.fromEnd(ctx, -n)
		}
		return c.to(ctx, n)
	case "RELATIVE":
		return c.to(ctx, max(c.place+n, 0))
	}
	return nil, errs.Internal.New("what", "FETCH "+st.Direction)
}

// some is FORWARD n; FORWARD 0 is the current row again.
func (c *cursor) some(ctx context.Context, n int64, all bool) ([]types.Row, error) {
	if n == 0 && !all {
		return c.to(ctx, c.place)
	}
	return c.forward(ctx, n, all)
}

// forward returns the next n rows.
func (c *cursor) forward(ctx context.Context, n int64, all bool) (out []types.Row, err error) {
	for all || int64(len(out)) < n {
		row, err := c.next(ctx)
		if err != nil {
			return nil, err
		}
		if row == nil {
			break
		}
		out = append(out, row)
	}
	return out, nil
}

// next moves one row on; nil after the last.
func (c *cursor) next(ctx context.Context) (types.Row, error) {
	for len(c.ahead) == 0 && !c.ended {
		if err := c.read(ctx); err != nil {
			return nil, err
		}
	}
	if len(c.ahead) == 0 {
		if c.scroll && c.place == int64(len(c.behind)) {
			c.place++
		}
		return nil, nil
	}
	row := c.ahead[0]
	c.ahead = c.ahead[1:]
	c.place++
	if c.scroll {
		c.behind = append(c.behind, row)
	}
	return row, nil
}

// read takes the next rows of the query. The context of this FETCH ends the query, that of an earlier one does not.
func (c *cursor) read(ctx context.Context) error {
	stop := context.AfterFunc(ctx, c.cancel)
	defer stop()
	rows, err := c.result.Next(c.ctx)
	if err != nil {
		return err
	}
	if rows == nil {
		c.ended = true
		return nil
	}
	for i := range rows.Rows() {
		c.ahead = append(c.ahead, rows.Row(i))
	}
	return nil
}

// readAll takes all rows of the query.
func (c *cursor) readAll(ctx context.Context) error {
	for !c.ended {
		if err := c.read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// backward returns the n rows before the current one, the nearest first.
func (c *cursor) backward(n int64, all bool) (out []types.Row, err error) {
	if !c.scroll {
		if n == 0 && !all {
			return nil, nil
		}
		return nil, errs.CursorForward.New()
	}
	if n == 0 && !all {
		return c.current(), nil
	}
	for (all || int64(len(out)) < n) && c.place > 0 {
		c.step()
		out = append(out, c.current()...)
	}
	return out, nil
}

// step moves one row back.
func (c *cursor) step() {
	if at := int(c.place) - 1; at < len(c.behind) {
		c.ahead = append([]types.Row{c.behind[at]}, c.ahead...)
		c.behind = c.behind[:at]
	}
	c.place--
}

// current is the row that the cursor stands on, if it stands on one.
func (c *cursor) current() []types.Row {
	if c.place == 0 || int(c.place) > len(c.behind) {
		return nil
	}
	return c.behind[c.place-1 : c.place]
}

// to moves to the n-th row and returns it; row 0 is before the first.
func (c *cursor) to(ctx context.Context, n int64) ([]types.Row, error) {
	if n <= c.place && !c.scroll && (n < c.place || n > 0) {
		return nil, errs.CursorForward.New()
	}
	for c.place > n {
		c.step()
	}
	for c.place < n {
		row, err := c.next(ctx)
		if err != nil || row == nil {
			return nil, err
		}
		if c.place == n {
			return []types.Row{row}, nil
		}
	}
	return c.current(), nil
}

// fromEnd moves to the n-th row from the end.
func (c *cursor) fromEnd(ctx context.Context, n int64) ([]types.Row, error) {
	if !c.scroll {
		return nil, errs.CursorForward.New()
	}
	if _, err := c.forward(ctx, 0, true); err != nil {
		return nil, err
	}
	return c.to(ctx, max(int64(len(c.behind))-n+1, 0))
}

func (c *cursor) close() {
	if c.follows != nil {
		c.follows.close()
		return
	}
	c.cancel()
	c.result.Close()
}
