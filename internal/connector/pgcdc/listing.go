package pgcdc

import (
	"context"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// listing is how the publication has a table.
type listing struct {
	listed  bool
	entry   uint64 // another one after the table was left out for a while, or had conditions
	problem string // why not all of its changes are in the log; empty when they are
}

// versionFilters is the first version whose publications can leave out rows and columns.
const versionFilters = 150000

// listingSQL gives number, entry and problem of tables; which is a condition on pg_class c and pg_namespace n. The problem is a
// key of problems.
func (s *session) listingSQL(version int, which string) string {
	problem := "WHEN NOT (p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate) THEN 'kinds'"
	if version >= versionViaRoot {
		problem += " WHEN c.relkind = 'p' AND NOT p.pubviaroot THEN 'partitions'"
	}
	if version >= versionFilters {
		problem += " WHEN r.prqual IS NOT NULL OR r.prattrs IS NOT NULL THEN 'part'"
	}
	return "SELECT c.oid, coalesce(r.oid, p.oid), CASE WHEN NOT CASE WHEN p.puballtables OR r.oid IS NOT NULL THEN true" + // the view is slow
		" ELSE EXISTS (SELECT FROM pg_publication_tables t WHERE t.pubname = p.pubname AND t.schemaname = n.nspname AND t.tablename = c.relname) END THEN 'table' " +
		problem + " ELSE '' END FROM pg_publication p CROSS JOIN pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace" +
		" LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid AND r.prrelid = c.oid WHERE p.pubname = " + literal(s.o.publication) + " AND " + which
}

// problems say what a publication does; the name of the table follows.
var problems = map[string]string{"": "", "table": "leaves out ", "kinds": "leaves out some kinds of changes of ", "part": "leaves out rows or columns of ",
	"partitions": "does not set publish_via_partition_root, and so gives as those of its partitions changes of "}

func parseListing(row [][]byte, table string) (l listing, err error) {
	l.listed, l.problem = string(row[2]) != "table", problems[string(row[2])]
	if l.problem != "" {
		l.problem += table
	}
	l.entry, err = strconv.ParseUint(string(row[1]), 10, 64)
	return l, err
}

// listing finds how the publication has a table that is there.
func (s *session) listing(ctx context.Context, table string) (l listing, err error) {
	version, err := s.serverVersion(ctx)
	if err != nil {
		return l, err
	}
	row, err := s.one(ctx, s.listingSQL(version, "c.oid = to_regclass("+literal(qualified(table))+")"))
	if err == nil && row != nil {
		return parseListing(row, table)
	}
	if err == nil {
		row, err = s.one(ctx, "SELECT FROM pg_publication WHERE pubname = "+literal(s.o.publication))
	}
	if err == nil && row == nil {
		err = errs.PublicationLacks.New("publication", s.o.publication, "problem", "does not exist")
	}
	return l, err
}
