package capture

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Bounds of a read of history.
const (
	chunkRowsFirst = 256                    // before it is known how large rows are
	chunkRowsMax   = 262144                 // a table in no order is gone through once for each of its chunks
	chunkBytes     = 32 << 20               // what a chunk should take in memory
	chunkTime      = 500 * time.Millisecond // how long a read should take: changes of what it reads wait for it
	chunkGrowth    = 16                     // how much larger than the last a chunk may be
	windowsMax     = 8                      // chunks of a table that the log may be behind
	passedMax      = 1 << 20                // transactions remembered; a history that runs behind more of them waits
	retryAfter     = 50 * time.Millisecond
)

// pace says when the next piece of a table's history is read, and how large it may be.
type pace struct {
	rows  int       // of the next read
	bytes int       // that a read should take
	rate  float64   // rows a second; 0 pauses, below 0 is no limit
	at    time.Time // not before
	floor uint64    // not before all transactions up to this number have ended; 0: they have
}

// setRate takes over the option of a relation.
func (p *pace) setRate(option string) {
	rate, err := strconv.ParseFloat(option, 64)
	if err != nil {
		rate = -1
	}
	if rate != p.rate {
		p.rate, p.at = rate, time.Time{}
		p.bound()
	}
}

func (p *pace) bound() {
	p.rows = min(max(p.rows, 1), chunkRowsMax)
	if p.rate > 0 {
		p.rows = min(p.rows, max(1, int(p.rate/10)))
	}
}

// took adapts to what a read has given.
func (p *pace) took(rows, bytes int, lasted time.Duration, now time.Time) {
	if bytes > 0 {
		p.rows = min(p.rows*chunkGrowth, max(1, rows*p.bytes/bytes))
	}
	if lasted > chunkTime {
		p.rows = min(p.rows, max(1, int(float64(rows)*float64(chunkTime)/float64(lasted))))
	}
	p.bound()
	if p.rate > 0 {
		p.at = now.Add(time.Duration(float64(rows) / p.rate * float64(time.Second)))
	}
}

// passed remembers which transactions the log has given, so that a read can be refused that has not seen all of them: a
// transaction that waits for a standby is in the log before others see it.
type passed struct {
	xids    []uint64
	dropped uint64 // the highest that is not remembered
}

func (p *passed) add(xid uint64) {
	if len(p.xids) >= passedMax {
		for _, x := range p.xids[:passedMax/2] {
			p.dropped = max(p.dropped, x)
		}
		p.xids = slices.Delete(p.xids, 0, passedMax/2)
	}
	p.xids = append(p.xids, xid)
}

// seenBy reports whether a snapshot has seen all of them, and forgets those that every later one sees.
func (p *passed) seenBy(s connector.Snapshot) bool {
	p.xids = slices.DeleteFunc(p.xids, func(x uint64) bool { return x < s.Min })
	return p.dropped < s.Min && !slices.ContainsFunc(p.xids, func(x uint64) bool { return !s.Sees(x) })
}

// due reports whether a read is next for the table. The log must leave those before behind it: all of them before a key is
// read on its own, because of two windows over a key the first would decide.
func (t *table) due() bool {
	switch {
	case t.pace.rate == 0:
		return false
	case len(t.holes) > 0:
		return len(t.windows) == 0
	}
	return !t.rec.Done && len(t.windows) < windowsMax
}

// readHistory reads a piece of history of a table, or begins to, if one is due and none is on its way.
func (s *source) readHistory(ctx context.Context, r connector.Reader) error {
	if s.reading != nil {
		return nil
	}
	now := s.c.o.Now()
	var t *table
	for _, r := range slices.Sorted(maps.Keys(s.tables)) { // the one that has waited longest
		if o := s.tables[r]; o.due() && !now.Before(o.pace.at) && (t == nil || o.pace.at.Before(t.pace.at)) {
			t = o
		}
	}
	if t == nil {
		return nil
	}
	ready, err := s.ready(ctx, r, t)
	if !ready || err != nil {
		return err
	}
	t.pace.at = now
	if t.rec.Stale && t.rec.Cursor == nil && !t.diffable() {
		if err := s.clearStale(ctx, t); err != nil {
			return err
		}
	}
	switch {
	case len(t.rec.Holes) > 0:
		err = s.readRow(ctx, r, t)
	case t.ordered:
		err = s.beginReading(ctx, r, t, t.rec.Cursor)
	default:
		err = s.readWhole(ctx, r, t)
	}
	if tableFault(err) {
		return s.giveUp(t.rel, err)
	}
	return err
}

// ready waits for the transactions that the log may have given without the table.
func (s *source) ready(ctx context.Context, r connector.Reader, t *table) (bool, error) {
	if t.pace.floor == 0 {
		return true, nil
	}
	oldest, err := r.Oldest(ctx)
	if err != nil {
		return false, err
	}
	wait := ""
	if oldest <= t.pace.floor {
		t.pace.at = s.c.o.Now().Add(retryAfter)
		wait = fmt.Sprintf("waits for upstream transaction %d to end", oldest)
	} else {
		t.pace.floor = 0
	}
	s.show(func(b *board) {
		st := b.tables[t.rel.ID]
		st.Wait = wait
		b.tables[t.rel.ID] = st
	})
	return wait == "", nil
}

// window bounds what was read: changes that its snapshot has not seen come after it, up to a mark of now.
func (s *source) window(ctx context.Context, r connector.Reader, snap connector.Snapshot) (meta.CaptureWindow, error) {
	until, err := r.Mark(ctx)
	return meta.CaptureWindow{Snapshot: snap.String(), Until: uint64(until)}, err
}

// retry reads a table again later, of which a read has not seen what the log has given.
func (t *table) retry(now time.Time) { t.pace.at = now.Add(retryAfter) }

// readRow reads the one row of a hole.
func (s *source) readRow(ctx context.Context, r connector.Reader, t *table) error {
	key := t.rec.Holes[0]
	values, err := t.keyValues(key)
	if err != nil {
		return err
	}
	var rows []types.Row
	snap, err := r.Read(ctx, connector.Range{Table: t.capture, Key: values}, func(row types.Row) error {
		if bytes.Equal(t.key(row), key) { // collations may call others equal
			rows = append(rows, slices.Clone(row))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !s.passed.seenBy(snap) {
		t.retry(s.c.o.Now())
		return nil
	}
	w, err := s.window(ctx, r, snap)
	if err != nil {
		return err
	}
	return s.commit(ctx, func(a *applier, next *meta.Capture) (bool, error) {
		rec := next.Tables[t.rel.ID]
		rec.Holes = rec.Holes[1:]
		w.Key = key
		rec.Windows = append(rec.Windows, w)
		if len(rows) == 0 {
			return true, a.clear(t, t.keyRow(values))
		}
		return true, a.put(t, rows[0])
	})
}

// readWhole reads a table whose key the upstream sorts in its own way. It is one range under one snapshot, read again from
// the beginning when that is lost; the log waits meanwhile.
func (s *source) readWhole(ctx context.Context, r connector.Reader, t *table) error {
	if err := s.beginWhole(ctx, t); err != nil {
		return err
	}
	rows := s.hold(t)
	var count uint64
	flush := func() error {
		count += uint64(rows.rows)
		err := s.commit(ctx, func(a *applier, _ *meta.Capture) (bool, error) {
			a.addAll(t, rows) // the table was emptied
			return false, nil
		})
		rows.meter.Close()
		rows = s.hold(t)
		return err
	}
	snap, err := r.Read(ctx, connector.Range{Table: t.capture}, func(row types.Row) error {
		if rows.add(row); rows.size >= t.pace.bytes || rows.rows >= chunkRowsMax {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	if !s.passed.seenBy(snap) {
		t.retry(s.c.o.Now())
		return nil
	}
	w, err := s.window(ctx, r, snap)
	if err != nil {
		return err
	}
	return s.commit(ctx, func(_ *applier, next *meta.Capture) (bool, error) {
		rec := next.Tables[t.rel.ID]
		rec.Done, rec.Stale, rec.Rows, rec.Ranges = true, false, count, 1
		rec.Windows = append(rec.Windows, w)
		return true, nil
	})
}

// beginWhole empties a table for a read in one go. What such a read leaves when it is interrupted is stale: the next one may be
// in ranges, if an index was made upstream. Ranges of a read before count no more.
func (s *source) beginWhole(ctx context.Context, t *table) error {
	err := s.commit(ctx, func(_ *applier, next *meta.Capture) (bool, error) {
		rec := next.Tables[t.rel.ID]
		rec.Stale, rec.Whole, rec.Cursor, rec.Windows = true, false, nil, nil
		return true, nil
	})
	if err != nil {
		return err
	}
	return s.clearAll(ctx, t, nil)
}
