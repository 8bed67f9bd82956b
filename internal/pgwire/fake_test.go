package pgwire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// fakeSession understands a handful of one-line commands instead of SQL:
//
//	rows N           N rows (id int4, name text), every third name NULL
//	echo int4,text   one row of the parameters $1, $2 of those types
//	insert N         a statement without rows
//	fail, crash      an error of the catalogue, a panic
//	odd              an error that is in no catalogue
//	late             rows, then an error
//	wait             runs until it is cancelled
//	notice TEXT      a notice while it runs
//	set NAME VALUE   changes a setting
//	begin, commit, rollback
//	copyin [stop|fail], copyout N
//	copy from stdin  copyin, as clients want it who send data only where they see that COPY asks for it
type fakeSession struct {
	client   Client
	start    Startup
	status   byte
	stmts    map[string]*fakeStatement
	settings map[string]string
	version  uint64
	log      *fakeLog
}

// fakeLog is what a test wants to know of its sessions.
type fakeLog struct {
	waiting chan struct{} // receives when a wait has begun
	mu      sync.Mutex
	starts  []Startup
	copied  string
	rowsMax int // bounds the rows of one result, for inputs that nobody has chosen
	aborts  int
	syncs   int
	open    int // sessions and results not closed
}

func newFakeLog() *fakeLog { return &fakeLog{waiting: make(chan struct{}, 16)} }

func (l *fakeLog) add(open int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open += open
}

func (l *fakeLog) opened() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// session is a Config.NewSession.
func (l *fakeLog) session(_ context.Context, s Startup, c Client) (Session, error) {
	if s.Database == "missing" {
		return nil, errs.NoSuchJob.New("job", s.Database)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open++
	l.starts = append(l.starts, s)
	f := &fakeSession{client: c, start: s, status: 'I', log: l, stmts: map[string]*fakeStatement{}, settings: map[string]string{}}
	for _, set := range s.Settings {
		f.settings[set.Name] = set.Value
	}
	return f, nil
}

type fakeStatement struct {
	words  []string
	params []types.T
	cols   []Column
}

func (s *fakeStatement) ParamTypes() []types.T { return s.params }
func (s *fakeStatement) Columns() []Column     { return s.cols }

var fakeTypes = map[string]types.T{
	"int4": types.Int4, "int8": types.Int8, "text": types.Text, "bool": types.Bool, "float8": types.Float8,
	"numeric": types.Numeric, "timestamptz": types.Timestamptz, "bytea": types.Bytea,
}

func fakeParse(sql string) (*fakeStatement, error) {
	s := &fakeStatement{words: strings.Fields(strings.Replace(sql, "copy from stdin", "copyin", 1))}
	if strings.HasPrefix(sql, "--") {
		s.words = nil
	}
	if len(s.words) == 0 {
		return s, nil
	}
	if len(s.words) == 1 && strings.Contains(" rows late echo insert notice copyout ", " "+s.words[0]+" ") {
		return nil, errs.SyntaxAtEnd.New()
	}
	if len(s.words) < 3 && s.words[0] == "set" {
		return nil, errs.SyntaxAtEnd.New()
	}
	switch s.words[0] {
	case "rows", "late":
		s.cols = []Column{{Name: "id", Type: types.Int4, TableOID: 16384, Number: 1}, {Name: "name", Type: types.Text}}
	case "echo":
		for i, name := range strings.Split(s.words[1], ",") {
			t, ok := fakeTypes[name]
			if !ok {
				return nil, errs.UndefinedType.New("name", name).At(6)
			}
			s.params = append(s.params, t)
			s.cols = append(s.cols, Column{Name: "p" + strconv.Itoa(i+1), Type: t})
		}
	case "insert", "fail", "odd", "crash", "wait", "notice", "set", "begin", "commit", "rollback", "copyin", "copyout":
	default:
		return nil, errs.Syntax.New("token", s.words[0]).At(1)
	}
	return s, nil
}

func (f *fakeSession) Simple(ctx context.Context, sql string, send func(Result) error) error {
	for text := range strings.SplitSeq(sql, ";") {
		s, err := fakeParse(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		r, err := f.Execute(ctx, s, nil)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		if err := send(r); err != nil {
			return err
		}
	}
	return nil
}

func (f *fakeSession) Prepare(_ context.Context, name, sql string, _ []uint32) error {
	if _, ok := f.stmts[name]; ok && name != "" {
		return errs.DuplicateStatement.New("name", name)
	}
	s, err := fakeParse(sql)
	if err != nil {
		return err
	}
	f.stmts[name] = s
	return nil
}

func (f *fakeSession) Statement(name string) (Statement, bool) {
	s, ok := f.stmts[name]
	return s, ok
}

// Cursor knows one, as if an earlier statement had declared it.
func (f *fakeSession) Cursor(name string) ([]Column, bool) {
	return []Column{{Name: "n", Type: types.Int8}}, name == "declared"
}

func (f *fakeSession) Deallocate(name string) { delete(f.stmts, name) }

func (f *fakeSession) Execute(ctx context.Context, stmt Statement, params []types.Datum) (Result, error) {
	s := stmt.(*fakeStatement)
	if len(s.words) == 0 {
		return nil, nil
	}
	r := &fakeResult{f: f, s: s, tag: Tag{Text: strings.ToUpper(s.words[0])}}
	switch s.words[0] {
	case "rows", "late":
		r.left = f.count(s)
		r.tag = Tag{Text: "SELECT", CountRows: true}
	case "echo":
		if params == nil { // a simple query has none
			params = make([]types.Datum, len(s.params))
		}
		b := chunk.NewBuilder(s.params, 0)
		b.Append(chunk.Insert, params)
		r.chunks, r.tag = []*chunk.Chunk{b.Take()}, Tag{Text: "SELECT", CountRows: true}
	case "insert":
		r.tag.Text = "INSERT 0 " + s.words[1]
	case "fail":
		return nil, errs.JobNotReady.New("name", "v", "progress", "3 of 4 vnodes").At(8)
	case "odd":
		return nil, errors.New("a pipe burst")
	case "crash":
		panic("the fake session crashed")
	case "wait":
		select {
		case f.log.waiting <- struct{}{}:
		default: // nobody asks
		}
		<-ctx.Done()
		if len(s.words) > 1 {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("wait: %w", ctx.Err())
	case "notice":
		f.client.Notice(Notice{Message: strings.Join(s.words[1:], " ")})
	case "set":
		f.settings[s.words[1]] = s.words[2]
		f.version++
	case "begin":
		f.status = 'T'
	case "commit", "rollback":
		f.status = 'I'
	case "copyin":
		f.log.add(1)
		return &fakeCopyIn{fakeResult: r, mode: strings.Join(s.words[1:], "")}, nil
	case "copyout":
		f.log.add(1)
		r.left = f.count(s)
		return &fakeCopyOut{fakeResult: r}, nil
	}
	f.log.add(1)
	return r, nil
}

// count is the number after the command.
func (f *fakeSession) count(s *fakeStatement) int {
	n, _ := strconv.Atoi(s.words[1])
	if f.log.rowsMax > 0 {
		n = min(n, f.log.rowsMax)
	}
	return max(n, 0)
}

func (f *fakeSession) Sync(context.Context) error {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.log.syncs++
	return nil
}

func (f *fakeSession) Abort() {
	f.log.mu.Lock()
	defer f.log.mu.Unlock()
	f.log.aborts++
	if f.status == 'T' {
		f.status = 'E'
	}
}

func (f *fakeSession) TxStatus() byte { return f.status }

func (f *fakeSession) Setting(name string) (string, bool) {
	if name == "session_authorization" {
		return f.start.User, true
	}
	v, ok := f.settings[name]
	return v, ok
}

func (f *fakeSession) SettingsVersion() uint64 { return f.version }

func (f *fakeSession) StatementTimeout() time.Duration {
	d, _ := time.ParseDuration(f.settings["statement_timeout"]) // none set: 0
	return d
}

func (f *fakeSession) TextContext() types.Ctx { return types.Ctx{} }
func (f *fakeSession) Close()                 { f.log.add(-1) }

type fakeResult struct {
	f      *fakeSession
	s      *fakeStatement
	tag    Tag
	chunks []*chunk.Chunk
	row    int
	left   int
}

func (r *fakeResult) Columns() []Column { return r.s.cols }

func (r *fakeResult) Next(context.Context) (*chunk.Chunk, error) {
	if len(r.chunks) > 0 {
		c := r.chunks[0]
		r.chunks = r.chunks[1:]
		return c, nil
	}
	if r.left == 0 {
		if r.s.words[0] == "late" {
			return nil, errs.DivisionByZero.New()
		}
		return nil, nil
	}
	b := chunk.NewBuilder([]types.T{types.Int4, types.Text}, 0)
	for ; r.left > 0 && b.Len() < 4; r.left-- { // small chunks, so that limits fall inside of them and between
		r.row++
		name := types.NewBytes(fmt.Sprintf("row %d", r.row))
		if r.row%3 == 0 {
			name = types.Null
		}
		b.Append(chunk.Insert, types.Row{types.NewInt(int64(r.row)), name})
	}
	return b.Take(), nil
}

func (r *fakeResult) Finish(context.Context) (Tag, error) { return r.tag, nil }
func (r *fakeResult) Close()                              { r.f.log.add(-1) }

type fakeCopyIn struct {
	*fakeResult
	mode string
}

func (r *fakeCopyIn) CopyFormat() CopyFormat { return CopyFormat{Columns: 2} }

func (r *fakeCopyIn) CopyIn(_ context.Context, in io.Reader) error {
	var data strings.Builder
	defer func() {
		r.f.log.mu.Lock()
		defer r.f.log.mu.Unlock()
		r.f.log.copied = data.String()
	}()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		data.WriteString(lines.Text() + "\n")
		switch r.mode {
		case "stop":
			return nil
		case "fail":
			return errs.InvalidText.New("type", "integer", "value", lines.Text())
		}
	}
	r.tag.Text = "COPY " + strconv.Itoa(strings.Count(data.String(), "\n"))
	return lines.Err()
}

type fakeCopyOut struct{ *fakeResult }

func (r *fakeCopyOut) CopyFormat() CopyFormat { return CopyFormat{Columns: 2} }

func (r *fakeCopyOut) CopyOut(_ context.Context, w io.Writer) error {
	for i := range r.left {
		if _, err := fmt.Fprintf(w, "%d\trow %d\n", i+1, i+1); err != nil {
			return err
		}
	}
	r.tag.Text = "COPY " + strconv.Itoa(r.left)
	return nil
}
