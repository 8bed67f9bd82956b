package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark/internal/inspect"
)

func checkCommand() *cobra.Command {
	return directoryCommand("check", "Check the directory of a server that does not run",
		`Read everything: each block against its checksum, the control state, how far each job is, and each row of each relation.
Nothing is changed. With problems the exit code is 1.`,
		func(dir string) (any, func(io.Writer) error, bool, error) {
			c, err := inspect.Check(dir)
			if err != nil {
				return nil, nil, false, err
			}
			return c, func(out io.Writer) error { return printChecked(out, c) }, len(c.Problems) > 0, nil
		})
}

func upgradeCheckCommand() *cobra.Command {
	return directoryCommand("upgrade-check", "Tell whether this version can run on a directory",
		`Read the formats of a store and the plans of its jobs, and tell what this version can not run on, before a server of this
version is started there. Nothing is changed. With problems the exit code is 1.`,
		func(dir string) (any, func(io.Writer) error, bool, error) {
			u, err := inspect.UpgradeCheck(dir)
			if err != nil {
				return nil, nil, false, err
			}
			return u, func(out io.Writer) error { return printUpgrade(out, u) }, len(u.Problems) > 0, nil
		})
}

// printChecked prints what was found for people.
func printChecked(out io.Writer, c *inspect.Checked) error {
	printProblems(out, c.Problems)
	if c.More > 0 {
		fmt.Fprintf(out, "and %d problems more\n", c.More)
	}
	n := len(c.Problems) + c.More
	word := "problems"
	if n == 1 {
		word = "problem"
	}
	_, err := fmt.Fprintf(out, "%d %s in %d files, %d progress records, %d rows as of epoch %d\n", n, word, c.Files, c.Records, c.Rows, c.Epoch)
	return err
}

func printUpgrade(out io.Writer, u *inspect.Upgrade) error {
	printProblems(out, u.Problems)
	said := "this version runs on it"
	if len(u.Problems) > 0 {
		said = "this version does not run all of it"
	}
	_, err := fmt.Fprintf(out, "%s: %d jobs, progress records of format %v; %s\n", u.Dir, u.Jobs, u.Formats, said)
	return err
}

func printProblems(out io.Writer, problems []inspect.Problem) {
	for i, p := range problems {
		line := fmt.Sprintf("%s: %s %s", p.Where, p.Code, p.What)
		if i+1 < len(problems) && problems[i+1].Remedy == p.Remedy {
			fmt.Fprintln(out, line) // the last of its like has the remedy
			continue
		}
		fmt.Fprintln(out, block(line, "HINT", p.Remedy))
	}
}
