package session

import (
	"context"
	"fmt"
	"io"

	"github.com/tidemark-db/tidemark/internal/copyfmt"
	"github.com/tidemark-db/tidemark/internal/types"
)

// copyOut writes the rows of a query.
type copyOut struct {
	Result
	s      *Session
	format copyfmt.Format
	cols   []Column
	names  []string
	rows   int
}

func (c *copyOut) Columns() []Column { return nil }
func (c *copyOut) CopyColumns() int  { return len(c.cols) }
func (c *copyOut) CopyBinary() bool  { return c.format.Kind == copyfmt.Binary }

func (c *copyOut) CopyOut(ctx context.Context, w io.Writer) error {
	tc := c.s.TextContext()
	values, line := []byte{}, c.format.Begin(nil, c.names) // used anew for each row; nil would be NULL
	if !c.CopyBinary() {                                   // the binary header shares a message with the first row: drivers look for both
		if err := writeSome(w, line); err != nil {
			return err
		}
		line = line[:0]
	}
	fields := make([][]byte, len(c.cols))
	for {
		rows, err := c.Result.Next(ctx)
		if err != nil {
			return err
		}
		if rows == nil {
			return writeSome(w, c.format.End(line))
		}
		for i := range rows.Rows() {
			values = values[:0]
			for j, v := range rows.Cols {
				if v.IsNull(i) {
					fields[j] = nil
					continue
				}
				at := len(values)
				if c.CopyBinary() {
					values = types.AppendBinary(values, c.cols[j].Type, v.Datum(i))
				} else {
					values = types.Append(values, c.cols[j].Type, v.Datum(i), tc)
				}
				fields[j] = values[at:len(values):len(values)]
			}
			line = c.format.Row(line, c.names, fields)
			if _, err := w.Write(line); err != nil {
				return err
			}
			line = line[:0]
			c.rows++
		}
	}
}

// writeSome writes data if there is any: each write is a message to the client.
func writeSome(w io.Writer, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	_, err := w.Write(data)
	return err
}

func (c *copyOut) Finish(context.Context) (Tag, error) {
	return Tag{Text: fmt.Sprintf("COPY %d", c.rows)}, nil
}
