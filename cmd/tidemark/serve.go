package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark/internal/connector/builtin"
	"github.com/tidemark-db/tidemark/internal/server"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// stopTimeout bounds a clean stop; what is not durable by then is recovered from the log at the next start.
const stopTimeout = 30 * time.Second

func serveCommand() *cobra.Command {
	reg := settings.NewRegistry()
	cmd := &cobra.Command{Use: "serve", Short: "Run the server", Args: cobra.NoArgs}
	values := serverFlags(cmd, reg)
	config := cmd.Flags().String("config", "", "TOML file with settings")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		flags := map[string]string{}
		for name, v := range values {
			if cmd.Flags().Changed(v.flag) {
				flags[name] = *v.text
			}
		}
		set, err := settings.Resolve(reg, settings.Sources{Flags: flags, Env: os.LookupEnv, ReadFile: os.ReadFile, File: *config})
		if err != nil {
			return err
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return serve(ctx, set)
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
func serve(ctx context.Context, set *settings.Server) error {
	log := logger(set)
	fatal := make(chan error, 1)
	started := time.Now()
	db, err := session.Open(session.Options{Dir: set.Text("data"), Settings: set, Logger: log, Systems: builtin.Systems(), Verifier: server.Verifier,
		Fatal: func(err error) {
			select {
			case fatal <- err:
			default:
			}
		}})
	if err != nil {
		return err
	}
	srv, err := server.New(db, set, log)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", set.Text("listen"))
	if err != nil {
		return errors.Join(err, db.Close(ctx))
	}
	log.Info("ready", "listen", ln.Addr().String(), "took", time.Since(started).Round(time.Millisecond).String())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case <-ctx.Done():
	case err := <-fatal:
		return fmt.Errorf("the store has failed: %w", err)
	case err := <-served:
		return errors.Join(err, db.Close(context.Background()))
	}
	log.Info("stopping")
	stopCtx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return errors.Join(srv.Shutdown(stopCtx), db.Close(stopCtx))
}

func logger(set *settings.Server) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(set.Text("log_level"))); err != nil {
		level = slog.LevelInfo
	}
	opts := &slog.HandlerOptions{Level: level}
	if set.Text("log_format") == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, opts))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, opts))
}
