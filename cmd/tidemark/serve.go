package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/settings"
)

func serveCommand() *cobra.Command {
	reg := settings.NewRegistry()
	cmd := &cobra.Command{Use: "serve", Short: "Run the server", Args: cobra.NoArgs,
		Long: `Run the server until it is told to stop by SIGINT or SIGTERM.

A setting comes from the first of: its flag, TIDEMARK_NAME in the environment, the file named by --config or
TIDEMARK_CONFIG (TOML, name = "value"), the default. Settings of sessions may be given in the environment and the file,
too. Without --data everything is kept in memory.`}
	values := serverFlags(cmd, reg)
	config := cmd.Flags().String("config", "", "TOML file with settings")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		given := map[string]string{}
		for name, v := range values {
			if cmd.Flags().Changed(v.flag) {
				given[name] = *v.text
			}
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return serve(ctx, tidemark.Options{Settings: given, Environ: os.LookupEnv, ConfigFile: *config, Dedicated: true, LogOutput: cmd.ErrOrStderr()})
	}
	return cmd
}

// flagValue is a setting as a flag.
type flagValue struct {
	flag string
	text *string
}

// serverFlags makes a flag of every setting of the server.
func serverFlags(cmd *cobra.Command, reg *settings.Registry) map[string]flagValue {
	out := map[string]flagValue{}
	for _, d := range reg.All() {
		if d.Scope == settings.ScopeSession || d.Scope == settings.ScopeFixed || d.FlagName() == "" {
			continue
		}
		out[d.Name] = flagValue{d.FlagName(), cmd.Flags().String(d.FlagName(), d.Default, d.Doc)}
	}
	return out
}

// serve runs until the context ends.
func serve(ctx context.Context, o tidemark.Options) error {
	failed := make(chan error, 1)
	o.OnFatal = func(err error) { failed <- err } // called once
	db, err := tidemark.Open("", o)
	if err != nil {
		return err
	}
	limitHeap(db.Memory())
	served, _, err := listen(db, db.Setting("listen"))
	if err != nil {
		return errors.Join(err, db.Close())
	}
	select {
	case <-ctx.Done():
	case err = <-served:
	case err = <-failed:
		return fmt.Errorf("the store has failed: %w", err) // closing it would wait for writes that cannot be
	}
	return errors.Join(err, db.Close())
}

// limitHeap tells the collector how large the heap may grow: what the database counts, and half as much again for what it
// does not. GOMEMLIMIT in the environment wins.
func limitHeap(memory int64) {
	if _, given := os.LookupEnv("GOMEMLIMIT"); !given {
		debug.SetMemoryLimit(memory + memory/2)
	}
}

// listen serves a database on an address; the channel tells when and why that has ended.
func listen(db *tidemark.DB, address string) (served <-chan error, at net.Addr, err error) {
	ln, err := net.Listen("tcp", address)
	if err != nil {
		return nil, nil, errs.ListenFailed.New("address", address, "problem", listenProblem(err))
	}
	ended := make(chan error, 1)
	go func() { ended <- db.Serve(ln) }()
	return ended, ln.Addr(), nil
}

// listenProblem is what the system says, without the address that the message has already.
func listenProblem(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
