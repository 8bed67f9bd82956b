// Command duckdb is DuckDB as a server that `tidemark bench --duckdb` starts: it takes the arguments of `tidemark serve` and speaks
// as much of PostgreSQL's protocol as the benchmarks do, so that one client measures all systems.
//
//	duckdb serve --data DIR --listen 127.0.0.1:0
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// threads is what DuckDB may use: the benchmarks are for two cores.
const threads = 2

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until ctx ends. It tells its address as tidemark does, in a line with listen=.
func run(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] != "serve" {
		return errors.New("usage: duckdb serve --data DIR --listen ADDRESS")
	}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	dir := flags.String("data", ".", "folder of the database and of what a COPY brings")
	listen := flags.String("listen", "127.0.0.1:0", "address to listen at")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if err := os.MkdirAll(*dir, 0o700); err != nil {
		return err
	}
	db, err := open(filepath.Join(*dir, "duckdb.db"))
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", *listen)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	context.AfterFunc(ctx, func() { ln.Close() })
	fmt.Fprintf(os.Stderr, "duckdb listen=%s\n", ln.Addr())
	for {
		conn, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil {
				err = nil
			}
			return errors.Join(err, db.Close())
		}
		go func() {
			if err := serve(ctx, conn, db, *dir); err != nil && ctx.Err() == nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}()
	}
}
