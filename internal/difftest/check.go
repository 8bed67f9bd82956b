package difftest

import (
	"context"
	"fmt"
	"strings"
)

// viewRowsMax is the size above which a view is given up: what stands on it would only get slower.
const viewRowsMax = 600

// Check compares every view with PostgreSQL and with its own query, and returns the views that have become too large or
// on which PostgreSQL itself fails.
func (p *Pair) Check(ctx context.Context, rowsMax int) (giveUp []string, err error) {
	if err := p.Subject.Settle(ctx); err != nil {
		return nil, &Failure{Kind: failLagged, What: err.Error()}
	}
	retracted := p.retracted
	p.retracted = false
	for _, v := range p.live {
		want, err := p.Oracle.Exec(ctx, bounded("SELECT * FROM "+v.Name))
		if sqlState(err) == "" && err != nil {
			return nil, err
		}
		if err != nil {
			p.Count.unanswered(err)
			giveUp = append(giveUp, v.Name)
			continue
		}
		if err := p.compare(ctx, v, want); err != nil {
			return nil, err
		}
		p.Count.compared(v, len(want.Rows) > 0, retracted)
		if len(want.Rows) > rowsMax {
			giveUp = append(giveUp, v.Name)
		}
	}
	return giveUp, nil
}

// compare holds the view and its query against what PostgreSQL says, and the view against its query.
func (p *Pair) compare(ctx context.Context, v *View, want Rows) error {
	for _, c := range []struct{ kind, sql string }{{failView, "SELECT * FROM " + v.Name}, {failQuery, v.Query}} {
		got, err := p.Subject.Exec(ctx, c.sql)
		if err != nil {
			return &Failure{Kind: failError, Code: state(err), What: fmt.Sprintf("%s: %s\n%v (SQLSTATE %s), want none", v.Name, c.sql, err, state(err))}
		}
		if f := sameRows(c.kind, v.Name+": "+v.Query, got, want, v.Cols); f != nil {
			return f
		}
	}
	return p.verify(ctx, v)
}

// verify lets the database prove the view itself: the rows as they are stored, each in its place.
func (p *Pair) verify(ctx context.Context, v *View) error {
	got, err := p.Subject.Exec(ctx, "VERIFY MATERIALIZED VIEW "+v.Name)
	if err != nil {
		return &Failure{Kind: failError, Code: state(err), What: fmt.Sprintf("VERIFY %s: %v", v.Name, err)}
	}
	if len(got.Rows) > 0 {
		return &Failure{Kind: failVerify, What: fmt.Sprintf("%s: %s\nVERIFY tells of %d differences, the first %v", v.Name, v.Query, len(got.Rows), got.Rows[0])}
	}
	return nil
}

// retracts tells whether a statement may take rows away.
func retracts(sql string) bool {
	return strings.HasPrefix(sql, "UPDATE") || strings.HasPrefix(sql, "DELETE") || strings.HasPrefix(sql, "TRUNCATE") || strings.Contains(sql, "DO UPDATE")
}
