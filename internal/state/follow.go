package state

import (
	"errors"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Follow emits what happened to all vnodes in (from, to], epoch by epoch: each chunk holds changes of one epoch.
func (s *RelationSnapshot) Follow(from, to epoch.Epoch, emit func(epoch.Epoch, *chunk.Chunk) error) error {
	var logs []kv.LogIterator // that have a change left
	closeAll := func(err error) error {
		for _, l := range logs {
			err = errors.Join(err, l.Close())
		}
		return err
	}
	for v := range s.format.Vnodes {
		l, err := s.view.Log(s.format.Table, uint16(v), from, to)
		if err != nil {
			return closeAll(err)
		}
		if l.Next() {
			logs = append(logs, l)
		} else if err := l.Close(); err != nil {
			return closeAll(err)
		}
	}
	for len(logs) > 0 {
		rest, err := s.followEpoch(logs, emit)
		logs = rest
		if err != nil {
			return closeAll(err)
		}
	}
	return nil
}

// followEpoch emits the changes of the first epoch that any of the logs is at, and returns the logs that go on after it.
// On an error it returns those that are open.
func (s *RelationSnapshot) followEpoch(logs []kv.LogIterator, emit func(epoch.Epoch, *chunk.Chunk) error) ([]kv.LogIterator, error) {
	at := logs[0].Epoch()
	for _, l := range logs {
		at = min(at, l.Epoch())
	}
	rows := newRowDecoder(s.format, s.cols)
	var rest []kv.LogIterator
	for i, l := range logs {
		more := true
		for more && l.Epoch() == at {
			if err := rows.change(l.Key()[kv.TablePrefixLen:], l.Old(), l.New()); err != nil {
				return append(rest, logs[i:]...), err
			}
			if rows.n >= changesRows {
				if err := emit(at, rows.take()); err != nil {
					return append(rest, logs[i:]...), err
				}
			}
			more = l.Next()
		}
		if more {
			rest = append(rest, l)
		} else if err := l.Close(); err != nil {
			return append(rest, logs[i+1:]...), err
		}
	}
	if c := rows.take(); c != nil {
		return rest, emit(at, c)
	}
	return rest, nil
}
