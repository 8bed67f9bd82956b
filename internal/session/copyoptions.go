package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/copyfmt"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// copyOptions reads the options of COPY into the format that they describe.
type copyOptions struct{ copyfmt.Format }

// copyFormatOf reads the options. What depends on the format is checked once all are known, as in PostgreSQL.
func copyFormatOf(st *ast.Copy) (copyfmt.Format, error) {
	f := copyOptions{copyfmt.Default(copyfmt.Text)}
	given := map[string]ast.Option{}
	for _, o := range st.Options {
		key := strings.ToLower(o.Key)
		if _, twice := given[key]; twice {
			return f.Format, errs.CopyOption.New("problem", "conflicting or redundant options").At(int(o.Pos))
		}
		given[key] = o
	}
	if o, ok := given["format"]; ok {
		switch strings.ToLower(o.Value.Text) {
		case "csv":
			f.Format = copyfmt.Default(copyfmt.CSV)
		case "text":
		case "binary":
			f.Format = copyfmt.Default(copyfmt.Binary)
		default:
			return f.Format, errs.CopyValue.New("problem", "COPY format \""+o.Value.Text+"\" not recognized").At(int(o.Pos))
		}
	}
	for _, o := range st.Options {
		if err := f.set(o, st.To); err != nil {
			return f.Format, err
		}
	}
	if _, ok := given["escape"]; !ok {
		f.Escape = f.Quote
	}
	return f.Format, f.check(given, st.To)
}

// set takes one option.
func (f *copyOptions) set(o ast.Option, to bool) (err error) {
	switch key := strings.ToLower(o.Key); key {
	case "format":
	case "delimiter":
		if len(o.Value.Text) != 1 || strings.ContainsAny(o.Value.Text, "\r\n") {
			return errs.CopyDelimiter.New().At(int(o.Pos))
		}
		f.Delimiter = o.Value.Text[0]
	case "null":
		f.Null = o.Value.Text
	case "header":
		f.Header, err = headerOf(o, to)
	case "quote", "escape":
		if f.Kind != copyfmt.CSV {
			return errs.CopyAvailable.New("problem", "COPY "+key+" available only in CSV mode").At(int(o.Pos))
		}
		if len(o.Value.Text) != 1 {
			return errs.CopyAvailable.New("problem", "COPY "+key+" must be a single one-byte character").At(int(o.Pos))
		}
		if key == "quote" {
			f.Quote = o.Value.Text[0]
		} else {
			f.Escape = o.Value.Text[0]
		}
	case "force_quote":
		f.ForceQuote, err = columnsOfOption(o)
	case "force_not_null":
		f.ForceNotNull, err = columnsOfOption(o)
	case "force_null":
		f.ForceNull, err = columnsOfOption(o)
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

func headerOf(o ast.Option, to bool) (copyfmt.Header, error) {
	on, isSwitch := optionSwitch(o)
	switch match := strings.EqualFold(o.Value.Text, "match"); {
	case isSwitch && on:
		return copyfmt.HeaderLine, nil
	case isSwitch:
		return copyfmt.HeaderNone, nil
	case match && to:
		return 0, errs.CopyAvailable.New("problem", "cannot use \"match\" with HEADER in COPY TO").At(int(o.Pos))
	case match:
		return copyfmt.HeaderMatch, nil
	}
	return 0, errs.CopyOption.New("problem", "header requires a Boolean value or \"match\"").At(int(o.Pos))
}

func columnsOfOption(o ast.Option) (copyfmt.Columns, error) {
	switch o.Value.Kind {
	case ast.OptStar:
		return copyfmt.Columns{All: true}, nil
	case ast.OptList:
		c := copyfmt.Columns{Names: []string{}}
		for _, item := range o.Value.Items {
			c.Names = append(c.Names, item.Text)
		}
		return c, nil
	}
	return copyfmt.Columns{}, errs.CopyOption.New("problem", "argument to option \""+o.Key+"\" must be a list of column names").At(int(o.Pos))
}

// check refuses options that do not go together.
func (f *copyOptions) check(given map[string]ast.Option, to bool) error {
	available := func(problem, option string) error {
		return errs.CopyAvailable.New("problem", problem).At(int(given[option].Pos))
	}
	const reserved = `\.abcdefghijklmnopqrstuvwxyz0123456789`
	if f.Kind == copyfmt.Binary {
		return binaryCheck(given)
	}
	switch {
	case strings.ContainsAny(f.Null, "\r\n"):
		return errs.CopyValue.New("problem", "COPY null representation cannot use newline or carriage return").At(int(given["null"].Pos))
	case f.Kind != copyfmt.CSV && strings.IndexByte(reserved, f.Delimiter) >= 0:
		return errs.CopyValue.New("problem", fmt.Sprintf("COPY delimiter cannot be \"%c\"", f.Delimiter)).At(int(given["delimiter"].Pos))
	case f.Kind == copyfmt.CSV && f.Delimiter == f.Quote:
		return errs.CopyValue.New("problem", "COPY delimiter and quote must be different").At(int(given["quote"].Pos))
	case f.ForceQuote.Given() && f.Kind != copyfmt.CSV:
		return available("COPY force quote available only in CSV mode", "force_quote")
	case f.ForceQuote.Given() && !to:
		return available("COPY force quote only available using COPY TO", "force_quote")
	case f.ForceNotNull.Given() && f.Kind != copyfmt.CSV:
		return available("COPY force not null available only in CSV mode", "force_not_null")
	case f.ForceNotNull.Given() && to:
		return available("COPY force not null only available using COPY FROM", "force_not_null")
	case f.ForceNull.Given() && f.Kind != copyfmt.CSV:
		return available("COPY force null available only in CSV mode", "force_null")
	case f.ForceNull.Given() && to:
		return available("COPY force null only available using COPY FROM", "force_null")
	case strings.IndexByte(f.Null, f.Delimiter) >= 0:
		return available("COPY delimiter must not appear in the NULL specification", "null")
	case f.Kind == copyfmt.CSV && strings.IndexByte(f.Null, f.Quote) >= 0:
		return available("CSV quote character must not appear in the NULL specification", "null")
	}
	return nil
}

// binaryCheck refuses what means nothing where rows are no text.
func binaryCheck(given map[string]ast.Option) error {
	for _, key := range []string{"delimiter", "null"} {
		if o, ok := given[key]; ok {
			return errs.CopyOption.New("problem", "cannot specify "+strings.ToUpper(key)+" in BINARY mode").At(int(o.Pos))
		}
	}
	if o, ok := given["header"]; ok {
		if on, _ := optionSwitch(o); on {
			return errs.CopyAvailable.New("problem", "cannot specify HEADER in BINARY mode").At(int(o.Pos))
		}
	}
	for _, key := range []string{"force_quote", "force_not_null", "force_null"} {
		if o, ok := given[key]; ok {
			return errs.CopyAvailable.New("problem", "COPY "+strings.ReplaceAll(key, "_", " ")+" available only in CSV mode").At(int(o.Pos))
		}
	}
	return nil
}

// copyKnown checks that the options name columns of the COPY.
func copyKnown(f copyfmt.Format, names []string) error {
	for _, c := range []struct {
		option string
		copyfmt.Columns
	}{{"FORCE_QUOTE", f.ForceQuote}, {"FORCE_NOT_NULL", f.ForceNotNull}, {"FORCE_NULL", f.ForceNull}} {
		for _, name := range c.Names {
			if !slices.Contains(names, name) {
				return errs.InvalidColumnRef.New("what", c.option+" column \""+name+"\" not referenced by COPY")
			}
		}
	}
	return nil
}
