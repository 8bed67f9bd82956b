// Package generate makes rows by rule: sequences and random values for columns of any kind, and the events of the Nexmark
// auction site. A row is a function of its number, the rule and, where columns tell the time, the time; so a generator that
// is told how many rows it has made goes on as if it had never stopped.
package generate

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Connectors that rows are made by, as WITH (connector = ...) names them.
const (
	Datagen = "datagen"
	Nexmark = "nexmark"
)

// Is reports whether a connector makes its rows itself.
func Is(connector string) bool { return connector == Datagen || connector == Nexmark }

// Endless is the number of rows of a rule without an end.
const Endless = math.MaxInt64

// Rule is how the rows of a relation are made.
type Rule struct {
	// Rows is how many there are, Endless if they never end. PerSecond is how many come in a second; 0: as many as are taken.
	Rows      int64
	PerSecond int64
	row       func(n int64, now time.Time) types.Row
}

// Row makes row n, counted from 0; n is less than Rows.
func (r *Rule) Row(n int64, now time.Time) types.Row { return r.row(n, now) }

// New makes the rule that options of a connector describe for columns. It also returns the options that nothing asked for:
// who creates a relation refuses them; later some are of columns that were dropped.
func New(connector string, options map[string]string, columns []types.Field) (*Rule, []string, error) {
	o := &optionReader{connector: connector, given: options, used: map[string]bool{"connector": true}}
	var r *Rule
	if connector == Nexmark {
		r = newNexmark(o, columns)
	} else {
		r = newDatagen(o, columns)
	}
	if o.err != nil {
		return nil, nil, o.err
	}
	return r, o.unused(), nil
}

// optionReader reads options and remembers which ones it was asked for. The first error stays.
type optionReader struct {
	connector string
	given     map[string]string
	used      map[string]bool
	err       error
}

func (o *optionReader) text(key, without string) string {
	o.used[key] = true
	if v, ok := o.given[key]; ok {
		return v
	}
	return without
}

func (o *optionReader) fail(key, problem string) {
	if o.err == nil {
		o.err = errs.OptionInvalid.New("option", key, "connector", o.connector, "problem", problem)
	}
}

// int reads a whole number between two bounds.
func (o *optionReader) int(key string, without, low, high int64) int64 {
	text := o.text(key, "")
	if text == "" {
		return without
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < low || v > high {
		o.fail(key, "it is a whole number between "+strconv.FormatInt(low, 10)+" and "+strconv.FormatInt(high, 10))
		return without
	}
	return v
}

func (o *optionReader) float(key string, without float64) float64 {
	text := o.text(key, "")
	if text == "" {
		return without
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		o.fail(key, "it is a number")
		return without
	}
	return v
}

// word reads one of several words; the first is the default.
func (o *optionReader) word(key string, words ...string) string {
	v := strings.ToLower(o.text(key, words[0]))
	for _, w := range words {
		if v == w {
			return v
		}
	}
	o.fail(key, "it is one of "+strings.Join(words, ", "))
	return words[0]
}

func (o *optionReader) unused() (out []string) {
	for key := range o.given {
		if !o.used[key] {
			out = append(out, key)
		}
	}
	return out
}
