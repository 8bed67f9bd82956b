package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark/internal/errs"
)

func explainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "explain CODE", Short: "Print the page of an error, such as TM-BF-001", Args: cobra.ExactArgs(1),
		Long: "Print what an error means, when it happens, and what to do about it.\n\n" + exitCodes,
		RunE: func(cmd *cobra.Command, args []string) error {
			e, ok := errs.Lookup(args[0])
			if !ok {
				return errs.UndefinedObject.New("kind", "error", "name", args[0])
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), pageOf(e))
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), errs.Page(e))
			return err
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// errorPage is an entry of the catalogue in JSON.
type errorPage struct {
	Code     string   `json:"code"`
	SQLState string   `json:"sqlstate"`
	Class    string   `json:"class"`
	Message  string   `json:"message"`
	Detail   string   `json:"detail,omitempty"`
	Meaning  string   `json:"meaning"`
	When     string   `json:"when"`
	Remedies []string `json:"remedies"`
	Related  []string `json:"related,omitempty"`
}

func pageOf(e *errs.Entry) errorPage {
	return errorPage{e.Code, e.SQLState, e.Class.String(), e.Message, e.Detail, e.Meaning, e.When, e.EveryRemedy(), e.Related}
}

// writeJSON prints a value for programs and people: indented, without escapes that only HTML needs.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
