package session

import (
	"context"
	"time"

	"github.com/tidemark-db/tidemark/internal/types"
)

// Signal cancels the statement of the session with a process id, or ends the session; false where there is none.
type Signal func(pid uint32, end bool) bool

// ownCall answers the functions that act on sessions; ok is false for those that the catalog answers.
func (s *Session) ownCall(fn string, args types.Row) (d types.Datum, ok bool, err error) {
	switch fn {
	case "set_config":
		d, err = s.setConfig(args)
	case "pg_sleep":
		d, err = types.NewBytes(""), s.sleep(time.Duration(args[0].Float()*float64(time.Second)))
	case "pg_cancel_backend", "pg_terminate_backend":
		pid := uint32(args[0].Int())
		d = types.NewBool(s.startup.Signal != nil && s.startup.Signal(pid, fn == "pg_terminate_backend"))
	default:
		return s.advisoryCall(fn, args)
	}
	return d, true, err
}

// setConfig is SET as a function: name, value, whether only for the transaction.
func (s *Session) setConfig(args types.Row) (types.Datum, error) {
	n, err := s.vars.Set(args[0].Bytes(), args[1].Bytes(), args[2].Bool())
	if err != nil {
		return types.Null, err
	}
	s.noticeOf(n)
	shown, err := s.vars.Show(args[0].Bytes())
	return text(shown), err
}

// sleep waits, unless the statement is cancelled.
func (s *Session) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-s.statement.Done():
		return context.Cause(s.statement)
	}
}
