package spill

import (
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/zeebo/xxh3"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// BlockBytes is what an open file holds in memory: a block that is being filled or read. A block has whole records and is
// larger only when one record is.
const BlockBytes = 16 << 10

// blockHead is the length and the checksum before a block's records.
const blockHead = 4 + 8

// blockMax is larger than any block: a row has an upper size far below, so a longer one was not written by us.
const blockMax = 1 << 31

// disk is a file of the operating system.
type disk interface {
	io.ReadWriteSeeker
	io.Closer
	Name() string
}

// File is records, first written, then read, by one goroutine. A record is a key and a row, either of which may be empty.
type File struct {
	name  string
	disk  disk
	block []byte // with its head while it is written, without while it is read
	rest  []byte // of the block that is read
	head  [blockHead]byte
}

// Append adds a record. The bytes are copied.
func (f *File) Append(key, row []byte) error {
	if f.block == nil {
		f.block = make([]byte, blockHead, BlockBytes)
	}
	if need := len(key) + len(row) + 2*binary.MaxVarintLen64; len(f.block) > blockHead && len(f.block)+need > BlockBytes {
		if err := f.flush(); err != nil {
			return err
		}
	}
	f.block = binary.AppendUvarint(f.block, uint64(len(key)))
	f.block = append(f.block, key...)
	f.block = binary.AppendUvarint(f.block, uint64(len(row)))
	f.block = append(f.block, row...)
	return nil
}

// flush writes the block.
func (f *File) flush() error {
	if len(f.block) <= blockHead {
		return nil
	}
	records := f.block[blockHead:]
	binary.LittleEndian.PutUint32(f.block, uint32(len(records)))
	binary.LittleEndian.PutUint64(f.block[4:], xxh3.Hash(records))
	if _, err := f.disk.Write(f.block); err != nil {
		return failure(f.name, err)
	}
	f.block = f.block[:blockHead]
	return nil
}

// Seal ends the writing and gives back its memory; the first Next reads the first record.
func (f *File) Seal() error {
	if err := f.flush(); err != nil {
		return err
	}
	f.block, f.rest = nil, nil
	if _, err := f.disk.Seek(0, io.SeekStart); err != nil {
		return failure(f.name, err)
	}
	return nil
}

// Next reads a record; ok is false at the end. The bytes are valid until the next.
func (f *File) Next() (key, row []byte, ok bool, err error) {
	if len(f.rest) == 0 {
		if ok, err := f.read(); err != nil || !ok {
			return nil, nil, false, err
		}
	}
	key, kok := f.part()
	row, rok := f.part()
	if !kok || !rok {
		return nil, nil, false, errs.SpillDamaged.New("file", f.name, "what", "a record ends outside of its block")
	}
	return key, row, true, nil
}

// part takes a string with its length before it from the block.
func (f *File) part() ([]byte, bool) {
	n, k := binary.Uvarint(f.rest)
	if k <= 0 || n > uint64(len(f.rest)-k) {
		return nil, false
	}
	part := f.rest[k : k+int(n)]
	f.rest = f.rest[k+int(n):]
	return part, true
}

// read takes the next block; ok is false at the end of the file.
func (f *File) read() (ok bool, err error) {
	if _, err := io.ReadFull(f.disk, f.head[:]); err == io.EOF {
		return false, nil
	} else if err != nil {
		return false, f.cut(err)
	}
	n := binary.LittleEndian.Uint32(f.head[:])
	if n == 0 || n > blockMax {
		return false, errs.SpillDamaged.New("file", f.name, "what", "a block has no length")
	}
	if cap(f.block) < int(n) {
		f.block = make([]byte, n)
	}
	f.block = f.block[:n]
	if _, err := io.ReadFull(f.disk, f.block); err != nil {
		return false, f.cut(err)
	}
	if xxh3.Hash(f.block) != binary.LittleEndian.Uint64(f.head[4:]) {
		return false, errs.SpillDamaged.New("file", f.name, "what", "the checksum of a block does not match")
	}
	f.rest = f.block
	return true, nil
}

// cut is the error of a read that got less than a block.
func (f *File) cut(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return errs.SpillDamaged.New("file", f.name, "what", "it ends within a block")
	}
	return failure(f.name, err)
}

// Close removes the file.
func (f *File) Close() error {
	path := f.disk.Name()
	f.block, f.rest = nil, nil
	if err := errors.Join(f.disk.Close(), os.Remove(path)); err != nil {
		return failure(f.name, err)
	}
	return nil
}
