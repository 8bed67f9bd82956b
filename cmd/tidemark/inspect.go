package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark/internal/inspect"
)

func inspectCommand() *cobra.Command {
	return directoryCommand("inspect", "Look at the directory of a server that does not run",
		`Print the format, the durable epoch, the relations, and for every job its state, its progress and the size of its tables.
Everything is read once, and nothing is changed.`,
		func(dir string) (any, func(io.Writer) error, bool, error) {
			r, err := inspect.Open(dir)
			if err != nil {
				return nil, nil, false, err
			}
			return r, func(out io.Writer) error { return printReport(out, r) }, false, nil
		})
}

// printReport prints what was found for people.
func printReport(out io.Writer, r *inspect.Report) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s, data format %d\nepoch %d, commit %d, log of writes held up to %d\n", strings.Join(r.Format, ", "), r.Data, r.Epoch, r.Commits, r.DMLSeq)
	fmt.Fprint(w, "\nspace\trecords\tbytes\ton disk\n")
	for _, s := range r.Spaces {
		fmt.Fprintf(w, "%s\t%s\n", s.Name, sizeCells(s.Size))
	}
	fmt.Fprint(w, "\nrelation\tkind\tid\tjob\tcolumns\n")
	for _, rel := range r.Relations {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\n", rel.Name, rel.Kind, rel.ID, orDash(uint64(rel.Job)), rel.Columns)
	}
	for _, j := range r.Jobs {
		printJob(w, j)
	}
	return w.Flush()
}

func printJob(w io.Writer, j inspect.Job) {
	fmt.Fprintf(w, "\njob %d %s: %s as of epoch %d, parallelism %d\n", j.ID, j.Name, j.State, j.AsOf, j.Parallel)
	if j.Reason != "" {
		fmt.Fprintf(w, "reason: %s\n", j.Reason)
	}
	for _, in := range j.Inputs {
		fmt.Fprintf(w, "reads %s: %s, %d rows read\n", in.Relation, phases(in), in.Rows)
	}
	fmt.Fprint(w, "table\tfor\trecords\tbytes\ton disk\tvnodes\tchangelog\n")
	for _, t := range j.Tables {
		log := "-"
		if t.Log != nil {
			log = fmt.Sprintf("%d records, %d bytes after epoch %d", t.Log.Records, t.Log.Bytes, *t.LogAfter)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%d\t%s\n", t.ID, t.Role, sizeCells(t.Size), t.Vnodes, log)
	}
}

// phases tells how far the ranges of an input are, such as "60 of 64 ranges live, 4 scanning".
func phases(in inspect.Input) string {
	var parts []string
	for _, p := range slices.Sorted(maps.Keys(in.Phases)) {
		parts = append(parts, fmt.Sprintf("%d %s", in.Phases[p], p))
	}
	if in.Missing > 0 {
		parts = append(parts, fmt.Sprintf("%d without a record", in.Missing))
	}
	if in.Damaged > 0 {
		parts = append(parts, fmt.Sprintf("%d with a record that cannot be read", in.Damaged))
	}
	return fmt.Sprintf("%d ranges, %s", in.Ranges, strings.Join(parts, ", "))
}

func sizeCells(s inspect.Size) string { return fmt.Sprintf("%d\t%d\t%d", s.Records, s.Bytes, s.Disk) }

func orDash(n uint64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
