package engine

import "github.com/tidemark-db/tidemark/internal/actor"

// Host runs what goes on beside the driver. An engine that is open has a goroutine for each; a simulator takes turns.
type Host interface {
	// Actor turns a loop until it ends or fails, and then calls ended, once.
	Actor(l *actor.Loop, ended func(error))
	// Background runs fn soon.
	Background(fn func())
	// QueueRows is how many rows an input of an actor holds before its sender waits. Who has one goroutine must not wait.
	QueueRows() int
}

// goroutines is the host of a real engine.
type goroutines struct{}

func (goroutines) Background(fn func()) { go fn() }
func (goroutines) QueueRows() int       { return actor.QueueRows }

// Actor runs a catch-up on a thread of low priority, which it leaves when it is none any more.
func (goroutines) Actor(l *actor.Loop, ended func(error)) {
	go func() {
		var more bool
		var err error
		if !l.Actor().Pace.Low(func() { more, err = l.RunBehind() }) {
			more, err = true, nil
		}
		if more {
			go func() { ended(l.Run()) }()
			return
		}
		ended(err)
	}()
}

// beside runs work that takes long on the host; done follows as an event. Work that fails ends the engine: it writes.
func (d *driver) beside(work func() error, done func()) {
	d.running++
	d.e.host.Background(func() {
		err := work()
		d.e.post(func() {
			d.running--
			if err != nil {
				d.fail(err)
				return
			}
			done()
		})
	})
}
