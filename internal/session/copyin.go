package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/copyfmt"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// copyIn reads rows into a table; all of them are one statement.
type copyIn struct {
	rowsResult
	s      *Session
	rel    *catalog.Relation
	cols   []int
	names  []string
	format copyfmt.Format
	where  expr.Expr // over rows of the table; nil: all are taken
	rows   int
}

func (c *copyIn) CopyColumns() int { return len(c.cols) }
func (c *copyIn) CopyBinary() bool { return c.format.Kind == copyfmt.Binary }

// copyRowsMax is how many rows, and copyBytesMax how many bytes of fields, are parsed before they become changes of the
// transaction, which hold them in a third of the memory.
const (
	copyRowsMax  = 32 * chunk.RowsMax
	copyBytesMax = 16 << 20
)

func (c *copyIn) CopyIn(ctx context.Context, r io.Reader) error {
	in := c.format.NewReader(r, c.names)
	given := &plan.Given{}
	for _, k := range c.cols {
		given.Fields = append(given.Fields, types.Field{Name: c.rel.Columns[k].Name, Type: c.rel.Columns[k].Type})
	}
	rows := chunk.NewBuilder(types.FieldTypes(given.Fields), chunk.RowsMax)
	tc := c.s.TextContext()
	flush := func() error {
		if last := rows.Take(); last != nil {
			given.Chunks = append(given.Chunks, last)
		}
		err := c.insert(ctx, given)
		given.Chunks = nil
		return err
	}
	for size := 0; ; {
		fields, err := in.Next()
		if errors.Is(err, io.EOF) {
			return flush()
		}
		if err != nil {
			return c.within(err, in.Where())
		}
		row, err := c.parse(in, fields, tc)
		if err != nil {
			return err
		}
		if rows.Append(chunk.Insert, row); rows.Full() {
			given.Chunks = append(given.Chunks, rows.Take())
		}
		for _, f := range fields {
			size += len(f)
		}
		if size >= copyBytesMax || len(given.Chunks)*chunk.RowsMax >= copyRowsMax {
			if err := flush(); err != nil {
				return err
			}
			size = 0
		}
	}
}

func (c *copyIn) insert(ctx context.Context, given *plan.Given) error {
	src, err := c.s.binder(nil).FullRows(given, c.rel, c.cols)
	if err != nil {
		return err
	}
	if c.where != nil {
		src = &plan.Filter{Input: src, Cond: c.where}
	}
	n := &plan.Insert{Rel: c.rel, Source: src}
	return c.s.d.seq.Exec(ctx, c.s.writes(), func(w *dml.Writer) error {
		var done written
		err := c.s.insert(ctx, n, w, &done)
		if err == nil {
			c.rows += done.count
		}
		return err
	})
}

// parse makes a row of fields.
func (c *copyIn) parse(in copyfmt.Reader, fields [][]byte, tc types.Ctx) (types.Row, error) {
	out := make(types.Row, len(fields))
	for i, f := range fields {
		if f == nil {
			continue // NULL
		}
		v, text, err := c.value(i, f, tc)
		if err != nil {
			return nil, c.within(err, fmt.Sprintf("line %d, column %s%s", in.Line(), c.names[i], text))
		}
		out[i] = v
	}
	return out, nil
}

// value makes a value of a field. With an error comes how the field reads, where that can be shown.
func (c *copyIn) value(i int, field []byte, tc types.Ctx) (v types.Datum, text string, err error) {
	t := c.rel.Columns[c.cols[i]].Type
	switch {
	case c.CopyBinary():
		v, err = types.ParseBinary(t, field)
		return v, "", err
	case !utf8.Valid(field) || bytes.IndexByte(field, 0) >= 0:
		return v, "", invalidBytes(field)
	}
	if v, err = types.Parse(t, string(field), tc); err != nil {
		text = fmt.Sprintf(": \"%s\"", copyfmt.Excerpt(field))
	}
	return v, text, err
}

// invalidBytes is the error for text that is not UTF-8 or has a zero byte.
func invalidBytes(b []byte) error {
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if c == 0 || c == utf8.RuneError && n == 1 {
			return errs.InvalidBytes.New("bytes", fmt.Sprintf("0x%02x", b[i]))
		}
		i += n
	}
	return nil
}

// within says where in the data an error was found.
func (c *copyIn) within(err error, where string) error {
	if e, ok := errs.As(err); ok && where != "" {
		e.Context = fmt.Sprintf("COPY %s, %s", c.rel.Name, where)
	}
	return err
}

func (c *copyIn) Finish(context.Context) (Tag, error) {
	return Tag{Text: fmt.Sprintf("COPY %d", c.rows)}, nil
}
