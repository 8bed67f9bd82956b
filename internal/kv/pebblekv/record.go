package pebblekv

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// The store's own space sorts before those that readers see.
//
//	! e        the record of the last commit
//	! c slot   the records of the last commits, by number modulo recordsKept
//	! l        the leases that the last commit served
const spaceOwn = '!'

var (
	keyRecord = []byte{spaceOwn, 'e'}
	keyLeases = []byte{spaceOwn, 'l'}
)

func keySlot(number uint64) []byte { return []byte{spaceOwn, 'c', byte(number % recordsKept)} }

// recordsKept is how many commits back a gap is noticed on open.
const recordsKept = 8

// record names a commit. Each refers to the one before it, so that a commit that was lost below a later one shows.
type record struct {
	number      uint64 // 0: the creation of the store
	epoch, prev epoch.Epoch
}

func (r record) next(e epoch.Epoch) record {
	return record{number: r.number + 1, epoch: e, prev: r.epoch}
}

const recordVersion = 1

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (r record) encode() []byte {
	b := []byte{recordVersion}
	b = binary.BigEndian.AppendUint64(b, r.number)
	b = binary.BigEndian.AppendUint64(b, uint64(r.epoch))
	b = binary.BigEndian.AppendUint64(b, uint64(r.prev))
	return seal(b)
}

// seal appends a checksum, unseal takes it off.
func seal(b []byte) []byte { return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)) }

func unseal(b []byte, version byte) ([]byte, bool) {
	n := len(b) - 4
	if n < 1 || b[0] != version || crc32.Checksum(b[:n], castagnoli) != binary.BigEndian.Uint32(b[n:]) {
		return nil, false
	}
	return b[1:n], true
}

func decodeRecord(b []byte) (record, error) {
	b, ok := unseal(b, recordVersion)
	if !ok || len(b) != 24 {
		return record{}, errs.StoreCorrupt.New("what", "the record of a commit does not match its checksum")
	}
	return record{
		number: binary.BigEndian.Uint64(b),
		epoch:  epoch.Epoch(binary.BigEndian.Uint64(b[8:])),
		prev:   epoch.Epoch(binary.BigEndian.Uint64(b[16:])),
	}, nil
}

// readRecord returns the record of the last commit after it has checked that those before it are there; ok is false in a
// store that was never created to its end.
func readRecord(r kv.Reader) (last record, ok bool, err error) {
	b, ok, err := r.Get(keyRecord)
	if err != nil || !ok {
		return record{}, false, err
	}
	if last, err = decodeRecord(b); err != nil {
		return record{}, false, err
	}
	return last, true, checkSuccession(r, last)
}

func checkSuccession(r kv.Reader, last record) error {
	prev := last.epoch
	for n := last.number; n+recordsKept > last.number; n-- {
		b, _, err := r.Get(keySlot(n))
		if err != nil {
			return err
		}
		rec, err := decodeRecord(b)
		if err != nil {
			return err
		}
		if rec.number != n || rec.epoch != prev {
			return errs.StoreCorrupt.New("what", fmt.Sprintf("commit %d of epoch %d is missing below commit %d", n, prev, last.number))
		}
		if prev = rec.prev; n == 0 {
			return nil
		}
	}
	return nil
}

const leasesVersion = 1

func encodeLeases(leases map[id.Table]epoch.Epoch) []byte {
	b := []byte{leasesVersion}
	tables := slices.SortedFunc(maps.Keys(leases), cmp.Compare[id.Table])
	for _, t := range tables {
		b = binary.BigEndian.AppendUint32(b, uint32(t))
		b = binary.BigEndian.AppendUint64(b, uint64(leases[t]))
	}
	return seal(b)
}

func readLeases(r kv.Reader) (map[id.Table]epoch.Epoch, error) {
	b, ok, err := r.Get(keyLeases)
	if err != nil {
		return nil, err
	}
	b, sound := unseal(b, leasesVersion)
	if !ok || !sound || len(b)%12 != 0 {
		return nil, errs.StoreCorrupt.New("what", "the record of leases does not match its checksum")
	}
	leases := map[id.Table]epoch.Epoch{}
	for ; len(b) > 0; b = b[12:] {
		leases[id.Table(binary.BigEndian.Uint32(b))] = epoch.Epoch(binary.BigEndian.Uint64(b[4:]))
	}
	return leases, nil
}
