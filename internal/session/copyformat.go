package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// copyFormat is how rows are written as text: COPY's text format, or CSV.
type copyFormat struct {
	csv           bool
	delimiter     byte
	null          string
	header        copyHeader
	quote, escape byte // of CSV
	// Columns whose values are always quoted, whose NULL text is no NULL, and whose NULL text is NULL in quotes too.
	forceQuote, forceNotNull, forceNull copyColumns
}

// copyHeader says whether the first line has the names of the columns.
type copyHeader uint8

const (
	headerNone  copyHeader = iota
	headerLine             // written, or passed over
	headerMatch            // compared with the columns
)

// copyColumns names some columns of a COPY, or all.
type copyColumns struct {
	all   bool
	names []string
}

func (c copyColumns) has(name string) bool { return c.all || slices.Contains(c.names, name) }

func (c copyColumns) given() bool { return c.all || c.names != nil }

// copyFormatOf reads the options. What depends on the format is checked once all are known, as in PostgreSQL.
func copyFormatOf(st *ast.Copy) (copyFormat, error) {
	f := copyFormat{delimiter: '\t', null: `\N`}
	given := map[string]ast.Option{}
	for _, o := range st.Options {
		key := strings.ToLower(o.Key)
		if _, twice := given[key]; twice {
			return f, errs.CopyOption.New("problem", "conflicting or redundant options").At(int(o.Pos))
		}
		given[key] = o
	}
	if o, ok := given["format"]; ok {
		switch strings.ToLower(o.Value.Text) {
		case "csv":
			f = copyFormat{csv: true, delimiter: ',', quote: '"', escape: '"'}
		case "text":
		case "binary":
			return f, errs.Unsupported.New("feature", "COPY format binary").At(int(o.Pos))
		default:
			return f, errs.CopyValue.New("problem", "COPY format \""+o.Value.Text+"\" not recognized").At(int(o.Pos))
		}
	}
	for _, o := range st.Options {
		if err := f.set(o, st.To); err != nil {
			return f, err
		}
	}
	if _, ok := given["escape"]; !ok {
		f.escape = f.quote
	}
	return f, f.check(given, st.To)
}

// set takes one option.
func (f *copyFormat) set(o ast.Option, to bool) (err error) {
	switch key := strings.ToLower(o.Key); key {
	case "format":
	case "delimiter":
		if len(o.Value.Text) != 1 || strings.ContainsAny(o.Value.Text, "\r\n") {
			return errs.CopyDelimiter.New().At(int(o.Pos))
		}
		f.delimiter = o.Value.Text[0]
	case "null":
		f.null = o.Value.Text
	case "header":
		f.header, err = headerOf(o, to)
	case "quote", "escape":
		if !f.csv {
			return errs.CopyAvailable.New("problem", "COPY "+key+" available only in CSV mode").At(int(o.Pos))
		}
		if len(o.Value.Text) != 1 {
			return errs.CopyAvailable.New("problem", "COPY "+key+" must be a single one-byte character").At(int(o.Pos))
		}
		if key == "quote" {
			f.quote = o.Value.Text[0]
		} else {
			f.escape = o.Value.Text[0]
		}
	case "force_quote":
		f.forceQuote, err = columnsOfOption(o)
	case "force_not_null":
		f.forceNotNull, err = columnsOfOption(o)
	case "force_null":
		f.forceNull, err = columnsOfOption(o)
	case "encoding":
		if name := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(o.Value.Text)); name != "utf8" && name != "unicode" {
			return errs.Unsupported.New("feature", "COPY in the encoding "+o.Value.Text).At(int(o.Pos))
		}
	case "freeze":
		return errs.Unsupported.New("feature", "COPY option freeze").At(int(o.Pos))
	default:
		return errs.CopyOption.New("problem", "option \""+o.Key+"\" not recognized").At(int(o.Pos))
	}
	return err
}

func headerOf(o ast.Option, to bool) (copyHeader, error) {
	on, isSwitch := optionSwitch(o)
	switch match := strings.EqualFold(o.Value.Text, "match"); {
	case isSwitch && on:
		return headerLine, nil
	case isSwitch:
		return headerNone, nil
	case match && to:
		return 0, errs.CopyAvailable.New("problem", "cannot use \"match\" with HEADER in COPY TO").At(int(o.Pos))
	case match:
		return headerMatch, nil
	}
	return 0, errs.CopyOption.New("problem", "header requires a Boolean value or \"match\"").At(int(o.Pos))
}

func columnsOfOption(o ast.Option) (copyColumns, error) {
	switch o.Value.Kind {
	case ast.OptStar:
		return copyColumns{all: true}, nil
	case ast.OptList:
		c := copyColumns{names: []string{}}
		for _, item := range o.Value.Items {
			c.names = append(c.names, item.Text)
		}
		return c, nil
	}
	return copyColumns{}, errs.CopyOption.New("problem", "argument to option \""+o.Key+"\" must be a list of column names").At(int(o.Pos))
}

// check refuses options that do not go together.
func (f *copyFormat) check(given map[string]ast.Option, to bool) error {
	available := func(problem, option string) error {
		return errs.CopyAvailable.New("problem", problem).At(int(given[option].Pos))
	}
	const reserved = `\.abcdefghijklmnopqrstuvwxyz0123456789`
	switch {
	case strings.ContainsAny(f.null, "\r\n"):
		return errs.CopyValue.New("problem", "COPY null representation cannot use newline or carriage return").At(int(given["null"].Pos))
	case !f.csv && strings.IndexByte(reserved, f.delimiter) >= 0:
		return errs.CopyValue.New("problem", fmt.Sprintf("COPY delimiter cannot be \"%c\"", f.delimiter)).At(int(given["delimiter"].Pos))
	case f.csv && f.delimiter == f.quote:
		return errs.CopyValue.New("problem", "COPY delimiter and quote must be different").At(int(given["quote"].Pos))
	case f.forceQuote.given() && !f.csv:
		return available("COPY force quote available only in CSV mode", "force_quote")
	case f.forceQuote.given() && !to:
		return available("COPY force quote only available using COPY TO", "force_quote")
	case f.forceNotNull.given() && !f.csv:
		return available("COPY force not null available only in CSV mode", "force_not_null")
	case f.forceNotNull.given() && to:
		return available("COPY force not null only available using COPY FROM", "force_not_null")
	case f.forceNull.given() && !f.csv:
		return available("COPY force null available only in CSV mode", "force_null")
	case f.forceNull.given() && to:
		return available("COPY force null only available using COPY FROM", "force_null")
	case strings.IndexByte(f.null, f.delimiter) >= 0:
		return available("COPY delimiter must not appear in the NULL specification", "null")
	case f.csv && strings.IndexByte(f.null, f.quote) >= 0:
		return available("CSV quote character must not appear in the NULL specification", "null")
	}
	return nil
}

// known checks that the options name columns of the COPY.
func (f *copyFormat) known(names []string) error {
	for _, c := range []struct {
		option string
		copyColumns
	}{{"FORCE_QUOTE", f.forceQuote}, {"FORCE_NOT_NULL", f.forceNotNull}, {"FORCE_NULL", f.forceNull}} {
		for _, name := range c.names {
			if !slices.Contains(names, name) {
				return errs.InvalidColumnRef.New("what", c.option+" column \""+name+"\" not referenced by COPY")
			}
		}
	}
	return nil
}
