package bench

import (
	"context"
	"fmt"
)

// backfill is a view created over rows that are there. The peer keeps the result in a view of its own, or in a table
// where the rows are as many as those read.
type backfill struct {
	id, name, query string
	peerCreates     string
	target          float64
}

var backfills = []backfill{
	{"B1", "B1 100 K groups", "SELECT g, count(*) AS n, sum(v) AS s, max(a) AS m FROM t GROUP BY g", "MATERIALIZED VIEW", 1.0},
	{"B2", "B2 1 M groups", "SELECT h, count(*) AS n, sum(v) AS s, max(a) AS m FROM t GROUP BY h", "MATERIALIZED VIEW", 1.0},
	{"B3", "B3 join and aggregate", "SELECT cat, count(*) AS n, sum(v) AS s FROM t JOIN d USING (h) GROUP BY cat", "MATERIALIZED VIEW", 2.5},
	{"B4", "B4 all rows of a join", "SELECT id, v + 1 AS w, upper(s) AS u, cat FROM t JOIN d USING (h)", "TABLE", 2.0},
}

// settle lets both finish what loading has left to do.
func (p Pair) settle(ctx context.Context) error {
	c, err := p.Peer.connect(ctx)
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
}

// measure takes the runs of both systems in turns, and compares their results after each.
func (b backfill) measure(ctx context.Context, p Pair, runs int) (Figure, error) {
	var subject, peer []cost
	for range runs {
		took, want, err := b.run(ctx, p.Peer, b.peerCreates)
		if err != nil {
			return Figure{}, err
		}
		peer = append(peer, took)
		took, got, err := b.run(ctx, p.Subject, "MATERIALIZED VIEW")
		if err != nil {
			return Figure{}, err
		}
		subject = append(subject, took)
		if got != want {
			return Figure{}, fmt.Errorf("results differ: %s %+v, %s %+v", p.Subject.Name, got, p.Peer.Name, want)
		}
	}
	return figure(b.name, subject, peer, b.target), nil
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
		return took, f, fmt.Errorf("%s: %w", s.Name, err)
	}
	if f, err = fingerprintOf(ctx, c, "SELECT * FROM result"); err != nil {
		return took, f, fmt.Errorf("%s: %w", s.Name, err)
	}
	_, err = c.Exec(ctx, "DROP "+kind+" result")
	return took, f, err
}
