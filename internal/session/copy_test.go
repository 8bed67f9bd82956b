package session

import (
	"fmt"
	"strings"
	"testing"
)

// A COPY of several chunks gives defaults to the columns that it does not name.
func TestCopyManyRows(t *testing.T) {
	_, s := opened(t, Options{})
	exec(t, s, "CREATE TABLE c (k int PRIMARY KEY, v text, w int DEFAULT 7)")
	var in strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&in, "row %d\t%d\n", i, i)
	}
	err := s.Simple(t.Context(), "COPY c (v, k) FROM STDIN", func(r Result) error {
		if err := Unwrap(r).(CopyIn).CopyIn(t.Context(), strings.NewReader(in.String())); err != nil {
			return err
		}
		tag, err := r.Finish(t.Context())
		if tag.Text != "COPY 3000" {
			t.Errorf("tag %q", tag.Text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := exec(t, s, "SELECT count(*), sum(k), sum(w), max(v) FROM c"), "+ 3000 4498500 21000 \"row 999\"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A COPY is written in several steps, and all of it is taken back when a late row fails.
func TestCopyIsOneStatement(t *testing.T) {
	_, s := opened(t, Options{})
	exec(t, s, "CREATE TABLE c (k int PRIMARY KEY)")
	var in strings.Builder
	for i := range copyRowsMax + 10 {
		fmt.Fprintf(&in, "%d\n", i)
	}
	in.WriteString("5\n")
	err := s.Simple(t.Context(), "COPY c FROM STDIN", func(r Result) error {
		return Unwrap(r).(CopyIn).CopyIn(t.Context(), strings.NewReader(in.String()))
	})
	if err == nil || !strings.Contains(err.Error(), "duplicate key") {
		t.Errorf("%v, want a duplicate key", err)
	}
	s.Abort()
	if got := exec(t, s, "SELECT count(*) FROM c"); got != "+ 0\n" {
		t.Errorf("%s rows are left", got)
	}
}

// COPY ... WHERE takes the rows for which it is true, over all columns of the table, and counts those; it may not read others.
func TestCopyWhere(t *testing.T) {
	_, s := opened(t, Options{})
	exec(t, s, "CREATE TABLE c (k int PRIMARY KEY, v text, w int DEFAULT 7)")
	err := s.Simple(t.Context(), "COPY c (k, v) FROM STDIN WHERE k > 1 AND v <> 'no' AND c.w = 7", func(r Result) error {
		if err := Unwrap(r).(CopyIn).CopyIn(t.Context(), strings.NewReader("1\tlow\n2\tyes\n3\tno\n4\t\\N\n")); err != nil {
			return err
		}
		tag, err := r.Finish(t.Context())
		if tag.Text != "COPY 1" {
			t.Errorf("tag %q", tag.Text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := exec(t, s, "SELECT * FROM c"), "+ 2 yes 7\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for where, want := range map[string]string{
		"k":                         "argument of WHERE must be type boolean, not type integer",
		"nope = 1":                  "column \"nope\" does not exist",
		"max(k) > 1":                "aggregate functions are not allowed in COPY FROM WHERE conditions",
		"k IN (SELECT 1)":           "here is not supported",
		"generate_series(1, 2) = k": "set-returning functions are not allowed in COPY FROM WHERE conditions",
	} {
		err := s.Simple(t.Context(), "COPY c FROM STDIN WHERE "+where, func(Result) error { return nil })
		s.Abort()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", where, err, want)
		}
	}
}
