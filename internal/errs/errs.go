// Package errs is the catalogue of the errors a user can meet: each entry has a code, a SQLSTATE, a message, what it
// means, when it happens and what to do about it. Errors are classed by mark, never by their text:
//
//	return errs.UndefinedTable.New("name", "orders").At(pos)
//	if errs.Is(err, errs.Corruption) { ... }
package errs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Class says who can do something about an error. It survives wrapping; test it with Is.
type Class uint8

const (
	User       Class = iota + 1 // the statement or its data is at fault; nothing was changed
	Retry                       // the same request may succeed later
	Corruption                  // stored bytes are not what was written
	Limit                       // a documented bound was reached
	Bug                         // an invariant of Tidemark does not hold
)

func (c Class) String() string {
	return [...]string{"none", "user", "retry", "corruption", "limit", "bug"}[c]
}

// Entry is one row of the catalogue. Message and Detail are templates whose {fields} are filled by New.
type Entry struct {
	Code     string // TM-<area>-<nnn>
	SQLState string
	Class    Class
	Message  string       // what happened, to which thing; lower case, no full stop
	Detail   string       // the particulars; may be empty
	Meaning  string       // what it means
	When     string       // when it happens
	Remedies []string     // what to do; text in `back quotes` that ends in a semicolon is SQL and must parse
	Related  []string     // codes of entries worth reading next
	Instead  []Substitute // what to do in particular cases; the first field of the message decides
}

// Substitute is the remedy where the message's first field has the value What.
type Substitute struct{ What, Remedy string }

// catalogue holds every entry in the order of registration; it is written only while the package initialises.
var catalogue []*Entry

func register(e Entry) *Entry {
	catalogue = append(catalogue, &e)
	return &e
}

// Entries returns the whole catalogue. The caller must not change the entries.
func Entries() []*Entry { return catalogue }

// Lookup finds an entry by its code, ignoring case.
func Lookup(code string) (*Entry, bool) {
	for _, e := range catalogue {
		if strings.EqualFold(e.Code, code) {
			return e, true
		}
	}
	return nil, false
}

// Error is one occurrence of an entry.
type Error struct {
	Entry    *Entry
	Message  string
	Detail   string
	Hint     string // replaces the entry's first remedy on the wire when not empty
	Position int    // 1-based character position in the statement, 0 when unknown
	Object   Object // what a violated constraint stands on
	Context  string // where in its input a statement was: COPY t, line 3
	Cause    error
}

// Object names what an error is about, in fields of their own: clients turn a violated constraint into a message for their
// users by its name, which they must not have to find in a text.
type Object struct{ Schema, Table, Column, Constraint string }

// New makes an error of this entry; fields are name, value pairs that fill the templates.
func (e *Entry) New(fields ...any) *Error {
	return &Error{Entry: e, Message: fill(e.Message, fields), Detail: fill(e.Detail, fields), Hint: e.instead(fields)}
}

// EveryRemedy is what the entry says to do, those of particular cases too.
func (e *Entry) EveryRemedy() []string {
	out := slices.Clone(e.Remedies)
	for _, s := range e.Instead {
		out = append(out, s.Remedy)
	}
	return out
}

// instead is the remedy of a particular case, or "".
func (e *Entry) instead(fields []any) string {
	for _, s := range e.Instead {
		if len(fields) > 1 && fields[1] == s.What {
			return s.Remedy
		}
	}
	return ""
}

// fill replaces each {name} of the template by its value.
func fill(template string, fields []any) string {
	for i := 0; i+1 < len(fields); i += 2 {
		template = strings.ReplaceAll(template, fmt.Sprintf("{%s}", fields[i]), fmt.Sprint(fields[i+1]))
	}
	return template
}

// At sets the 1-based character position in the statement's text.
func (e *Error) At(pos int) *Error { e.Position = pos; return e }

// Remedy is the first thing to do, in the form of a hint.
func (e *Error) Remedy() string {
	if e.Hint == "" && len(e.Entry.Remedies) > 0 {
		return e.Entry.Remedies[0]
	}
	return e.Hint
}

// About names the object in fields of its own.
func (e *Error) About(o Object) *Error { e.Object = o; return e }

// WithDetail replaces the detail by particulars that the template does not foresee.
func (e *Error) WithDetail(format string, args ...any) *Error {
	e.Detail = fmt.Sprintf(format, args...)
	return e
}

// WithHint replaces the hint, for a remedy that names the user's own objects.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Wrap attaches the error that caused this one.
func (e *Error) Wrap(cause error) *Error { e.Cause = cause; return e }

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

// Told is an error in one line, with the particulars of a catalogued one.
func Told(err error) string {
	if e, ok := As(err); ok && e.Detail != "" {
		return err.Error() + ". " + strings.TrimSuffix(e.Detail, ".")
	}
	return err.Error()
}

// Code returns the catalogue code of the first catalogued error in the chain, or "".
func Code(err error) string {
	if e, ok := As(err); ok {
		return e.Entry.Code
	}
	return ""
}

// As finds the first catalogued error in the chain.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Is reports whether the first catalogued error in the chain is of the class.
func Is(err error, c Class) bool {
	e, ok := As(err)
	return ok && e.Entry.Class == c
}

// Of reports whether err is an occurrence of the entry.
func Of(err error, entry *Entry) bool {
	e, ok := As(err)
	return ok && e.Entry == entry
}
