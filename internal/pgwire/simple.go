package pgwire

import (
	"context"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/types"
)

// simple answers a Query message: all statements of its text, then ReadyForQuery whatever happened.
func (c *connection) simple(m frame) error {
	ctx, done := c.begin()
	defer done()
	if err := c.runSimple(ctx, m); err != nil {
		if err := c.fail(ctx, err); err != nil {
			return err
		}
	}
	if c.session.TxStatus() == 'I' {
		c.closePortals()
	}
	return c.ready()
}

// runSimple runs the text; its error is the client's.
func (c *connection) runSimple(ctx context.Context, m frame) error {
	if m.cut {
		return c.tooLong(m)
	}
	var q pgproto3.Query
	if err := decode(&q, m.body); err != nil {
		return err
	}
	c.session.Deallocate("") // a simple query ends the unnamed statement and portal
	c.closePortal("")
	results := 0
	err := c.session.Simple(ctx, q.String, func(r Result) error {
		results++
		return c.stream(ctx, r)
	})
	if err != nil {
		return err
	}
	if results == 0 {
		c.out.send(&pgproto3.EmptyQueryResponse{})
	}
	return c.out.err
}

// stream sends a whole result in text format and finishes it.
func (c *connection) stream(ctx context.Context, r Result) error {
	defer r.Close()
	sent, err := c.streamRows(ctx, r)
	if err != nil {
		return err
	}
	tag, err := r.Finish(ctx)
	if err != nil {
		return err
	}
	c.complete(tag, sent)
	return c.out.err
}

func (c *connection) streamRows(ctx context.Context, r Result) (sent int, err error) {
	switch cp := r.(type) {
	case CopyIn:
		return 0, c.copyIn(ctx, cp)
	case CopyOut:
		return 0, c.copyOut(ctx, cp)
	}
	cols := r.Columns()
	if cols == nil {
		return 0, nil
	}
	c.out.send(rowDescription(cols, nil))
	rows := newRowEncoder(cols, nil, c.session.TextContext())
	for {
		ch, err := r.Next(ctx)
		if err != nil || ch == nil {
			return sent, err
		}
		if err := c.sendRows(rows, ch, 0, ch.Rows()); err != nil {
			return sent, err
		}
		sent += ch.Rows()
	}
}

// complete says that a statement is done.
func (c *connection) complete(tag Tag, sent int) {
	c.out.send(&pgproto3.CommandComplete{CommandTag: tag.append(nil, sent)})
}

// rowDescription describes columns; formats are those of resultFormats, nil for text.
func rowDescription(cols []Column, formats []int16) *pgproto3.RowDescription {
	fields := make([]pgproto3.FieldDescription, len(cols))
	for i, col := range cols {
		fields[i] = pgproto3.FieldDescription{
			Name:                 []byte(clean(col.Name)),
			TableOID:             col.TableOID,
			TableAttributeNumber: col.Number,
			DataTypeOID:          types.OID(col.Type),
			DataTypeSize:         types.Size(col.Type),
			TypeModifier:         types.Typmod(col.Type),
			Format:               formatAt(formats, i),
		}
	}
	return &pgproto3.RowDescription{Fields: fields}
}
