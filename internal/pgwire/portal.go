package pgwire

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// portal is a bound statement and how far its rows have been sent. It lives until it is closed, an error occurs or its
// transaction ends.
type portal struct {
	name    string
	stmt    Statement
	params  []types.Datum
	formats []int16 // of the result's columns: none, one for all, or one each
	ctx     context.Context
	cancel  context.CancelCauseFunc

	started bool
	done    bool // all rows were sent and the statement was finished with tag
	tag     Tag
	result  Result // nil until started, and for an empty statement
	rows    *rowEncoder
	cur     *chunk.Chunk // rows that were fetched and not all sent
	next    int          // the first row of cur that is not sent
}

// portal finds an open portal.
func (c *connection) portal(name string) (*portal, error) {
	if p, ok := c.portals[name]; ok {
		return p, nil
	}
	return nil, errs.NoSuchPortal.New("name", name)
}

// openPortal registers a portal; the unnamed one replaces its predecessor.
func (c *connection) openPortal(p *portal) error {
	if p.name == "" {
		c.closePortal("")
	}
	if _, ok := c.portals[p.name]; ok {
		return errs.DuplicatePortal.New("name", p.name)
	}
	if len(c.portals) >= portalsMax {
		return errs.PortalLimit.New("limit", portalsMax)
	}
	p.ctx, p.cancel = context.WithCancelCause(c.ctx)
	c.portals[p.name] = p
	return nil
}

func (c *connection) closePortal(name string) {
	p, ok := c.portals[name]
	if !ok {
		return
	}
	delete(c.portals, name)
	if p.result != nil {
		p.result.Close()
	}
	p.cancel(nil)
}

func (c *connection) closePortals() {
	for _, name := range slices.Sorted(maps.Keys(c.portals)) {
		c.closePortal(name)
	}
}

// runPortal sends up to most rows, all when most is 0 or less.
func (c *connection) runPortal(p *portal, most int) error {
	if !p.started {
		if err := c.startPortal(p); err != nil {
			return err
		}
	}
	switch {
	case p.result == nil:
		c.out.send(&pgproto3.EmptyQueryResponse{})
		return nil
	case p.done && p.rows == nil:
		return errs.PortalDone.New("name", p.name)
	case p.done:
		c.complete(p.tag, 0)
		return nil
	}
	sent, suspended, err := c.sendPortal(p, most)
	if err != nil {
		return err
	}
	if suspended {
		c.out.send(&pgproto3.PortalSuspended{})
		return nil
	}
	p.done = true
	if p.tag, err = p.result.Finish(p.ctx); err != nil {
		return err
	}
	c.complete(p.tag, sent)
	return nil
}

// startPortal starts the statement.
func (c *connection) startPortal(p *portal) error {
	p.started = true
	r, err := c.session.Execute(p.ctx, p.stmt, p.params)
	if err != nil {
		return err
	}
	p.result = r
	if r == nil {
		return nil
	}
	if cols := r.Columns(); cols != nil {
		p.rows = newRowEncoder(cols, p.formats, c.session.TextContext())
	}
	return nil
}

// sendPortal sends rows; suspended is true when the limit was reached, whether or not there are more.
func (c *connection) sendPortal(p *portal, most int) (sent int, suspended bool, err error) {
	switch cp := p.result.(type) {
	case CopyIn:
		return 0, false, c.copyIn(p.ctx, cp)
	case CopyOut:
		return 0, false, c.copyOut(p.ctx, cp)
	}
	for p.rows != nil {
		if p.cur == nil || p.next == p.cur.Rows() {
			p.next = 0
			if p.cur, err = p.result.Next(p.ctx); err != nil || p.cur == nil {
				return sent, false, err
			}
		}
		to := p.cur.Rows()
		if most > 0 {
			to = min(to, p.next+most-sent)
		}
		if err := c.sendRows(p.rows, p.cur, p.next, to); err != nil {
			return sent, false, err
		}
		sent, p.next = sent+to-p.next, to
		if most > 0 && sent == most {
			return sent, true, nil
		}
	}
	return sent, false, nil
}
