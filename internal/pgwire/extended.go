package pgwire

import (
	"context"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// parse answers Parse. It returns the context that the error, if any, is to be judged by.
func (c *connection) parse(body []byte) (context.Context, error) {
	ctx, done := c.begin()
	defer done()
	var m pgproto3.Parse
	if err := decode(&m, body); err != nil {
		return ctx, err
	}
	if len(m.Query) > c.cfg.StatementBytesMax {
		return ctx, c.tooLong(frame{kind: 'P', size: len(m.Query)})
	}
	if err := c.session.Prepare(ctx, m.Name, m.Query, m.ParameterOIDs); err != nil {
		return ctx, catalogued(ctx, err) // before done ends the context, which would look like a cancel
	}
	c.out.send(&pgproto3.ParseComplete{})
	return ctx, nil
}

// statement finds a prepared statement.
func (c *connection) statement(name string) (Statement, error) {
	if s, ok := c.session.Statement(name); ok {
		return s, nil
	}
	if name == "" {
		return nil, errs.NoUnnamedStatement.New()
	}
	return nil, errs.NoSuchStatement.New("name", name)
}

// describe answers Describe of a statement or portal.
func (c *connection) describe(body []byte) error {
	var m pgproto3.Describe
	if err := decode(&m, body); err != nil {
		return err
	}
	switch m.ObjectType {
	case 'S':
		s, err := c.statement(m.Name)
		if err != nil {
			return err
		}
		c.out.send(parameterDescription(s.ParamTypes()))
		c.describeRows(s.Columns(), nil)
		return nil
	case 'P':
		p, err := c.portal(m.Name)
		if err != nil {
			if cols, ok := c.session.Cursor(m.Name); ok {
				c.describeRows(cols, nil)
				return nil
			}
			return err
		}
		c.describeRows(p.stmt.Columns(), p.formats)
		return nil
	}
	return violation("invalid DESCRIBE message subtype %d", m.ObjectType)
}

func (c *connection) describeRows(cols []Column, formats []int16) {
	if cols == nil {
		c.out.send(&pgproto3.NoData{})
		return
	}
	c.out.send(rowDescription(cols, formats))
}

func parameterDescription(params []types.T) *pgproto3.ParameterDescription {
	oids := make([]uint32, len(params))
	for i, t := range params {
		oids[i] = types.OID(t)
	}
	return &pgproto3.ParameterDescription{ParameterOIDs: oids}
}

// closeNamed answers Close; to close what does not exist is no error.
func (c *connection) closeNamed(body []byte) error {
	var m pgproto3.Close
	if err := decode(&m, body); err != nil {
		return err
	}
	switch m.ObjectType {
	case 'S':
		c.session.Deallocate(m.Name)
	case 'P':
		c.closePortal(m.Name)
	default:
		return violation("invalid CLOSE message subtype %d", m.ObjectType)
	}
	c.out.send(&pgproto3.CloseComplete{})
	return nil
}

// execute answers Execute.
func (c *connection) execute(body []byte) (context.Context, error) {
	var m pgproto3.Execute
	if err := decode(&m, body); err != nil {
		return c.ctx, err
	}
	p, err := c.portal(m.Portal)
	if err != nil {
		return c.ctx, err
	}
	defer c.running(p.cancel)()
	before := c.session.TxStatus()
	if err := c.runPortal(p, int(m.MaxRows)); err != nil {
		return p.ctx, catalogued(p.ctx, err)
	}
	if before != 'I' && c.session.TxStatus() == 'I' {
		c.closePortals() // COMMIT and ROLLBACK end the portals of their transaction
	}
	return p.ctx, nil
}
