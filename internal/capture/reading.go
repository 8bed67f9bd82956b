package capture

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/types"
)

// reading is a read of the next rows of a table in key order, which goes on beside the log. A transaction that changes what it
// may read waits until its rows are written: a snapshot must have seen what the log has given of them.
type reading struct {
	meanwhile []uint64 // transactions that the log has given since it began
	table     *table
	low       []byte // the cursor that it was read from
	limit     int
	began     time.Time
	stop      context.CancelFunc
	done      chan struct{} // closed when what follows is there
	rows      *held
	last      []byte // the highest key
	snap      connector.Snapshot
	err       error
}

// beginReading begins to read the rows behind a cursor.
func (s *source) beginReading(ctx context.Context, r connector.Reader, t *table, low []byte) error {
	g := connector.Range{Table: t.capture, Limit: t.pace.rows}
	if low != nil {
		var err error
		if g.After, err = t.keyValues(low); err != nil {
			return err
		}
	}
	c := &reading{table: t, low: low, limit: g.Limit, began: s.c.o.Now(), done: make(chan struct{}), rows: s.hold(t)}
	ctx, c.stop = context.WithCancel(ctx)
	s.reading = c
	go func() {
		defer close(c.done)
		var key []byte
		c.snap, c.err = r.Read(ctx, g, func(row types.Row) error {
			c.rows.add(row)
			if key = appendKey(key[:0], &g.Table, row); bytes.Compare(key, c.last) > 0 {
				c.last = append(c.last[:0], key...)
			}
			return nil
		})
	}()
	return nil
}

// hold makes an empty place for rows of a table, of which what it takes is counted.
func (s *source) hold(t *table) *held { return &held{dml: t.dml, meter: mem.NewMeter(s.memory)} }

// wasRead is closed when the chunk on its way has been read; nil when there is none.
func (s *source) wasRead() <-chan struct{} {
	if s.reading == nil {
		return nil
	}
	return s.reading.done
}

// mustFinish reports whether the chunk on its way has been read, or the log is to give what must wait for it.
func (s *source) mustFinish(batch []connector.Event) bool {
	if s.reading == nil {
		return false
	}
	select {
	case <-s.reading.done:
		return true
	default:
		return slices.ContainsFunc(batch, func(ev connector.Event) bool {
			return ev.Txn != nil && slices.ContainsFunc(ev.Txn.Changes, s.reading.mayRead)
		})
	}
}

// mayRead reports whether a change is of a row that is being read.
func (c *reading) mayRead(ch connector.Change) bool {
	switch {
	case ch.Table != uint64(c.table.rel.ID):
		return false
	case c.low == nil || ch.Err != nil || ch.Op == connector.Truncate:
		return true
	}
	return slices.ContainsFunc([]types.Row{ch.Old, ch.New}, func(row types.Row) bool {
		return row != nil && bytes.Compare(c.table.key(row), c.low) > 0
	})
}

// gave notes that the log has given a transaction. What a chunk on its way did not have to wait for does not matter to it,
// but to those after it.
func (s *source) gave(xid uint64) {
	if s.reading != nil {
		s.reading.meanwhile = append(s.reading.meanwhile, xid)
		return
	}
	s.passed.add(xid)
}

// dropReading ends the read that is on its way.
func (s *source) dropReading() {
	if c := s.reading; c != nil {
		c.stop()
		<-c.done
		s.ended(c)
	}
}

// ended takes over what was noted while a chunk was read.
func (s *source) ended(c *reading) {
	s.reading = nil
	c.rows.meter.Close()
	for _, xid := range c.meanwhile {
		s.passed.add(xid)
	}
}

// finishReading waits for the chunk on its way, and writes it. goOn says that the log has nothing that the next chunk would have
// to be written before, so that it may be read meanwhile.
func (s *source) finishReading(ctx context.Context, r connector.Reader, goOn bool) error {
	c := s.reading
	<-c.done
	c.stop()
	seen := c.err == nil && s.passed.seenBy(c.snap)
	s.ended(c)
	if s.tables[c.table.rel.ID] != c.table {
		return nil // it is not captured any more
	}
	err := c.err
	switch {
	case seen:
		err = s.writeReading(ctx, r, c, goOn)
	case err == nil:
		c.table.retry(s.c.o.Now())
	}
	if tableFault(err) {
		return s.giveUp(c.table.rel, err)
	}
	return err
}

// writeReading writes what was read, if it is to go on while the next chunk is read.
func (s *source) writeReading(ctx context.Context, r connector.Reader, c *reading, goOn bool) error {
	t, now := c.table, s.c.o.Now()
	w, err := s.window(ctx, r, c.snap)
	if err != nil {
		return err
	}
	t.pace.took(c.rows.rows, c.rows.size, now.Sub(c.began), now)
	done := c.rows.rows < c.limit
	if w.Low = c.low; !done {
		w.High = c.last
		if goOn && s.mayGoOn(t, now) {
			if err := s.beginReading(ctx, r, t, w.High); err != nil {
				return err
			}
		}
	}
	if t.rec.Stale {
		if err := s.clearGone(ctx, t, w.Low, w.High, c.rows); err != nil {
			return err
		}
	}
	return s.commit(ctx, func(a *applier, next *meta.Capture) (bool, error) {
		rec := next.Tables[t.rel.ID]
		rec.Done, rec.Cursor = done, w.High
		rec.Stale = rec.Stale && !done
		rec.Windows = append(rec.Windows, w)
		rec.Rows, rec.Ranges = rec.Rows+uint64(c.rows.rows), rec.Ranges+1
		if t.rec.Stale {
			return true, a.putAll(t, c.rows)
		}
		a.addAll(t, c.rows) // behind the cursor there is none: C1
		return true, nil
	})
}

// mayGoOn reports whether the next chunk of a table may be read before the last one is written. Tables take turns, and one
// whose pace is set has gaps anyway.
func (s *source) mayGoOn(t *table, now time.Time) bool {
	for _, o := range s.tables {
		if o != t && o.due() && !now.Before(o.pace.at) {
			return false
		}
	}
	return t.pace.rate < 0 && len(t.holes) == 0 && len(t.windows)+1 < windowsMax
}
