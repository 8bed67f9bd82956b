package copyfmt

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// A line is cut alike with and without escapes in it.
func TestTextLines(t *testing.T) {
	for _, c := range []struct {
		null, line string
		want       []string // NULL for nil
	}{
		{`\N`, "a\tb", []string{"a", "b"}},
		{`\N`, "\t", []string{"", ""}},
		{`\N`, "", []string{""}},
		{`\N`, `\N` + "\ta\\tb", []string{"NULL", "a\tb"}},
		{"", "\tx", []string{"NULL", "x"}},
		{"", "\t" + `\\`, []string{"NULL", `\`}},
		{"nil", "nil\tnil ", []string{"NULL", "nil "}},
		{"nil", "nil\t" + `\nil`, []string{"NULL", "\nil"}},
	} {
		f := Default(Text)
		f.Null = c.null
		if got := texts(f.splitText([]byte(c.line))); !slices.Equal(got, c.want) {
			t.Errorf("%q with null %q: %q, want %q", c.line, c.null, got, c.want)
		}
	}
}

func texts(fields [][]byte) (out []string) {
	for _, b := range fields {
		if b == nil {
			out = append(out, "NULL")
		} else {
			out = append(out, string(b))
		}
	}
	return out
}

// What is written is read again, in every format and however the stream comes in pieces.
func TestRoundTrip(t *testing.T) {
	names := []string{"a", "b", "c"}
	for _, kind := range []Kind{Text, CSV, Binary} {
		rapid.Check(t, func(t *rapid.T) {
			f := Default(kind)
			if kind != Binary && rapid.Bool().Draw(t, "header") {
				f.Header = HeaderMatch
			}
			field := rapid.Custom(func(t *rapid.T) []byte {
				if rapid.Bool().Draw(t, "null") {
					return nil
				}
				return []byte(rapid.StringMatching("[a-c,\"'\\\\\t\n\r.N]*").Draw(t, "field"))
			})
			rows := rapid.SliceOf(rapid.SliceOfN(field, len(names), len(names))).Draw(t, "rows")
			data := f.Begin(nil, names)
			for _, r := range rows {
				data = f.Row(data, names, r)
			}
			in := f.NewReader(iotest.OneByteReader(strings.NewReader(string(f.End(data)))), names)
			for i, want := range rows {
				got, err := in.Next()
				if err != nil || !slices.Equal(texts(got), texts(want)) {
					t.Fatalf("row %d: %q %v, want %q", i, texts(got), err, texts(want))
				}
			}
			for range 2 {
				if _, err := in.Next(); !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
			}
		})
	}
}

// Data that ends without being told to is taken as a file that ends with its last row; a row that is cut is not.
func TestBinaryEnds(t *testing.T) {
	f := Default(Binary)
	names := []string{"a"}
	whole := f.Row(f.Begin(nil, names), names, [][]byte{[]byte("xyz")})
	for cut := range whole {
		in := f.NewReader(strings.NewReader(string(whole[:cut])), names)
		_, err := in.Next()
		if ends := cut == headerSize; ends != errors.Is(err, io.EOF) || !ends && !errs.Of(err, errs.CopyFormat) {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
}

// What the stream fails with is passed on, and a line without an end is refused while it is read.
func TestStreamFails(t *testing.T) {
	gone := fmt.Errorf("gone")
	for _, kind := range []Kind{Text, CSV, Binary} {
		f := Default(kind)
		data := f.Begin(nil, nil)
		if _, err := f.NewReader(io.MultiReader(strings.NewReader(string(data)), iotest.ErrReader(gone)), []string{"a"}).Next(); !errors.Is(err, gone) {
			t.Error(kind, err)
		}
	}
	f := Default(Text)
	if _, err := f.NewReader(endless{}, []string{"a"}).Next(); !errs.Of(err, errs.CopyFormat) {
		t.Error(err)
	}
}

// endless is a stream of one line.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
