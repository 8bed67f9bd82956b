package capture_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/connector/pgcdc"
	"github.com/tidemark-db/tidemark/internal/pgtest"
	"github.com/tidemark-db/tidemark/internal/session"
)

// dying is PostgreSQL for a process that dies once everything is made upstream.
type dying struct{ pgcdc.System }

var errDied = errors.New("the process has died")

func (d dying) Prepare(ctx context.Context, o connector.Options, intend func(connector.Options) error) (connector.Options, error) {
	if _, err := d.System.Prepare(ctx, o, intend); err != nil {
		return nil, err
	}
	return nil, errDied
}

func (dying) Remove(context.Context, connector.Options) error { return errDied }

// testCreateIsInterrupted leaves nothing upstream when a process dies in the middle of CREATE SOURCE and starts again, but for
// what was there before.
func testCreateIsInterrupted(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION theirs FOR TABLE t")
	w.close()
	w.openWith(session.Options{Dir: w.dir, Systems: map[string]connector.System{pgcdc.Name: dying{}}})
	if _, err := w.try("CREATE SOURCE up " + w.with("publication.name = 'theirs'")); !errors.Is(err, errDied) {
		t.Fatal(err)
	}
	if _, err := w.try("CREATE TABLE t (*) " + w.with("table.name = 't'")); !errors.Is(err, errDied) {
		t.Fatal(err)
	}
	made := "SELECT slot_name FROM pg_replication_slots UNION ALL SELECT pubname FROM pg_publication ORDER BY 1"
	if rows := w.upstream(made); len(rows) != 4 {
		t.Fatalf("upstream has %v", rows)
	}
	w.restart()
	w.until(func() bool { rows := w.upstream(made); return len(rows) == 1 && rows[0] == "theirs" })
	w.exec("CREATE SOURCE up " + w.with("publication.name = 'theirs'"))
	w.exec("CREATE TABLE t (*) FROM up TABLE 't'")
	w.restart()
	pg.Exec("INSERT INTO t VALUES (1)")
	w.same("SELECT * FROM t")
}
