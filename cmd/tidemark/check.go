package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark/internal/inspect"
)

func checkCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "check DIR", Short: "Check the directory of a server that does not run", Args: cobra.ExactArgs(1),
		Long: `Read everything: each block against its checksum, the control state, how far each job is, and each row of each relation.
Nothing is changed. With problems the exit code is 1.

` + exitCodes,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := inspect.Check(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), c)
			} else {
				err = printChecked(cmd.OutOrStdout(), c)
			}
			if err == nil && len(c.Problems) > 0 {
				return errReported
			}
			return err
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printChecked prints what was found for people.
func printChecked(out io.Writer, c *inspect.Checked) error {
	for _, p := range c.Problems {
		fmt.Fprintln(out, block(fmt.Sprintf("%s: %s %s", p.Where, p.Code, p.What), "HINT", p.Remedy))
	}
	if c.More > 0 {
		fmt.Fprintf(out, "and %d problems more\n", c.More)
	}
	_, err := fmt.Fprintf(out, "%d problems in %d files, %d progress records, %d rows as of epoch %d\n", len(c.Problems)+c.More, c.Files, c.Records, c.Rows, c.Epoch)
	return err
}

func upgradeCheckCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "upgrade-check DIR", Short: "Tell whether this version can run on a directory", Args: cobra.ExactArgs(1),
		Long: `Read the formats of a store and the plans of its jobs, and tell what this version can not run on, before a server of this
version is started there. Nothing is changed. With problems the exit code is 1.

` + exitCodes,
		RunE: func(cmd *cobra.Command, args []string) error {
			u, err := inspect.UpgradeCheck(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), u)
			} else {
				err = printUpgrade(cmd.OutOrStdout(), u)
			}
			if err == nil && len(u.Problems) > 0 {
				return errReported
			}
			return err
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printUpgrade(out io.Writer, u *inspect.Upgrade) error {
	for _, p := range u.Problems {
		fmt.Fprintln(out, block(fmt.Sprintf("%s: %s %s", p.Where, p.Code, p.What), "HINT", p.Remedy))
	}
	said := "this version runs on it"
	if len(u.Problems) > 0 {
		said = "this version does not run all of it"
	}
	_, err := fmt.Fprintf(out, "%s: %d jobs, progress records of format %v; %s\n", u.Dir, u.Jobs, u.Formats, said)
	return err
}
