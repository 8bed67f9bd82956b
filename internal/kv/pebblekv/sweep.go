package pebblekv

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Places in the key of a changelog block.
const (
	logTableEnd  = 5
	logVnodeEnd  = 7
	logPrefixLen = 15
)

func blockSum(key, block []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, block)
}

// sweepCommits is how many commits pass between two removals of changelog blocks: a range delete for each vnode costs
// more than a block, so a few seconds' worth go at once.
const sweepCommits = 8

// sweep removes the blocks that none of the leases needs. The leases are those that the last commit recorded: a crash
// must not bring back a lease of what was removed. It hops from vnode to vnode by seeking.
func (s *Store) sweep(leases map[id.Table]epoch.Epoch) error {
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: []byte{kv.SpaceLog}, UpperBound: []byte{kv.SpaceLog + 1}})
	if err != nil {
		return classify(err)
	}
	b := s.db.NewBatch()
	defer b.Close()
	for ok := it.First(); ok; {
		start, end := surplus(it.Key(), leases)
		if start != nil {
			if err := b.DeleteRange(start, end, nil); err != nil {
				return classify(err)
			}
		}
		ok = it.SeekGE(afterVnode(it.Key()))
	}
	if err := it.Close(); err != nil {
		return classify(err)
	}
	if b.Empty() {
		return nil
	}
	return s.failure.run(func() error { return b.Commit(pebble.Sync) })
}

// surplus returns the range of a vnode's blocks that may go; key is its first block. Nil when all are needed.
func surplus(key []byte, leases map[id.Table]epoch.Epoch) (start, end []byte) {
	t := id.Table(binary.BigEndian.Uint32(key[1:]))
	vnode := binary.BigEndian.Uint16(key[logTableEnd:])
	from, leased := leases[t]
	if !leased {
		return kv.AppendLog(nil, t, vnode, 0), afterVnode(key)
	}
	if epoch.Epoch(binary.BigEndian.Uint64(key[logVnodeEnd:])) > from {
		return nil, nil
	}
	return kv.AppendLog(nil, t, vnode, 0), kv.AppendLog(nil, t, vnode, from+1)
}

// afterVnode is the first key after all blocks of the vnode that key belongs to.
func afterVnode(key []byte) []byte { return kv.PrefixEnd(key[:logVnodeEnd]) }
