package copyfmt

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// rowMax bounds a line, and a field of the binary format, in bytes.
const rowMax = 64 << 20

// Reader takes rows from a stream.
type Reader interface {
	// Next returns the fields of the next row, nil for NULL, which are valid until the next call. It returns io.EOF after the
	// last one. What is wrong with the data is an error of the catalogue; others are those of the stream.
	Next() ([][]byte, error)
	// Line is the number of the line, or row, that was read last.
	Line() int
	// Where tells that line for an error, with how it begins if the format has lines; nothing before the first.
	Where() string
}

// NewReader reads rows of columns with these names.
func (f *Format) NewReader(r io.Reader, names []string) Reader {
	if f.Kind == Binary {
		return &binaryReader{r: bufio.NewReaderSize(r, bufferSize), names: names, data: []byte{}}
	}
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, bufferSize), rowMax)
	in.Split(f.records)
	return &lineReader{f: f, in: in, names: names}
}

// bufferSize is how much is taken from the stream at once.
const bufferSize = 64 << 10

// lineReader reads text and CSV.
type lineReader struct {
	f     *Format
	in    *bufio.Scanner
	names []string
	line  int
	ended bool
}

func (r *lineReader) Line() int { return r.line }

func (r *lineReader) Where() string {
	return fmt.Sprintf("line %d: \"%s\"", r.line, Excerpt(r.in.Bytes()))
}

func (r *lineReader) Next() ([][]byte, error) {
	first := r.line == 0
	line, err := r.scan()
	if err == nil && first && r.f.Header != HeaderNone {
		if err = r.header(line); err == nil {
			line, err = r.scan()
		}
	}
	if err != nil {
		return nil, err
	}
	fields, err := r.f.split(line, r.names)
	switch {
	case err != nil:
		return nil, err
	case len(fields) > len(r.names):
		return nil, errs.CopyFormat.New("what", "extra data after last expected column")
	case len(fields) < len(r.names):
		return nil, errs.CopyFormat.New("what", fmt.Sprintf("missing data for column \"%s\"", r.names[len(fields)]))
	}
	return fields, nil
}

// scan takes the next line. A line of its own may say that the data ends.
func (r *lineReader) scan() ([]byte, error) {
	if !r.ended && r.in.Scan() {
		line := r.in.Bytes()
		if string(line) != `\.` {
			r.line += 1 + bytes.Count(line, []byte{'\n'})
			return line, nil
		}
	}
	r.ended = true
	switch err := r.in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.line++
		return nil, errs.CopyFormat.New("what", fmt.Sprintf("the line has more than %d bytes", rowMax))
	case err != nil:
		return nil, err
	}
	return nil, io.EOF
}

// header reads the first line where it has the names of the columns.
func (r *lineReader) header(line []byte) error {
	if r.f.Header != HeaderMatch {
		return nil
	}
	fields, err := r.f.split(line, nil)
	if err != nil {
		return err
	}
	if len(fields) != len(r.names) {
		return errs.CopyFormat.New("what", fmt.Sprintf("wrong number of fields in header line: got %d, expected %d", len(fields), len(r.names)))
	}
	for i, f := range fields {
		switch {
		case f == nil:
			return errs.CopyFormat.New("what", fmt.Sprintf("column name mismatch in header line field %d: got null value (\"%s\"), expected \"%s\"", i+1, r.f.Null, r.names[i]))
		case string(f) != r.names[i]:
			return errs.CopyFormat.New("what", fmt.Sprintf("column name mismatch in header line field %d: got \"%s\", expected \"%s\"", i+1, f, r.names[i]))
		}
	}
	return nil
}

// excerptMax is how much of a line an error shows, in bytes.
const excerptMax = 100

// Excerpt is the beginning of data, for an error.
func Excerpt(b []byte) string {
	if len(b) <= excerptMax {
		return string(b)
	}
	return strings.ToValidUTF8(string(b[:excerptMax]), "") + "..."
}
