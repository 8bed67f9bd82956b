package session

import (
	"context"
	"fmt"
	"io"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Column describes a result column.
type Column = types.Column

// Tag is what the client is told of a statement that has ended well.
type Tag struct {
	Text      string
	CountRows bool // add the number of rows sent, as in SELECT 3
}

// Result is one running statement.
type Result interface {
	Columns() []Column                              // nil: no rows
	Next(ctx context.Context) (*chunk.Chunk, error) // nil after the last
	Finish(ctx context.Context) (Tag, error)        // after the last row
	Close()
}

// CopyIn is a Result that reads the client's data.
type CopyIn interface {
	Result
	CopyColumns() int
	CopyBinary() bool // its data is not text
	CopyIn(ctx context.Context, r io.Reader) error
}

// CopyOut is a Result that writes data to the client.
type CopyOut interface {
	Result
	CopyColumns() int
	CopyBinary() bool // its data is not text
	CopyOut(ctx context.Context, w io.Writer) error
}

// Prepared is a statement with the types of its parameters and columns.
type Prepared struct {
	stmt    ast.Stmt // nil: empty
	text    string
	params  []types.T
	columns []Column
	planned *planned // of the last run, nil before; queries and DML only
}

// ParamTypes has the types of $1, $2, ...
func (p *Prepared) ParamTypes() []types.T { return p.params }

// Columns describes the rows, nil when there are none.
func (p *Prepared) Columns() []Column { return p.columns }

// done is the result of a statement without rows.
func done(tag string) Result { return &rowsResult{tag: Tag{Text: tag}} }

// table makes a result of rows of text columns.
func table(tag string, columns []Column, rows []types.Row) Result {
	ts := make([]types.T, len(columns))
	for i, c := range columns {
		ts[i] = c.Type
	}
	b := chunk.NewBuilder(ts, len(rows)+1)
	for _, r := range rows {
		b.Append(chunk.Insert, r)
	}
	return &rowsResult{columns: columns, rows: b.Take(), tag: Tag{Text: tag}}
}

// textColumns makes columns of type varchar.
func textColumns(names ...string) []Column {
	out := make([]Column, len(names))
	for i, n := range names {
		out[i] = Column{Name: n, Type: types.Varchar}
	}
	return out
}

func text(s string) types.Datum { return types.NewBytes(s) }

func sprintf(format string, args []any) string { return fmt.Sprintf(format, args...) }

// columnsOf describes columns, with the relations that they come from as far as they come from one.
func columnsOf(fields []types.Field, origins []plan.Origin) []Column {
	out := make([]Column, len(fields))
	for i, f := range fields {
		out[i] = Column{Name: f.Name, Type: f.Type}
		if f.Type.Kind == types.KindUnknown {
			out[i].Type = types.Text
		}
	}
	for i, o := range origins {
		if o.Rel != nil {
			out[i].TableOID, out[i].Number = uint32(o.Rel.ID), uint16(o.Col+1)
		}
	}
	return out
}
