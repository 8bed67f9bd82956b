package capture

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// Bounds of looking at the upstream's log.
const (
	standEvery = time.Second // how often the upstream is asked; so exact is the lag
	endsMax    = 1024        // positions remembered; when there are more every other is forgotten
)

// logEnd is where the upstream's log ended at a time.
type logEnd struct {
	at   connector.Position
	seen time.Time
}

// stand asks the upstream now and then where its log ends, and whether the changes of all tables are still in it.
func (s *source) stand(ctx context.Context, r connector.Reader) error {
	now := s.c.o.Now()
	if now.Sub(s.asked) < standEvery {
		return nil
	}
	s.asked = now
	st, err := r.Standing(ctx)
	if err != nil {
		return err
	}
	s.show(func(b *board) { b.stands(st, now) })
	for _, rel := range slices.Sorted(maps.Keys(s.tables)) {
		t := s.tables[rel]
		if entry, ok := st.Published[t.capture.Number]; !ok || t.rec.Entry != 0 && entry != t.rec.Entry {
			if err := s.giveUp(t.rel, s.whyUnpublished(ctx, t)); err != nil {
				return err
			}
		}
	}
	return nil
}

// whyUnpublished is why changes of a table are not in the log. If they are again by now, some were not.
func (s *source) whyUnpublished(ctx context.Context, t *table) error {
	up, err := s.c.system(s.rel).Describe(ctx, s.options(), t.rel.With[TableOption])
	switch {
	case tableFault(err):
		return err // it is gone
	case err == nil && up.Unpublished != "":
		return s.unpublished(up.Unpublished)
	}
	return s.unpublished("was altered, and has left out changes of " + t.capture.Table)
}

// unpublished is the error of a table whose changes are not all in the log.
func (s *source) unpublished(problem string) error {
	return errs.PublicationLacks.New("publication", s.options()[PublicationOption], "problem", problem)
}

// stands takes over what the upstream says. The board is locked.
func (b *board) stands(st connector.Standing, now time.Time) {
	b.standing = st
	if st.End > b.position {
		b.ends = append(b.ends, logEnd{st.End, now})
	}
	if len(b.ends) > endsMax {
		n := 0
		b.ends = slices.DeleteFunc(b.ends, func(logEnd) bool { n++; return n%2 == 0 })
	}
}

// reached moves the position. The board is locked.
func (b *board) reached(at connector.Position) {
	b.position = at
	b.ends = slices.DeleteFunc(b.ends, func(e logEnd) bool { return e.at <= at })
}

// disconnected notes that nothing is read from now on, and why. The board is locked.
func (b *board) disconnected(now time.Time, err error) {
	if b.state == Streaming || b.away.IsZero() {
		b.away = now
	}
	b.state, b.err = Connecting, err
}

// connected notes that the log is read. The board is locked.
func (b *board) connected() { b.state, b.err, b.away = Streaming, nil, time.Time{} }

// behind is since when there is log that was not read, or may be because there is no connection; zero when there is none.
func (b *board) behind() time.Time {
	if len(b.ends) > 0 {
		return b.ends[0].seen
	}
	return b.away
}
