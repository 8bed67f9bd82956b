package main

import (
	"io"

	"github.com/spf13/cobra"
)

// directoryCommand is a command that looks at the directory of a server that does not run, and prints what it finds for
// people or, with --json, for programs. look returns it with its form for people; failed says that there is something wrong.
func directoryCommand(use, short, long string, look func(dir string) (found any, print func(io.Writer) error, failed bool, err error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: use + " DIR", Short: short, Args: cobra.ExactArgs(1), Long: long + "\n\n" + exitCodes,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, print, failed, err := look(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), found)
			} else {
				err = print(cmd.OutOrStdout())
			}
			if err == nil && failed {
				return errReported
			}
			return err
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
