package copyfmt

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// The binary format: a signature, flags and an extension of the header; rows of a count of fields, each a length and that many
// bytes; -1 for a count is the end, for a length NULL. Numbers are big-endian.
const (
	signature  = "PGCOPY\n\xff\r\n\x00"
	headerSize = len(signature) + 4 + 4
	flagOIDs   = 1 << 16 // rows begin with an identifier, up to PostgreSQL 11
	critical   = 0xffff << 16
)

// binaryReader reads the binary format.
type binaryReader struct {
	r      *bufio.Reader
	names  []string
	row    int
	column string // that is being read
	begun  bool
	data   []byte // of the fields of a row; never nil, as its parts are not
	fields [][]byte
}

func (r *binaryReader) Line() int { return r.row }

func (r *binaryReader) Where() string {
	switch {
	case r.row == 0:
		return ""
	case r.column != "":
		return fmt.Sprintf("line %d, column %s", r.row, r.column)
	}
	return fmt.Sprintf("line %d", r.row)
}

func (r *binaryReader) Next() ([][]byte, error) {
	if !r.begun {
		if err := r.header(); err != nil {
			return nil, err
		}
		r.begun = true
	}
	r.row, r.column = r.row+1, ""
	n, err := r.count()
	switch {
	case err != nil: // of io.EOF too: an end need not be told
		return nil, err
	case n == -1:
		return nil, r.end()
	case n != len(r.names):
		return nil, errs.CopyFormat.New("what", fmt.Sprintf("row field count is %d, expected %d", n, len(r.names)))
	}
	r.data, r.fields = r.data[:0], r.fields[:0]
	lengths := make([]int, n)
	for i := range lengths {
		r.column = r.names[i]
		if lengths[i], err = r.field(); err != nil {
			return nil, err
		}
	}
	at := 0
	for _, size := range lengths {
		if size < 0 {
			r.fields = append(r.fields, nil)
			continue
		}
		r.fields = append(r.fields, r.data[at:at+size:at+size])
		at += size
	}
	return r.fields, nil
}

// header reads what precedes the rows.
func (r *binaryReader) header() error {
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(r.r, head); isEnd(err) || err == nil && string(head[:len(signature)]) != signature {
		return errs.CopyFormat.New("what", "COPY file signature not recognized")
	} else if err != nil {
		return err
	}
	switch flags := binary.BigEndian.Uint32(head[len(signature):]); {
	case flags&flagOIDs != 0:
		return errs.CopyFormat.New("what", "invalid COPY file header (WITH OIDS)")
	case flags&critical != 0:
		return errs.CopyFormat.New("what", "unrecognized critical flags in COPY file header")
	}
	if _, err := r.r.Discard(int(binary.BigEndian.Uint32(head[len(signature)+4:]))); isEnd(err) {
		return errs.CopyFormat.New("what", "invalid COPY file header (wrong length)")
	} else if err != nil {
		return err
	}
	return nil
}

// count reads how many fields a row has; io.EOF where there is nothing.
func (r *binaryReader) count() (int, error) {
	var b [2]byte
	if _, err := io.ReadFull(r.r, b[:]); err != nil {
		return 0, unended(err)
	}
	return int(int16(binary.BigEndian.Uint16(b[:]))), nil
}

// end checks that nothing comes after the end.
func (r *binaryReader) end() error {
	if _, err := r.r.ReadByte(); err != nil {
		return err
	}
	return errs.CopyFormat.New("what", "received copy data after EOF marker")
}

// field reads a field and returns its length, -1 for NULL.
func (r *binaryReader) field() (int, error) {
	var b [4]byte
	if _, err := io.ReadFull(r.r, b[:]); err != nil {
		return 0, ended(err)
	}
	size := int(int32(binary.BigEndian.Uint32(b[:])))
	switch {
	case size == -1:
		return size, nil
	case size < 0:
		return 0, errs.CopyFormat.New("what", "invalid field size")
	case size > rowMax-len(r.data):
		return 0, errs.CopyFormat.New("what", fmt.Sprintf("the row has more than %d bytes", rowMax))
	}
	at := len(r.data)
	r.data = append(r.data, make([]byte, size)...)
	_, err := io.ReadFull(r.r, r.data[at:])
	return size, ended(err)
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// ended is the error where a row is not whole.
func ended(err error) error {
	if isEnd(err) {
		return errs.CopyFormat.New("what", "unexpected EOF in COPY data")
	}
	return err
}

// unended is ended where a row may as well not begin.
func unended(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return ended(err)
	}
	return err
}
