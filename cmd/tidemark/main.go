// Command tidemark runs the database: serve, demo, sql, explain, version.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata" // time zones on machines that have none

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// version is set by the build.
var version = "devel"

func main() {
	root := &cobra.Command{Use: "tidemark", Short: "A streaming SQL database: materialized views that are always current",
		SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(serveCommand(), demoCommand(), explainCommand(), versionCommand())
	if err := root.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "tidemark:", describe(err))
		os.Exit(1)
	}
}

// describe adds the code and the way out to an error of the catalogue.
func describe(err error) string {
	if e, ok := errs.As(err); ok {
		return fmt.Sprintf("%s: %v\n  %s", e.Entry.Code, err, e.Entry.Remedies[0])
	}
	return err.Error()
}

func versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), "tidemark", version) }}
}

func explainCommand() *cobra.Command {
	return &cobra.Command{Use: "explain CODE", Short: "Print the page of an error, such as TM-BF-001", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, ok := errs.Lookup(args[0])
			if !ok {
				return errs.UndefinedObject.New("kind", "error", "name", args[0])
			}
			fmt.Fprint(cmd.OutOrStdout(), errs.Page(e))
			return nil
		}}
}
