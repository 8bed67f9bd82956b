package capture

import (
	"context"
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestPlantedFaults: random histories that find nothing prove nothing. Each fault is one of what an upstream says of its
// reads, as a driver might get it wrong.
func TestPlantedFaults(t *testing.T) {
	for _, f := range []struct {
		name string
		read func(*fakeUpstream) connector.Reader
	}{
		{"a position in the log is taken for what a snapshot sees", func(u *fakeUpstream) connector.Reader { return byPosition{u} }},
		{"a snapshot is of before its rows", func(u *fakeUpstream) connector.Reader { return early{u} }},
		{"a window ends before the log has passed its snapshot", func(u *fakeUpstream) connector.Reader { return hasty{u} }},
	} {
		t.Run(f.name, func(t *testing.T) {
			for seed := range uint64(randomSeeds) {
				if err := randomRun(seed, f.read); err != nil {
					t.Logf("seed %d: %v", seed, err)
					return
				}
			}
			t.Errorf("%d seeds have not found it", randomSeeds)
		})
	}
}

// byPosition says that a read sees every transaction that is in the log: those too that wait for a standby.
type byPosition struct{ *fakeUpstream }

func (u byPosition) Read(ctx context.Context, g connector.Range, each func(types.Row) error) (connector.Snapshot, error) {
	s, err := u.fakeUpstream.Read(ctx, g, each)
	logged := func(xid uint64) bool {
		return slices.ContainsFunc(u.waiting, func(t *fakeTxn) bool { return t.xid == xid })
	}
	s.Active = slices.DeleteFunc(s.Active, logged)
	if s.Min = s.Max; len(s.Active) > 0 {
		s.Min = s.Active[0]
	}
	return s, err
}

// early takes the snapshot, lets others become visible, and reads the rows then.
type early struct{ *fakeUpstream }

func (u early) Read(ctx context.Context, g connector.Range, each func(types.Row) error) (connector.Snapshot, error) {
	s := u.snapshot()
	u.show()
	_, err := u.fakeUpstream.Read(ctx, g, each)
	return s, err
}

// hasty marks the end of a window where the reader is.
type hasty struct{ *fakeUpstream }

func (u hasty) Mark(context.Context) (connector.Position, error) {
	return connector.Position(10 * u.delivered), nil
}
