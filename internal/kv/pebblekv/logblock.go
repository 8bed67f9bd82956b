package pebblekv

import (
	"encoding/binary"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// A changelog segment is stored as blocks of many changes, because a key of Pebble's own for each change would double
// the rows of a leased table. A block is found at the segment's prefix and the first row key in it:
//
//	l | table | vnode | epoch | first key  ->  version | changes | crc32c of the block's key and all before
//	change: uvarint len(key), uvarint len(old)+1, uvarint len(new)+1, key, old, new     (0: absent)
//
// Keys of rows stand without table and vnode.
const (
	logVersion    = 1
	logBlockBytes = 32 << 10 // as large as a block of Pebble's
)

// logWriter cuts a changelog into blocks.
type logWriter struct {
	table id.Table
	vnode uint16
	put   func(key, value []byte) error
	epoch epoch.Epoch
	key   []byte // of the block being filled, empty when there is none
	block []byte
}

func (w *logWriter) write(log kv.LogIterator) error {
	for log.Next() {
		if len(w.block) >= logBlockBytes || log.Epoch() != w.epoch {
			if err := w.flush(); err != nil {
				return err
			}
		}
		w.add(log)
	}
	if err := w.flush(); err != nil {
		return err
	}
	return log.Close()
}

func (w *logWriter) add(log kv.LogIterator) {
	key := log.Key()[kv.TablePrefixLen:]
	if len(w.block) == 0 {
		w.epoch = log.Epoch()
		w.key = append(kv.AppendLog(w.key[:0], w.table, w.vnode, w.epoch), key...)
		w.block = append(w.block, logVersion)
	}
	w.block = binary.AppendUvarint(w.block, uint64(len(key)))
	w.block = appendLen(w.block, log.Old())
	w.block = appendLen(w.block, log.New())
	w.block = append(append(append(w.block, key...), log.Old()...), log.New()...)
}

func appendLen(dst, v []byte) []byte {
	if v == nil {
		return append(dst, 0)
	}
	return binary.AppendUvarint(dst, uint64(len(v))+1)
}

func (w *logWriter) flush() error {
	if len(w.block) == 0 {
		return nil
	}
	w.block = binary.BigEndian.AppendUint32(w.block, blockSum(w.key, w.block))
	err := w.put(w.key, w.block)
	w.block = w.block[:0]
	return err
}

// logReader reads the blocks of one vnode.
type logReader struct {
	it            *pebble.Iterator
	started       bool
	err           error
	epoch         epoch.Epoch
	rest          []byte // of the block's changes
	key, old, new []byte
}

func newLogReader(r pebble.Reader, t id.Table, vnode uint16, from, to epoch.Epoch) (*logReader, error) {
	o := &pebble.IterOptions{LowerBound: kv.AppendLog(nil, t, vnode, from+1), UpperBound: kv.AppendLog(nil, t, vnode, to+1)}
	it, err := r.NewIter(o)
	if err != nil {
		return nil, unread(err)
	}
	return &logReader{it: it, key: kv.AppendTable(nil, t, vnode)}, nil
}

func (r *logReader) Next() bool {
	if len(r.rest) == 0 && !r.load() {
		return false
	}
	if !r.decode() {
		r.err = errs.StoreCorrupt.New("what", "a changelog block can not be decoded")
	}
	return r.err == nil
}

// load moves on to the next block.
func (r *logReader) load() bool {
	if r.err != nil || !r.step() {
		return false
	}
	v, err := r.it.ValueAndErr()
	if err != nil {
		r.err = unread(err)
		return false
	}
	if r.epoch, r.rest, err = openBlock(r.it.Key(), v); err != nil {
		r.err = err
	}
	return r.err == nil
}

func (r *logReader) step() bool {
	if !r.started {
		r.started = true
		return r.it.First()
	}
	return r.it.Next()
}

// openBlock checks a block and returns its changes.
func openBlock(key, v []byte) (epoch.Epoch, []byte, error) {
	n := len(v) - 4
	if n < 2 || v[0] != logVersion || len(key) < logPrefixLen || blockSum(key, v[:n]) != binary.BigEndian.Uint32(v[n:]) {
		return 0, nil, errs.StoreCorrupt.New("what", "a changelog block does not match its checksum")
	}
	return epoch.Epoch(binary.BigEndian.Uint64(key[logVnodeEnd:])), v[1:n], nil
}

// decode takes the next change off the block.
func (r *logReader) decode() bool {
	klen, k := binary.Uvarint(r.rest)
	if k <= 0 {
		return false
	}
	olen, o := binary.Uvarint(r.rest[k:])
	if o <= 0 {
		return false
	}
	nlen, n := binary.Uvarint(r.rest[k+o:])
	if n <= 0 {
		return false
	}
	b := r.rest[k+o+n:]
	var key []byte
	var ok [3]bool
	key, b, ok[0] = take(b, klen+1)
	r.old, b, ok[1] = take(b, olen)
	r.new, b, ok[2] = take(b, nlen)
	r.key, r.rest = append(r.key[:kv.TablePrefixLen], key...), b
	return ok == [3]bool{true, true, true}
}

// take cuts size-1 bytes off b; size 0 is an absent value.
func take(b []byte, size uint64) (v, rest []byte, ok bool) {
	if size == 0 {
		return nil, b, true
	}
	if size-1 > uint64(len(b)) {
		return nil, nil, false
	}
	return b[: size-1 : size-1], b[size-1:], true
}

func (r *logReader) Epoch() epoch.Epoch { return r.epoch }
func (r *logReader) Key() []byte        { return r.key }
func (r *logReader) Old() []byte        { return r.old }
func (r *logReader) New() []byte        { return r.new }

func (r *logReader) Close() error {
	if err := r.it.Close(); r.err == nil {
		r.err = unread(err)
	}
	return r.err
}
