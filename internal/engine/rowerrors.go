package engine

import (
	"maps"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
)

// rowErrorsMax bounds how many kinds of failing rows are remembered for all jobs together.
const rowErrorsMax = 1000

// RowError is a kind of failure of rows in a running job: what an expression of a view fails on is NULL there, what the
// table of a sink does not take is left out.
type RowError struct {
	Job         id.Job
	Code, Text  string
	Detail      string // of the last one; it may name the row
	Count       int64
	First, Last time.Time
}

// rowErrors counts failing rows by job and message.
type rowErrors struct {
	now func() time.Time
	mu  struct {
		sync.Mutex
		kinds map[rowErrorKey]*RowError
	}
}

type rowErrorKey struct {
	job  id.Job
	text string
}

func (r *rowErrors) add(j id.Job, err error) {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	k := rowErrorKey{j, err.Error()}
	e := r.mu.kinds[k]
	if e == nil {
		if len(r.mu.kinds) >= rowErrorsMax {
			return
		}
		if r.mu.kinds == nil {
			r.mu.kinds = map[rowErrorKey]*RowError{}
		}
		e = &RowError{Job: j, Code: errs.Code(err), Text: k.text, First: now}
		r.mu.kinds[k] = e
	}
	e.Count++
	e.Last = now
	if known, ok := errs.As(err); ok {
		e.Detail = known.Detail
	}
}

// forget drops what is known of a job that is gone.
func (r *rowErrors) forget(j id.Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.mu.kinds, func(k rowErrorKey, _ *RowError) bool { return k.job == j })
}

// RowLeftOut counts a row of a sink that its table did not take.
func (e *Engine) RowLeftOut(j id.Job, err error) { e.rowErrors.add(j, err) }

// RowErrors returns what failed, in no order.
func (e *Engine) RowErrors() []RowError {
	e.rowErrors.mu.Lock()
	defer e.rowErrors.mu.Unlock()
	out := make([]RowError, 0, len(e.rowErrors.mu.kinds))
	for _, r := range e.rowErrors.mu.kinds {
		out = append(out, *r)
	}
	return out
}
