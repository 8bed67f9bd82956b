// Package copyfmt reads and writes rows in the formats of COPY: text, CSV and PostgreSQL's binary one. It knows fields, not
// their types.
//
// Source: PostgreSQL 15, COPY, "File Formats".
package copyfmt

import "slices"

// Kind is one of the formats.
type Kind uint8

const (
	Text Kind = iota
	CSV
	Binary
)

// Format is how rows are written.
type Format struct {
	Kind          Kind
	Delimiter     byte
	Null          string // the text that stands for NULL
	Header        Header
	Quote, Escape byte // of CSV
	// Columns whose values are always quoted, whose NULL text is no NULL, and whose NULL text is NULL in quotes too.
	ForceQuote, ForceNotNull, ForceNull Columns
}

// Default is a format without options.
func Default(k Kind) Format {
	switch k {
	case CSV:
		return Format{Kind: CSV, Delimiter: ',', Quote: '"', Escape: '"'}
	case Binary:
		return Format{Kind: Binary}
	}
	return Format{Delimiter: '\t', Null: `\N`}
}

// Header says whether the first line has the names of the columns.
type Header uint8

const (
	HeaderNone  Header = iota
	HeaderLine         // written, or passed over
	HeaderMatch        // compared with the columns
)

// Columns names some columns of a COPY, or all.
type Columns struct {
	All   bool
	Names []string
}

// Has reports whether a column is one of them.
func (c Columns) Has(name string) bool { return c.All || slices.Contains(c.Names, name) }

// Given reports whether columns were named at all.
func (c Columns) Given() bool { return c.All || c.Names != nil }
