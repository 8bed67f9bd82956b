package bench

import (
	"context"
	"fmt"
)

// backfill is a view created over rows that are there. The peer keeps the result in a view of its own, or in a table
// where the rows are as many as those read; a batch engine has no views.
type backfill struct {
	id, name, query string
	peerCreates     string
	target          float64 // of the peer's time
	batchTarget     float64 // of the batch engine's processor time; 0: none is set
}

var backfills = []backfill{
	{"B1", "B1 100 K groups", "SELECT g, count(*) AS n, sum(v) AS s, max(a) AS m FROM t GROUP BY g", "MATERIALIZED VIEW", 1.0, 2.0},
	{"B2", "B2 1 M groups", "SELECT h, count(*) AS n, sum(v) AS s, max(a) AS m FROM t GROUP BY h", "MATERIALIZED VIEW", 1.0, 1.3},
	{"B3", "B3 join and aggregate", "SELECT cat, count(*) AS n, sum(v) AS s FROM t JOIN d USING (h) GROUP BY cat", "MATERIALIZED VIEW", 2.5, 0},
	{"B4", "B4 all rows of a join", "SELECT id, v + 1 AS w, upper(s) AS u, cat FROM t JOIN d USING (h)", "TABLE", 2.0, 0},
}

// settle lets the peers finish what loading has left to do.
func (f Field) settle(ctx context.Context) error {
	peers := f.systems()
	return each(peers[:len(peers)-1], func(s System) error {
		c, err := s.connect(ctx)
		if err != nil {
			return err
		}
		defer c.Close(ctx)
		for _, sql := range []string{"VACUUM ANALYZE", "CHECKPOINT"} {
			if _, err := c.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	})
}

// creates is what a system keeps the result in.
func (b backfill) creates(f Field, s System) string {
	switch s {
	case f.Subject:
		return "MATERIALIZED VIEW"
	case f.Peer:
		return b.peerCreates
	}
	return "TABLE"
}

// measure takes the runs of all systems in turns, and compares their results after each.
func (b backfill) measure(ctx context.Context, f Field, runs int) (Figure, error) {
	costs := map[System][]cost{}
	for range runs {
		var want fingerprint
		err := each(f.systems(), func(s System) error {
			took, got, err := b.run(ctx, s, b.creates(f, s))
			if err != nil {
				return err
			}
			if s == f.Peer {
				want = got
			}
			if got != want {
				return fmt.Errorf("results differ: %+v, %s has %+v", got, f.Peer.Name, want)
			}
			costs[s] = append(costs[s], took)
			return nil
		})
		if err != nil {
			return Figure{}, err
		}
	}
	out := figure(b.name, costs[f.Subject])
	out.Peer = out.against(costs[f.Peer], b.target, 0)
	if batch := costs[f.Batch]; batch != nil {
		a := out.against(batch, 0, b.batchTarget)
		out.Batch = &a
	}
	return out, nil
}

// run creates the relation, reads it, and drops it. Only the creation is measured.
func (b backfill) run(ctx context.Context, s System, kind string) (took cost, f fingerprint, err error) {
	c, err := s.connect(ctx)
	if err != nil {
		return took, f, err
	}
	defer c.Close(ctx)
	took, err = s.measured(func() error {
		_, err := c.PgConn().Exec(ctx, "CREATE "+kind+" result AS "+b.query).ReadAll()
		return err
	})
	if err != nil {
		return took, f, err
	}
	if f, err = fingerprintOf(ctx, c, "SELECT * FROM result"); err != nil {
		return took, f, err
	}
	_, err = c.Exec(ctx, "DROP "+kind+" result")
	return took, f, err
}
