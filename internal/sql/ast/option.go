package ast

// Option is one item of WITH (...), FORMAT ... ENCODE ... (...), EXPLAIN (...) or COPY's options. The key is as written,
// lower-cased unless quoted; dotted keys (properties.bootstrap.server) are joined by dots.
type Option struct {
	Pos
	Key   string
	Value OptionValue
}

// OptionKind is the form of an option's value.
type OptionKind uint8

// The forms of option values.
const (
	OptNone   OptionKind = iota // just the key: EXPLAIN (VERBOSE)
	OptString                   // 'text'
	OptNumber                   // 10, -1, 1.5
	OptWord                     // a bare word, lower case: true, off, auto, json
	OptSecret                   // SECRET name [AS FILE]
	OptOrder                    // FIXED (a -> b, c -> d), for backfill_order
	OptStar                     // * of COPY's FORCE_QUOTE
	OptList                     // (a, b)
)

// OptionValue is the value of an option or of SET.
type OptionValue struct {
	Pos
	Kind   OptionKind
	Text   string // the value without quotes
	Name   Name   // OptSecret
	AsFile bool   // OptSecret
	Edges  []Edge // OptOrder
	Items  []OptionValue
}

// Edge is one arrow of a backfill order: From is caught up before To begins.
type Edge struct {
	From, To Name
}

// RowFormat is FORMAT row_format ENCODE encoding (options) [KEY ENCODE encoding (options)], words in lower case.
type RowFormat struct {
	Pos
	Format     string
	Encode     string
	Options    []Option
	KeyEncode  string
	KeyOptions []Option
}
