package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark/internal/bench"
	"github.com/tidemark-db/tidemark/internal/pgserver"
)

// benchOptions are the flags of the command.
type benchOptions struct {
	bench.Options
	postgres string
	duckdb   string
	data     string
	json     bool
	rivals   []string
}

func benchCommand() *cobra.Command {
	var o benchOptions
	cmd := &cobra.Command{Use: "bench", Short: "Measure this program against PostgreSQL and DuckDB on this machine", Args: cobra.NoArgs,
		Long: `Measure this program against PostgreSQL on this machine, in turns.

A server of this program and a PostgreSQL 15 are started with empty stores, loaded with the same rows, and asked the same.
Results are compared before a figure is printed, and each figure is told on standard error when it is there. Workloads: ` + strings.Join(bench.Workloads, ", ") + `.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			o.Nexmark.Told = func(c bench.Contest) { fmt.Fprintln(cmd.ErrOrStderr(), c) }
			o.Told = func(f bench.Figure) { fmt.Fprintln(cmd.ErrOrStderr(), f) }
			return o.run(ctx, cmd.OutOrStdout())
		}}
	f := cmd.Flags()
	f.StringSliceVar(&o.Only, "workload", nil, "what to measure, several separated by commas; default: all")
	f.IntVar(&o.Rows, "rows", 100_000, "rows of the large table")
	f.IntVar(&o.Runs, "runs", 3, "runs of each backfill and system, in turns")
	f.IntVar(&o.Lookups, "lookups", 1000, "look-ups of a connection in a round")
	f.IntVar(&o.Writes, "writes", 1000, "one-row statements of each kind")
	f.IntVar(&o.Nexmark.Events, "events", 100_000, "events of Nexmark")
	f.StringSliceVar(&o.Nexmark.Queries, "queries", nil, "of Nexmark, as q0,q4; default: all that there are")
	f.StringArrayVar(&o.rivals, "rival", nil, "another system for Nexmark as NAME=COMMAND, see bench/README.md; may be repeated")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.postgres, "postgres", "", "address of a PostgreSQL that runs, as postgres://...; default: one is started")
	f.StringVar(&o.duckdb, "duckdb", "", "program that bench/duckdb builds, for B1 to B4; default: they are not compared with DuckDB")
	f.StringVar(&o.data, "data", "", "directory for the store; default: a temporary one")
	return cmd
}

// run starts both systems, measures, and ends them.
func (o benchOptions) run(ctx context.Context, w io.Writer) (err error) {
	for _, text := range o.rivals {
		r, err := bench.ParseRival(text)
		if err != nil {
			return err
		}
		o.Nexmark.Rivals = append(o.Nexmark.Rivals, r)
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Directory, err = os.MkdirTemp(o.data, "tidemark-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Directory)) }()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	o.Program = program
	subject, stop, err := bench.Program{Path: program, Directory: filepath.Join(o.Directory, "store")}.Serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	peer, closePeer, err := o.peer()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closePeer()) }()
	batch, stopBatch, err := o.batch(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopBatch()) }()
	r, err := bench.Run(ctx, bench.Field{Subject: subject, Peer: peer, Batch: batch}, o.Options)
	if err != nil {
		return err
	}
	r.Command = strings.Join(os.Args, " ")
	if o.json {
		return r.JSON(w)
	}
	r.Table(w)
	return nil
}

// peer is the PostgreSQL that runs already, or one started for the command.
func (o benchOptions) peer() (bench.System, func() error, error) {
	if o.postgres != "" {
		return bench.System{Name: "postgres", DSN: o.postgres}, func() error { return nil }, nil
	}
	s, err := pgserver.Open(pgserver.Options{Durable: true, Settings: bench.PeerSettings()})
	if err != nil {
		return bench.System{}, nil, err
	}
	return bench.System{Name: "postgres", DSN: s.DSN(), Process: bench.Process(s.PID())}, s.Close, nil
}

// batch is DuckDB, or no system where it is not asked for.
func (o benchOptions) batch(ctx context.Context) (bench.System, func() error, error) {
	if o.duckdb == "" {
		return bench.System{}, func() error { return nil }, nil
	}
	return bench.Program{Name: "duckdb", Path: o.duckdb, Directory: filepath.Join(o.Directory, "duckdb")}.Serve(ctx)
}
