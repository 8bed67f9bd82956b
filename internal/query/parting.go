package query

import (
	"errors"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/spill"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

const (
	partitionBits = 4  // of the hash choose a file, the highest first: the lowest spread the keys of a file in an index
	hashBits      = 64 // of a hash
	partitions    = 1 << partitionBits
	// partedMax bounds how often rows are parted again: by then there would be 65,536 files' worth of keys.
	partedMax = 4
)

// parting is rows in files by the hash of their key, for what can be done for the rows of each file alone.
type parting struct {
	dir    *spill.Dir
	types  []types.T
	key    []int                   // columns
	parted int                     // how often the rows were parted already: other bits of the hash choose
	files  [partitions]*spill.File // nil: no row
	blocks mem.Meter               // of the files
	hashes []uint64
	row    []byte
}

func (x *executor) parting(fields []types.Field, key []int, parted int) parting {
	return parting{dir: x.Spill, types: types.FieldTypes(fields), key: key, parted: parted, blocks: mem.NewMeter(x.Memory)}
}

// add files rows of a chunk.
func (p *parting) add(c *chunk.Chunk, rows []int32) error {
	if len(rows) == 0 {
		return nil
	}
	p.hashes = append(p.hashes[:0], make([]uint64, c.Rows())...)
	vnode.Hash(c.Project(p.key).Cols, p.hashes)
	for _, i := range rows {
		f, err := p.file(p.hashes[i])
		if err != nil {
			return err
		}
		p.row = keyenc.AppendRow(p.row[:0], c.Cols, int(i))
		if err := f.Append(nil, p.row); err != nil {
			return err
		}
	}
	return nil
}

// addAll files all rows of a chunk.
func (p *parting) addAll(c *chunk.Chunk) error {
	rows := make([]int32, c.Rows())
	for i := range rows {
		rows[i] = int32(i)
	}
	return p.add(c, rows)
}

// file is where rows of a key belong.
func (p *parting) file(hash uint64) (*spill.File, error) {
	at := hash >> (hashBits - partitionBits*(p.parted+1)) % partitions
	if p.files[at] == nil {
		f, err := p.dir.Create()
		if err != nil {
			return nil, err
		}
		p.files[at] = f
		p.blocks.Note(p.blocks.Held() + spill.BlockBytes)
	}
	return p.files[at], nil
}

// seal ends the writing.
func (p *parting) seal() error {
	for _, f := range p.files {
		if f != nil {
			if err := f.Seal(); err != nil {
				return err
			}
		}
	}
	p.blocks.Note(spill.BlockBytes) // of the one that is read
	return nil
}

// read gives the rows of a file, once.
func (p *parting) read(at int, to stream.Out) error {
	f := p.files[at]
	if f == nil {
		return nil
	}
	out := rowsOut{types: p.types, out: to}
	for {
		_, row, ok, err := f.Next()
		if err != nil {
			return err
		}
		if !ok {
			return out.flush()
		}
		if err := out.add(row); err != nil {
			return err
		}
	}
}

// drop removes a file.
func (p *parting) drop(at int) error {
	f := p.files[at]
	if f == nil {
		return nil
	}
	p.files[at] = nil
	return f.Close()
}

// close removes all files.
func (p *parting) close() (err error) {
	for at := range p.files {
		err = errors.Join(err, p.drop(at))
	}
	p.blocks.Close()
	return err
}
