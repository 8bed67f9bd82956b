package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/cobra"
)

const defaultDSN = "postgres://root@127.0.0.1:4566/dev"

func sqlCommand() *cobra.Command {
	var o sqlOptions
	cmd := &cobra.Command{Use: "sql", Short: "Run SQL on a server or on a directory", Args: cobra.NoArgs,
		Long: `Run the statements of -c, or of standard input, one after the other, each in a transaction of its own unless BEGIN is
used. On a terminal it prompts for statements, goes on after errors, and Ctrl-C cancels the one that runs; otherwise the
first error ends it.

--dsn connects to a server (the variables PGHOST, PGPASSWORD and their like count, too); --data opens the directory of a
server that does not run. --json prints one object for each statement, and an error as an object on standard error.

` + exitCodes,
		Example: `  tidemark sql -c 'SELECT 1'
  tidemark sql --data /var/lib/tidemark --json -c 'SHOW JOBS'
  tidemark sql --dsn postgres://ann@db.example.com:4566/dev < schema.sql`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) }}
	f := cmd.Flags()
	f.StringArrayVarP(&o.commands, "command", "c", nil, "statements to run; may be given several times")
	f.StringVar(&o.dsn, "dsn", defaultDSN, "URL or key=value string of a server")
	f.StringVar(&o.data, "data", "", "directory to open instead of connecting to a server")
	f.BoolVar(&o.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("dsn", "data")
	return cmd
}

type sqlOptions struct {
	commands  []string
	dsn, data string
	json      bool
}

func (o sqlOptions) run(cmd *cobra.Command) (err error) {
	var p printer = textPrinter{cmd.OutOrStdout(), cmd.ErrOrStderr()}
	if o.json {
		p = jsonPrinter{cmd.OutOrStdout(), cmd.ErrOrStderr()}
	}
	c, err := connect(cmd.Context(), o, p.notice)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	s := sqlRun{client: c, printer: p}
	if len(o.commands) > 0 {
		for _, text := range o.commands {
			if err := s.script(cmd.Context(), text); err != nil {
				return err
			}
		}
		return nil
	}
	if f, ok := cmd.InOrStdin().(*os.File); ok && terminal(f) {
		return s.prompt(cmd.Context(), f, cmd.OutOrStdout())
	}
	text, err := io.ReadAll(cmd.InOrStdin())
	if err != nil {
		return err
	}
	return s.script(cmd.Context(), string(text))
}

func terminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// sqlRun runs statements and prints what comes of them.
type sqlRun struct {
	client  *client
	printer printer
}

// script runs the statements of a text up to the first error.
func (s sqlRun) script(ctx context.Context, text string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	all, rest := statements(text)
	if !blank(rest) {
		all = append(all, strings.TrimSpace(rest))
	}
	for _, sql := range all {
		if err := s.one(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// one runs a statement. An error of SQL is printed; errReported tells the caller so.
func (s sqlRun) one(ctx context.Context, sql string) error {
	err := s.client.run(ctx, sql, s.printer.result)
	var e *pgconn.PgError
	if errors.As(err, &e) {
		s.printer.failure(sql, e)
		return errReported
	}
	return err
}

// prompt reads statements from a terminal until its end.
func (s sqlRun) prompt(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	pending := ""
	for fmt.Fprint(out, promptOf(pending)); lines.Scan(); fmt.Fprint(out, promptOf(pending)) {
		if line := lines.Text(); blank(pending) && (line == "exit" || line == "quit" || line == `\q`) {
			return nil
		}
		all, rest := statements(pending + lines.Text() + "\n")
		pending = rest
		for _, sql := range all {
			err := s.interruptible(ctx, sql)
			if err != nil && !errors.Is(err, errReported) {
				return err
			}
		}
	}
	fmt.Fprintln(out)
	return lines.Err()
}

// interruptible is one with Ctrl-C for its end.
func (s sqlRun) interruptible(ctx context.Context, sql string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	return s.one(ctx, sql)
}

func promptOf(pending string) string {
	if blank(pending) {
		return "tidemark=> "
	}
	return "tidemark-> "
}
