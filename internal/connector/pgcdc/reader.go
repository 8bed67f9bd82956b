package pgcdc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/mem"
)

// Bounds of a reader.
const (
	eventsMax   = 256                    // transactions that wait for the engine; the upstream keeps what is behind them
	statusEvery = time.Second            // how often the upstream hears of us, and we of its position
	smallBytes  = 64 << 10               // of a transaction that may wait beside others
	confirmWait = 100 * time.Millisecond // how long a confirmation may wait to be sent
	deliverWait = 10 * time.Millisecond  // how often a reader that waits looks around
	silenceMax  = 30 * time.Second       // without an answer the connection is given up
)

// reader implements connector.Reader: a replication connection that one goroutine reads, a session for Read, and one for
// everything else.
type reader struct {
	o         *options
	log       *pgconn.PgConn
	sql       *session
	reads     *session // nil until Read needs it
	assemble  *assembler
	events    chan connector.Event
	version   int
	memory    *mem.Budget // of what was read and not given back
	captures  atomic.Pointer[[]connector.Capture]
	confirmed atomic.Uint64
	stop      context.CancelFunc
	ended     sync.WaitGroup
	err       error // why reading ended; written before events is closed

	// Of the goroutine.
	heardAt time.Time
	reached connector.Position // everything before it was delivered
	sent    uint64             // the last confirmation
	sentAt  time.Time
}

// versionMessages is the first version that gives messages to pgoutput, and knows its protocol 2.
const versionMessages = 140000

func openReader(ctx context.Context, o *options, at connector.Position, tables []connector.Capture, memory *mem.Budget) (connector.Reader, error) {
	s, err := o.session(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{o: o, sql: s, memory: memory, events: make(chan connector.Event, eventsMax)}
	r.Capture(tables)
	if err := r.start(ctx, at); err != nil {
		s.close()
		if r.log != nil {
			closeConn(r.log)
		}
		return nil, err
	}
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = stop
	r.ended.Add(1)
	go func() {
		defer r.ended.Done()
		r.err = r.run(run)
		close(r.events)
	}()
	return r, nil
}

// start checks the slot and begins to read it.
func (r *reader) start(ctx context.Context, at connector.Position) error {
	err := r.sql.checkPrimary(ctx)
	if err != nil {
		return err
	}
	if r.version, err = r.sql.serverVersion(ctx); err != nil {
		return err
	}
	if at, err = r.checkSlot(ctx, at); err != nil {
		return err
	}
	xid, err := r.Now(ctx)
	if err != nil {
		return err
	}
	r.reached = at
	r.confirmed.Store(uint64(at))
	r.assemble = newAssembler(func() []connector.Capture { return *r.captures.Load() }, at, xid, r.memory)
	if r.log, err = r.o.connect(ctx, true); err != nil {
		return err
	}
	args := []string{"proto_version '1'", "publication_names " + literal(ident(r.o.publication))}
	if r.version >= versionMessages {
		args = []string{"proto_version '2'", args[1], "messages 'true'"}
	}
	err = pglogrepl.StartReplication(ctx, r.log, r.o.slot, pglogrepl.LSN(at), pglogrepl.StartReplicationOptions{PluginArgs: args})
	if err != nil {
		return r.o.failed(err)
	}
	return nil
}

// slotAlive is true of a slot whose log is kept. Older versions have no wal_status and keep it always.
const slotAlive = "coalesce(to_jsonb(s) ->> 'wal_status' <> 'lost', true)"

// checkSlot sees to it that the log goes back to where reading must begin.
func (r *reader) checkSlot(ctx context.Context, at connector.Position) (connector.Position, error) {
	row, err := r.sql.one(ctx, "SELECT CASE WHEN "+slotAlive+" THEN confirmed_flush_lsn END,"+
		" "+logEnd+" FROM pg_replication_slots s WHERE slot_name = "+literal(r.o.slot))
	if err != nil {
		return 0, err
	}
	lost := func(problem string) error {
		return errs.SlotLost.New("slot", r.o.slot, "problem", problem, "position", pglogrepl.LSN(at))
	}
	if row == nil {
		return 0, lost("does not exist")
	}
	confirmed, err := pglogrepl.ParseLSN(string(row[0]))
	if err != nil {
		return 0, lost("was invalidated")
	}
	if at == 0 {
		return connector.Position(confirmed), nil
	}
	if connector.Position(confirmed) > at {
		return 0, lost(fmt.Sprintf("begins at %s", confirmed))
	}
	if end, err := pglogrepl.ParseLSN(string(row[1])); err != nil || connector.Position(end) < at {
		return 0, lost(fmt.Sprintf("is of a server whose log ends at %s", row[1]))
	}
	return at, nil
}

// Events implements connector.Reader.
func (r *reader) Events() <-chan connector.Event { return r.events }

// Err implements connector.Reader.
func (r *reader) Err() error { return r.err }

// Capture implements connector.Reader.
func (r *reader) Capture(tables []connector.Capture) { r.captures.Store(&tables) }

// Confirm implements connector.Reader. The goroutine sends it.
func (r *reader) Confirm(p connector.Position) { r.confirmed.Store(uint64(p)) }

// Close implements connector.Reader.
func (r *reader) Close() {
	r.stop()
	r.ended.Wait()
	closeConn(r.log)
	r.sql.close()
	if r.reads != nil {
		r.reads.close()
	}
}

// run reads messages until the connection or the reader ends.
func (r *reader) run(ctx context.Context) error {
	r.heardAt = time.Now()
	for {
		if err := r.stretch(ctx); err != nil {
			return err
		}
	}
}

// stretch reads what comes for a while. Its messages share one context: to make one costs as much as a
// message does.
func (r *reader) stretch(ctx context.Context) error {
	wait, cancel := context.WithTimeout(ctx, confirmWait)
	defer cancel()
	for {
		if err := r.report(); err != nil {
			return r.o.failed(err)
		}
		msg, err := r.log.ReceiveMessage(wait)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case pgconn.Timeout(err) && time.Since(r.heardAt) < silenceMax:
			return nil
		case err != nil:
			return r.logError(err)
		}
		if err := r.message(ctx, msg); err != nil {
			return err
		}
		r.heardAt = time.Now() // not before: handing over may have taken long
	}
}

// undefinedObject is PostgreSQL's code for a publication that is not there. It looks for it as of each change, so that one
// made anew does not help.
const undefinedObject = "42704"

// logError is what ends the log.
func (r *reader) logError(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == undefinedObject {
		return errs.PublicationLost.New("publication", r.o.publication, "position", pglogrepl.LSN(r.confirmed.Load())).Wrap(err)
	}
	return r.o.failed(err)
}

func (r *reader) message(ctx context.Context, msg pgproto3.BackendMessage) error {
	switch m := msg.(type) {
	case *pgproto3.CopyData:
		return r.data(ctx, m.Data)
	case *pgproto3.ErrorResponse:
		return r.logError(pgconn.ErrorResponseToPgError(m))
	case *pgproto3.CopyDone:
		return r.o.failed(fmt.Errorf("the server has ended the log"))
	}
	return nil
}

// data takes one frame of the replication protocol.
func (r *reader) data(ctx context.Context, b []byte) error {
	if len(b) == 0 {
		return errs.StreamCorrupt.New("what", "empty frame")
	}
	switch b[0] {
	case pglogrepl.PrimaryKeepaliveMessageByteID:
		k, err := pglogrepl.ParsePrimaryKeepaliveMessage(b[1:])
		if err != nil {
			return errs.StreamCorrupt.New("what", err.Error())
		}
		if k.ReplyRequested {
			r.sentAt = time.Time{}
		}
		// What the server has read up to here is delivered, unless it is in the middle of a transaction.
		if at := connector.Position(k.ServerWALEnd); r.assemble.txn == nil && at > r.reached {
			return r.deliver(ctx, connector.Event{Position: at})
		}
		return nil
	case pglogrepl.XLogDataByteID:
		x, err := pglogrepl.ParseXLogData(b[1:])
		if err != nil {
			return errs.StreamCorrupt.New("what", err.Error())
		}
		m, err := decode(x.WALData)
		if err != nil {
			return err
		}
		ev, err := r.assemble.add(m)
		if err != nil || ev == nil {
			return err
		}
		if ev.Txn.More {
			ev.Position = r.reached
		} else if ev.Position <= r.reached { // the server begins a little before what we ask for
			r.memory.Release(ev.Bytes)
			return nil
		}
		return r.deliver(ctx, *ev)
	}
	return nil
}

// deliver hands over an event. The upstream hears of us while nobody takes it. An event that may be large waits until it is
// the only one, so that memory is bounded by two of them.
func (r *reader) deliver(ctx context.Context, ev connector.Event) error {
	r.reached = ev.Position
	alone := ev.Bytes > smallBytes
	ticks := time.NewTicker(deliverWait)
	defer ticks.Stop()
	for {
		events := r.events
		if alone && len(events) > 0 {
			events = nil
		}
		select {
		case events <- ev:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
			if err := r.report(); err != nil {
				return r.o.failed(err)
			}
		}
	}
}

// report tells the upstream what is confirmed, when that has changed or it has not heard from us for a while. It is asked
// for its own position, so that ours moves on while nothing is captured.
func (r *reader) report() error {
	p := r.confirmed.Load()
	if p == r.sent && time.Since(r.sentAt) < statusEvery {
		return nil
	}
	r.sent, r.sentAt = p, time.Now()
	return pglogrepl.SendStandbyStatusUpdate(context.Background(), r.log, pglogrepl.StandbyStatusUpdate{
		WALWritePosition: pglogrepl.LSN(p), WALFlushPosition: pglogrepl.LSN(p), WALApplyPosition: pglogrepl.LSN(p), ReplyRequested: true})
}
