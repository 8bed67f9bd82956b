package session

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// identify finds the name of the store, a UUID, and what keys the hashes of its rows; both are drawn when it is new.
func (d *Database) identify() error {
	d.started = d.now()
	if _, ok, err := meta.TallyKey(d.store.Meta()); err != nil || !ok {
		if err == nil {
			err = d.store.Apply([]kv.Write{meta.PutTallyKey(rand.Uint64())})
		}
		if err != nil {
			return err
		}
	}
	name, ok, err := meta.Cluster(d.store.Meta())
	if err != nil || ok {
		d.cluster = name
		return err
	}
	b := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, rand.Uint64()), rand.Uint64())
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80 // version and variant of a random UUID
	d.cluster = fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	return d.store.Apply([]kv.Write{meta.PutCluster(d.cluster)})
}
