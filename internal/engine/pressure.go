package engine

import (
	"context"
	"runtime"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
)

// over reports whether an account holds more than it may. What is counted there exists already, so it is for others to see
// to it: caches let go of rows at a barrier, changes go with a commit.
func over(account *mem.Budget) bool {
	limit := account.Limit()
	return limit > 0 && account.Used() > limit
}

// relieve ends an epoch, and begins a commit, sooner than they are due when that gives memory back.
func (d *driver) relieve() {
	d.urgent = d.urgent || d.wanted && over(d.e.opts.Memory)
	d.commitSoon = d.commitSoon || over(d.e.opts.Changes)
}

// countRun counts a staged run until it is garbage: it is held by the job that staged it, by the store until it is durable,
// and by whoever reads an epoch that has it.
func countRun(account *mem.Budget, r *kv.Run) {
	if account == nil {
		return
	}
	size := int64(r.Size())
	account.Force(size)
	runtime.AddCleanup(r, account.Release, size)
}

// changesSlack is how many times what changes may take is there before writers wait: a commit takes its time, and what it
// writes is in memory until its end.
const changesSlack = 2

// backPressure lets whoever writes wait for a commit of what is visible when the changes before its own take too much.
func (e *Engine) backPressure() error {
	if c := e.opts.Changes; e.stepped || c.Limit() == 0 || c.Used() <= changesSlack*c.Limit() {
		return nil
	}
	return e.WaitDurable(context.Background(), e.Visible())
}
