package engine

import (
	"sync/atomic"

	"github.com/tidemark-db/tidemark/internal/id"
)

// work is what the actors of an instance tell of their catch-ups between two barriers, so that the end of a scan need not
// be waited for.
type work struct {
	watched atomic.Bool       // the driver wants to know when a scan has ended
	scanned atomic.Uint64     // read in all, by earlier attempts too
	rows    atomic.Int64      // read since the step began
	ended   map[id.Actor]bool // actors with nothing more to read; owned by the driver
}

// begin: a step begins. Actors that have ended say so again after its barrier.
func (w *work) begin() {
	w.rows.Store(0)
	clear(w.ended)
}

// worked takes what an actor tells of a slice of work, on the actor's goroutine.
func (e *Engine) worked(in *instance, a id.Actor, rows, unspent int, more bool) {
	in.limit.Return(unspent)
	in.work.rows.Add(int64(rows))
	if !more && in.work.watched.Load() {
		e.post(func() { in.work.ended[a] = true })
	}
}

// unstaged is about how many bytes a barrier would stage.
func (in *instance) unstaged() (bytes int64) {
	in.each(func(_ *fragmentActors, a *runningActor) { bytes += a.actor.Unstaged() })
	return bytes
}

// idle reports whether no actor has anything more to read.
func (in *instance) idle() bool {
	idle := true
	in.each(func(_ *fragmentActors, a *runningActor) {
		idle = idle && (!a.actor.Working() || in.work.ended[a.id])
	})
	return idle
}
