// Command tidemark runs the database, talks to one, and explains it: serve, demo, sql, inspect, check, explain,
// bench, version.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	_ "time/tzdata" // time zones on machines that have none

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// The exit codes of every command.
const (
	exitOK     = 0
	exitFailed = 1 // a statement, the store or the network failed; standard error tells why
	exitUsage  = 2 // an unknown command, flag or argument
)

const exitCodes = `Exit codes: 0 all went well, 1 something failed (standard error tells what, and the way out), 2 wrong usage.`

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command with its surroundings as values.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	began := false
	root := &cobra.Command{Use: "tidemark", Short: "A streaming SQL database: materialized views that are always current",
		Long:         "Tidemark is a streaming SQL database: write SQL, and materialized views are current after every commit.\n\n" + exitCodes,
		SilenceUsage: true, SilenceErrors: true}
	for _, c := range commands() {
		do := c.RunE
		c.RunE = func(c *cobra.Command, args []string) error {
			began = true // what is wrong from here on is no wrong usage
			return do(c, args)
		}
		root.AddCommand(c)
	}
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errReported):
		return exitFailed
	case began:
		fmt.Fprintln(errOut, "tidemark:", describe(err))
		return exitFailed
	}
	fmt.Fprintf(errOut, "tidemark: %v\nSee tidemark --help.\n", err)
	return exitUsage
}

// commands are the subcommands.
func commands() []*cobra.Command {
	return []*cobra.Command{serveCommand(), demoCommand(), sqlCommand(), inspectCommand(), checkCommand(), upgradeCheckCommand(), explainCommand(), benchCommand(), versionCommand()}
}

// errReported ends a command that has told already what failed.
var errReported = errors.New("reported")

// describe adds the code and the way out to an error of the catalogue.
func describe(err error) string {
	var e *tidemark.Error
	if errors.As(err, &e) {
		return block(e.Code+": "+e.Message, "DETAIL", e.Detail, "HINT", e.Hint)
	}
	if e, ok := errs.As(err); ok {
		return block(e.Entry.Code+": "+err.Error(), "DETAIL", e.Detail, "HINT", e.Remedy())
	}
	return err.Error()
}

// block is a message with what is known beside it, a line each.
func block(message string, more ...string) string {
	var b strings.Builder
	b.WriteString(message)
	for i := 0; i < len(more); i += 2 {
		if more[i+1] != "" {
			fmt.Fprintf(&b, "\n  %s: %s", more[i], more[i+1])
		}
	}
	return b.String()
}
