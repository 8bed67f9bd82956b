package mem

import "github.com/tidemark-db/tidemark/internal/errs"

// Meter keeps in an account what one structure holds while it grows and shrinks. One goroutine at a time uses it. The
// zero Meter, and one of a nil account, count nothing.
type Meter struct {
	account *Budget
	held    int64
}

// NewMeter returns a meter that holds nothing yet.
func NewMeter(account *Budget) Meter { return Meter{account: account} }

// Set makes the meter hold n bytes. When they do not fit it goes on holding what it held, and the error names the
// account that is full.
func (m *Meter) Set(n int64) error {
	if more := n - m.held; more > 0 {
		if err := m.account.Reserve(more); err != nil {
			return err
		}
	} else {
		m.account.Release(-more)
	}
	m.held = n
	return nil
}

// Note makes the meter hold n bytes whatever the limits: they exist already.
func (m *Meter) Note(n int64) {
	if more := n - m.held; more > 0 {
		m.account.Force(more)
	} else {
		m.account.Release(-more)
	}
	m.held = n
}

// Alone is the error for what the meter holds when that does not fit even if everybody else had nothing; nil when it does.
// It is for structures that can neither drop what they hold nor do without it.
func (m *Meter) Alone() error {
	for a := m.account; a != nil; a = a.parent {
		if limit := a.limit.Load(); limit > 0 && m.held > limit {
			return errs.OutOfMemory.New("account", a.name, "used", m.held, "limit", limit, "bytes", 0)
		}
	}
	return nil
}

// Held is what the meter holds.
func (m *Meter) Held() int64 { return m.held }

// Close gives everything back.
func (m *Meter) Close() { m.Note(0) }
