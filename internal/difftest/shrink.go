package difftest

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Replay runs a history on empty databases. It returns the failure it meets, nil if there is none.
type Replay func(ctx context.Context, h History) (*Failure, error)

// Replayer replays histories on an oracle and subjects of one shape.
func Replayer(o *Postgres, shape Shape) Replay {
	return func(ctx context.Context, h History) (f *Failure, err error) {
		if err := o.Reset(ctx); err != nil {
			return nil, err
		}
		s, err := OpenSubject(shape)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, s.Close(context.WithoutCancel(ctx))) }()
		return Follow(ctx, &Pair{Oracle: o, Subject: s, Count: NewCount()}, h)
	}
}

// Follow takes a pair through a history and returns the first failure.
func Follow(ctx context.Context, p *Pair, h History) (f *Failure, err error) {
	for i, step := range h.Steps {
		if _, err := p.Do(ctx, step); errors.As(err, &f) {
			f.Step = i
			return f, nil
		} else if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// shrinker makes a failing history smaller while it fails in the same way.
type shrinker struct {
	replay Replay
	end    time.Time
	best   History
	failed *Failure
}

// Shrink drops steps, rows and parts of queries as long as what is left still fails so. It ends when nothing more can be
// dropped, or when its time is over.
func Shrink(ctx context.Context, h History, f *Failure, replay Replay, limit time.Duration) (History, *Failure) {
	s := &shrinker{replay: replay, end: time.Now().Add(limit), best: h, failed: f}
	if !s.try(ctx, History{Steps: h.Steps[:min(f.Step+1, len(h.Steps))]}) {
		return h, f // it does not repeat: a matter of timing
	}
	for before := -1; before != s.size(); {
		before = s.size()
		s.steps(ctx)
		s.parts(ctx)
	}
	return s.best, s.failed
}

func (s *shrinker) size() int { return len(s.best.String()) }

// try takes a candidate if it fails in the same way.
func (s *shrinker) try(ctx context.Context, h History) bool {
	if time.Now().After(s.end) {
		return false
	}
	f, err := s.replay(ctx, h)
	if err != nil || f == nil || !f.Like(s.failed) {
		return false
	}
	s.best, s.failed = History{Steps: h.Steps[:f.Step+1]}, f
	return true
}

// steps drops steps, large pieces first.
func (s *shrinker) steps(ctx context.Context) {
	for size := len(s.best.Steps) / 2; size > 0; size /= 2 {
		for at := len(s.best.Steps) - size; at >= 0; at = min(at, len(s.best.Steps)) - size {
			s.try(ctx, History{Steps: slices.Delete(slices.Clone(s.best.Steps), at, at+size)})
		}
	}
}

// parts makes the statements themselves smaller.
func (s *shrinker) parts(ctx context.Context) {
	for i := len(s.best.Steps) - 1; i >= 0; i-- {
		for changed := true; changed && i < len(s.best.Steps); {
			changed = false
			for _, sql := range Smaller(s.best.Steps[i].SQL) {
				if s.try(ctx, s.with(i, sql)) {
					changed = true
					break
				}
			}
		}
	}
}

// with is the best history with another text of step i.
func (s *shrinker) with(i int, sql string) History {
	steps := slices.Clone(s.best.Steps)
	steps[i].SQL = sql
	if v := steps[i].View; v != nil {
		w := *v
		w.Query = sql
		steps[i].View = &w
	}
	return History{Steps: steps}
}
