package session

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// copy runs COPY.
func (s *Session) copy(ctx context.Context, st *ast.Copy) (Result, error) {
	if err := copyRefused(st); err != nil {
		return nil, err
	}
	f, err := copyFormatOf(st)
	if err != nil {
		return nil, err
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
	in := &copyIn{s: s, rel: rel, cols: cols, format: f}
	if st.Where != nil {
		if in.where, err = s.binder(nil).CopyCondition(rel, st.Where); err != nil {
			return nil, err
		}
	}
	for _, k := range cols {
		in.names = append(in.names, rel.Columns[k].Name)
	}
	return in, in.format.known(in.names)
}

// copyRefused is the error for a COPY that would do less than it says.
func copyRefused(st *ast.Copy) error {
	feature := ""
	_, query := st.Query.(*ast.Query)
	switch {
	case st.End == ast.CopyFile || st.End == ast.CopyProgram:
		feature = "COPY with a file or program of the server"
	case st.Query != nil && !query:
		feature = "COPY of a statement that is not a query"
	default:
		return nil
	}
	return errs.Unsupported.New("feature", feature).At(int(st.Pos))
}

func (s *Session) copyTo(ctx context.Context, st *ast.Copy, f copyFormat) (Result, error) {
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
	out := &copyOut{Result: r, s: s, format: f, cols: r.Columns()}
	for _, c := range out.cols {
		out.names = append(out.names, c.Name)
	}
	if err := out.format.known(out.names); err != nil {
		r.Close()
		return nil, err
	}
	return out, nil
}

// copyOut writes the rows of a query.
type copyOut struct {
	Result
	s      *Session
	format copyFormat
	cols   []Column
	names  []string
	rows   int
}

func (c *copyOut) Columns() []Column { return nil }
func (c *copyOut) CopyColumns() int  { return len(c.cols) }

func (c *copyOut) CopyOut(ctx context.Context, w io.Writer) error {
	if c.format.header != headerNone {
		if _, err := w.Write(c.format.names(c.names)); err != nil {
			return err
		}
	}
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
					line = c.format.value(line, types.Append(nil, c.cols[j].Type, v.Datum(i), tc), c.format.forceQuote.has(c.names[j]), len(c.cols) == 1)
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

// copyIn reads rows into a table; all of them are one statement.
type copyIn struct {
	rowsResult
	s      *Session
	rel    *catalog.Relation
	cols   []int
	names  []string
	format copyFormat
	where  expr.Expr // over rows of the table; nil: all are taken
	line   int       // of the input that was read last
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
	in.Split(c.format.records)
	given := &plan.Given{}
	for _, k := range c.cols {
		given.Fields = append(given.Fields, types.Field{Name: c.rel.Columns[k].Name, Type: c.rel.Columns[k].Type})
	}
	rows := chunk.NewBuilder(types.FieldTypes(given.Fields), chunk.RowsMax)
	tc := c.s.TextContext()
	for in.Scan() {
		line := in.Bytes()
		if string(line) == `\.` {
			break
		}
		first := c.line == 0
		c.line += 1 + bytes.Count(line, []byte{'\n'})
		if first && c.format.header != headerNone {
			if err := c.header(line); err != nil {
				return err
			}
			continue
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

// header reads the first line where it has the names of the columns.
func (c *copyIn) header(line []byte) error {
	if c.format.header != headerMatch {
		return nil
	}
	fields, err := c.format.split(line, nil)
	if err != nil {
		return c.at(err, line)
	}
	if len(fields) != len(c.names) {
		return c.at(errs.CopyFormat.New("what", fmt.Sprintf("wrong number of fields in header line: got %d, expected %d", len(fields), len(c.names))), line)
	}
	for i, f := range fields {
		switch {
		case f == nil:
			return c.at(errs.CopyFormat.New("what", fmt.Sprintf("column name mismatch in header line field %d: got null value (\"%s\"), expected \"%s\"", i+1, c.format.null, c.names[i])), line)
		case string(f) != c.names[i]:
			return c.at(errs.CopyFormat.New("what", fmt.Sprintf("column name mismatch in header line field %d: got \"%s\", expected \"%s\"", i+1, f, c.names[i])), line)
		}
	}
	return nil
}

// parse reads one line.
func (c *copyIn) parse(line []byte, tc types.Ctx) (types.Row, error) {
	fields, err := c.format.split(line, c.names)
	switch {
	case err != nil:
		return nil, c.at(err, line)
	case len(fields) > len(c.cols):
		return nil, c.at(errs.CopyFormat.New("what", "extra data after last expected column"), line)
	case len(fields) < len(c.cols):
		return nil, c.at(errs.CopyFormat.New("what", fmt.Sprintf("missing data for column \"%s\"", c.names[len(fields)])), line)
	}
	out := make(types.Row, len(fields))
	for i, f := range fields {
		if f == nil {
			continue // NULL
		}
		if !utf8.Valid(f) || bytes.IndexByte(f, 0) >= 0 {
			return nil, c.within(invalidBytes(f), fmt.Sprintf(", column %s", c.names[i]))
		}
		if out[i], err = types.Parse(c.rel.Columns[c.cols[i]].Type, string(f), tc); err != nil {
			return nil, c.within(err, fmt.Sprintf(", column %s: \"%s\"", c.names[i], excerpt(f)))
		}
	}
	return out, nil
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

// at says in which line an error was found.
func (c *copyIn) at(err error, line []byte) error {
	return c.within(err, ": \""+excerpt(line)+"\"")
}

func (c *copyIn) within(err error, where string) error {
	if e, ok := errs.As(err); ok {
		e.Context = fmt.Sprintf("COPY %s, line %d%s", c.rel.Name, c.line, where)
	}
	return err
}

// excerptMax is how much of a line an error shows.
const excerptMax = 100

func excerpt(b []byte) string {
	if len(b) <= excerptMax {
		return string(b)
	}
	return strings.ToValidUTF8(string(b[:excerptMax]), "") + "..."
}

func (c *copyIn) Finish(context.Context) (Tag, error) {
	return Tag{Text: fmt.Sprintf("COPY %d", c.rows)}, nil
}
