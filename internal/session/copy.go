package session

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// copy runs COPY in text format.
func (s *Session) copy(ctx context.Context, st *ast.Copy) (Result, error) {
	if err := copyRefused(st); err != nil {
		return nil, err
	}
	f := textFormat{delimiter: '\t', null: `\N`}
	for _, o := range st.Options {
		switch strings.ToLower(o.Key) {
		case "format":
			if o.Value.Text != "text" {
				return nil, errs.Unsupported.New("feature", "COPY format "+o.Value.Text).At(int(o.Pos))
			}
		case "delimiter":
			if len(o.Value.Text) != 1 || strings.ContainsAny(o.Value.Text, "\r\n") {
				return nil, errs.CopyDelimiter.New().At(int(o.Pos))
			}
			f.delimiter = o.Value.Text[0]
		case "null":
			f.null = o.Value.Text
		default:
			return nil, errs.Unsupported.New("feature", "COPY option "+o.Key).At(int(o.Pos))
		}
	}
	if st.To {
		return s.copyTo(ctx, st, f)
	}
	rel, err := s.binder(nil).Relation(st.Table)
	if err != nil {
		return nil, err
	}
	if rel.Kind != catalog.KindTable {
		return nil, errs.WrongObject.New("what", "cannot copy to "+kindName(rel.Kind)+" \""+rel.Name+"\"").At(int(st.Table.Pos))
	}
	if err := s.access(rel, "INSERT"); err != nil {
		return nil, err
	}
	if err := s.d.refuseCaptured(rel); err != nil {
		return nil, err
	}
	cols := rel.Visible()
	if len(st.Columns) > 0 {
		if cols, err = s.binder(nil).Columns(rel, st.Columns); err != nil {
			return nil, err
		}
	}
	return &copyIn{s: s, rel: rel, cols: cols, format: f}, nil
}

// copyRefused is the error for a COPY that would do less than it says.
func copyRefused(st *ast.Copy) error {
	feature := ""
	_, query := st.Query.(*ast.Query)
	switch {
	case st.End == ast.CopyFile || st.End == ast.CopyProgram:
		feature = "COPY with a file or program of the server"
	case st.Where != nil:
		feature = "COPY with WHERE"
	case st.Query != nil && !query:
		feature = "COPY of a statement that is not a query"
	default:
		return nil
	}
	return errs.Unsupported.New("feature", feature).At(int(st.Pos))
}

// textFormat is COPY's text format.
type textFormat struct {
	delimiter byte
	null      string
}

func (s *Session) copyTo(ctx context.Context, st *ast.Copy, f textFormat) (Result, error) {
	q, ok := st.Query.(*ast.Query)
	if !ok {
		sel := &ast.Select{Pos: st.Pos, From: []ast.TableExpr{&ast.TableRef{Pos: st.Pos, Name: st.Table}}}
		if len(st.Columns) == 0 {
			sel.Items = []ast.SelectItem{{Expr: &ast.Star{Pos: st.Pos}}}
		}
		for _, c := range st.Columns {
			sel.Items = append(sel.Items, ast.SelectItem{Expr: &ast.ColumnRef{Pos: c.Pos, Parts: []string{c.Name}}})
		}
		q = &ast.Query{Pos: st.Pos, Body: sel}
	}
	r, err := s.query(ctx, &Prepared{stmt: q}, nil)
	if err != nil {
		return nil, err
	}
	return &copyOut{Result: r, s: s, format: f, cols: r.Columns()}, nil
}

// copyOut writes the rows of a query.
type copyOut struct {
	Result
	s      *Session
	format textFormat
	cols   []Column
	rows   int
}

func (c *copyOut) Columns() []Column { return nil }
func (c *copyOut) CopyColumns() int  { return len(c.cols) }

func (c *copyOut) CopyOut(ctx context.Context, w io.Writer) error {
	tc := c.s.TextContext()
	for {
		rows, err := c.Result.Next(ctx)
		if err != nil || rows == nil {
			return err
		}
		for i := range rows.Rows() {
			var line []byte
			for j, v := range rows.Cols {
				if j > 0 {
					line = append(line, c.format.delimiter)
				}
				if v.IsNull(i) {
					line = append(line, c.format.null...)
				} else {
					line = c.format.escape(line, types.Append(nil, c.cols[j].Type, v.Datum(i), tc))
				}
			}
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
			c.rows++
		}
	}
}

func (c *copyOut) Finish(ctx context.Context) (Tag, error) {
	return Tag{Text: fmt.Sprintf("COPY %d", c.rows)}, nil
}

func (f textFormat) escape(dst, value []byte) []byte {
	for _, b := range value {
		switch b {
		case '\\':
			dst = append(dst, '\\', '\\')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		case f.delimiter:
			dst = append(dst, '\\', b)
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

// copyIn reads rows into a table; all of them are one statement.
type copyIn struct {
	rowsResult
	s      *Session
	rel    *catalog.Relation
	cols   []int
	format textFormat
	rows   int
}

func (c *copyIn) CopyColumns() int { return len(c.cols) }

const (
	// copyLineMax bounds the line of one row.
	copyLineMax = 64 << 20
	// copyRowsMax is how many rows are parsed before they become changes of the transaction, which hold them in a third of
	// the memory.
	copyRowsMax = 32 * chunk.RowsMax
)

func (c *copyIn) CopyIn(ctx context.Context, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), copyLineMax)
	given := &plan.Given{}
	for _, k := range c.cols {
		given.Fields = append(given.Fields, types.Field{Name: c.rel.Columns[k].Name, Type: c.rel.Columns[k].Type})
	}
	rows := chunk.NewBuilder(types.FieldTypes(given.Fields), chunk.RowsMax)
	tc := c.s.TextContext()
	for in.Scan() {
		line := bytes.TrimSuffix(in.Bytes(), []byte("\r"))
		if string(line) == `\.` {
			break
		}
		row, err := c.parse(line, tc)
		if err != nil {
			return err
		}
		if rows.Append(chunk.Insert, row); rows.Full() {
			given.Chunks = append(given.Chunks, rows.Take())
		}
		if len(given.Chunks)*chunk.RowsMax >= copyRowsMax {
			if err := c.insert(ctx, given); err != nil {
				return err
			}
			given.Chunks = nil
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	if last := rows.Take(); last != nil {
		given.Chunks = append(given.Chunks, last)
	}
	return c.insert(ctx, given)
}

func (c *copyIn) insert(ctx context.Context, given *plan.Given) error {
	src, err := c.s.binder(nil).FullRows(given, c.rel, c.cols)
	if err != nil {
		return err
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

// parse reads one line.
func (c *copyIn) parse(line []byte, tc types.Ctx) (types.Row, error) {
	fields := c.format.split(line)
	if len(fields) > len(c.cols) {
		return nil, errs.CopyFormat.New("what", "extra data after last expected column")
	}
	if len(fields) < len(c.cols) {
		return nil, errs.CopyFormat.New("what", fmt.Sprintf("missing data for column \"%s\"", c.rel.Columns[c.cols[len(fields)]].Name))
	}
	out := make(types.Row, len(fields))
	for i, f := range fields {
		if f == nil {
			continue // NULL
		}
		var err error
		if out[i], err = types.Parse(c.rel.Columns[c.cols[i]].Type, string(f), tc); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// split cuts a line at delimiters and undoes escapes; nil is NULL.
func (f textFormat) split(line []byte) [][]byte {
	if bytes.IndexByte(line, '\\') < 0 {
		return f.splitPlain(line)
	}
	var out [][]byte
	cur, raw := []byte{}, []byte{}
	end := func() {
		if string(raw) == f.null {
			out = append(out, nil)
		} else {
			out = append(out, cur)
		}
		cur, raw = []byte{}, []byte{}
	}
	for i := 0; i < len(line); i++ {
		b := line[i]
		switch {
		case b == f.delimiter:
			end()
		case b == '\\' && i+1 < len(line):
			i++
			raw = append(raw, b, line[i])
			cur = append(cur, unescape(line[i]))
		default:
			raw, cur = append(raw, b), append(cur, b)
		}
	}
	end()
	return out
}

// splitPlain cuts a line without escapes: the fields are parts of it.
func (f textFormat) splitPlain(line []byte) [][]byte {
	out := bytes.Split(line, []byte{f.delimiter})
	for i, field := range out {
		switch {
		case string(field) == f.null:
			out[i] = nil
		case field == nil:
			out[i] = []byte{}
		}
	}
	return out
}

func unescape(b byte) byte {
	switch b {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'v':
		return '\v'
	}
	return b
}

func (c *copyIn) Finish(context.Context) (Tag, error) {
	return Tag{Text: fmt.Sprintf("COPY %d", c.rows)}, nil
}
