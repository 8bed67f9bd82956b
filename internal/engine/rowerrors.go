package engine

import (
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
)

// rowErrorsMax bounds how many kinds of failing rows are remembered for all jobs together.
const rowErrorsMax = 1000

// RowError is a kind of failure of expressions in a running view: such rows have NULL there.
type RowError struct {
	Job         id.Job
	Code, Text  string
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
}

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
