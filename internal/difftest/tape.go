package difftest

import (
	"context"
	"fmt"
)

// Tape is an oracle that was asked before: it keeps what was answered, and says it again to who asks the same.
type Tape struct {
	of      Oracle // nil while it plays
	answers []answer
	at      int
}

type answer struct {
	sql  string
	rows Rows
	err  error
}

// Record returns a tape of what the oracle answers from now on.
func Record(o Oracle) *Tape { return &Tape{of: o} }

// Play returns the tape from its begin.
func (t *Tape) Play() *Tape { return &Tape{answers: t.answers} }

// Exec implements Oracle. Questions whose answers are on the tape must come in its order; others between them are passed over.
func (t *Tape) Exec(ctx context.Context, sql string) (Rows, error) {
	if t.of != nil {
		rows, err := t.of.Exec(ctx, sql)
		t.answers = append(t.answers, answer{sql, rows, err})
		return rows, err
	}
	for t.at < len(t.answers) {
		a := t.answers[t.at]
		t.at++
		if a.sql == sql {
			return a.rows, a.err
		}
	}
	return Rows{}, fmt.Errorf("nobody asked before: %s", sql)
}
