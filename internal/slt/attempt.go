package slt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// attempt runs a record once; nil means that it passed.
func (r *Runner) attempt(rec *Record) *Failure {
	switch rec.Kind {
	case Bad:
		return &Failure{Kind: "parse", Detail: rec.Arg}
	case System:
		return r.system(rec)
	case Restart:
		return r.restart()
	case Wait:
		if !r.opt.Labels["tidemark"] {
			return nil // the oracle has no background jobs
		}
		rec = &Record{Kind: Statement, SQL: "WAIT", Conn: rec.Conn}
	}
	sql, failure := r.text(rec)
	if sql == "" {
		return failure
	}
	c, err := r.session(rec.Conn)
	if err != nil {
		return &Failure{Kind: "connection", Detail: err.Error()}
	}
	ctx, stop := context.WithTimeout(context.Background(), r.opt.Timeout)
	defer stop()
	out, err := c.Run(ctx, sql)
	var e *SQLError
	if errors.As(err, &e) {
		return r.judgeError(rec, c, e)
	}
	return r.judgeOutput(rec, out)
}

// text is the record's SQL with its variables filled in. An empty text means that the record is decided: a failure of
// substitution may be the error that it wants.
func (r *Runner) text(rec *Record) (string, *Failure) {
	if !r.st.substitute {
		return rec.SQL, nil
	}
	sql, err := Substitute(rec.SQL, r.variable)
	if err == nil {
		return sql, nil
	}
	text := "substitution failed: " + err.Error()
	if rec.Want == WantError && rec.Err.Match(text, "") {
		return "", nil
	}
	return "", &Failure{Kind: "unexpected-error", Detail: text}
}

func (r *Runner) judgeError(rec *Record, c *Conn, e *SQLError) *Failure {
	switch {
	case e.Slow:
		return &Failure{Kind: "timeout", Detail: e.Text}
	case e.Lost:
		c.Close()
		return &Failure{Kind: "connection", Detail: e.Text}
	case rec.Kind == Let || rec.Want != WantError:
		return &Failure{Kind: "unexpected-error", Detail: e.Text}
	case rec.Err.Match(e.Text, e.State) || r.opt.AnyError:
		return nil
	}
	return &Failure{Kind: "wrong-error", Detail: "wanted " + rec.Err.String() + "\ngot " + e.Text + " (" + e.State + ")"}
}

func (r *Runner) judgeOutput(rec *Record, out Output) *Failure {
	switch {
	case rec.Kind == Let:
		if len(out.Rows) != 1 || len(out.Rows[0]) != len(rec.Vars) {
			return &Failure{Kind: "let", Detail: fmt.Sprintf("wanted 1 row of %d columns, got %d rows", len(rec.Vars), len(out.Rows))}
		}
		for i, v := range rec.Vars {
			r.vars[v] = out.Rows[0][i]
		}
	case rec.Want == WantError:
		return &Failure{Kind: "no-error", Detail: "wanted " + rec.Err.String()}
	case rec.Want == WantCount:
		n := out.Count
		if len(out.Rows) > 0 {
			n = uint64(len(out.Rows))
		}
		if n != rec.Count {
			return &Failure{Kind: "wrong-count", Detail: fmt.Sprintf("wanted %d, got %d", rec.Count, n)}
		}
	case rec.Want == WantRows:
		if ok, rows := sameRows(rec, r.st, out.Rows); !ok {
			return &Failure{Kind: "wrong-rows", Detail: diff(rec.Rows, render(rows))}
		}
	}
	return nil
}

// restart kills the server, when it is ours, and starts it again on the same data; sessions are new after it in any case.
func (r *Runner) restart() *Failure {
	for k := range r.conns {
		delete(r.conns, k) // they die with the server, a farewell would only wait
	}
	if r.server == nil {
		return nil
	}
	if err := r.server.restart(); err != nil {
		return &Failure{Kind: "restart", Detail: err.Error()}
	}
	return nil
}

// system runs a shell command. One that ends in & is started and left running.
func (r *Runner) system(rec *Record) *Failure {
	cmd := strings.TrimSpace(r.expand(rec.SQL))
	if background, ok := strings.CutSuffix(cmd, "&"); ok {
		c := exec.Command("bash", "-c", background)
		if err := c.Start(); err != nil {
			return &Failure{Kind: "system", Detail: err.Error()}
		}
		go c.Wait()
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), r.opt.Timeout)
	defer stop()
	c := exec.CommandContext(ctx, "bash", "-c", cmd)
	c.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		return &Failure{Kind: "system", Detail: err.Error() + "\n" + stdout.String() + stderr.String()}
	}
	if rec.Stdout != nil && *rec.Stdout != strings.TrimSpace(stdout.String()) {
		return &Failure{Kind: "system", Detail: "stdout differs\n" + diff([]string{*rec.Stdout}, []string{stdout.String()})}
	}
	return nil
}

// expand fills variables into a shell command; names that are none of ours are the shell's.
func (r *Runner) expand(cmd string) string {
	if !r.st.substitute {
		return cmd
	}
	for _, v := range []string{"__TEST_DIR__", "__NOW__", "__DATABASE__"} {
		if strings.Contains(cmd, "$"+v) {
			s, _ := r.variable(v)
			cmd = strings.ReplaceAll(cmd, "$"+v, s)
		}
	}
	for k, v := range r.vars {
		cmd = strings.ReplaceAll(cmd, "$"+k, v)
	}
	return cmd
}
