package pgcdc

import (
	"context"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Describe implements connector.System.
func (System) Describe(ctx context.Context, in connector.Options, table string) (t *connector.Table, err error) {
	err = withSession(ctx, in, func(s *session) error {
		t, err = s.describe(ctx, s.o.tableName(table))
		return err
	})
	return t, err
}

// identityFull is pg_class.relreplident of a table whose old rows are in the log as a whole.
const identityFull = 'f'

// identities name pg_class.relreplident.
var identities = map[string]string{"d": "DEFAULT", "n": "NOTHING", "f": "FULL", "i": "another index"}

// describe reads a table's columns and key, and refuses one that can not be captured.
func (s *session) describe(ctx context.Context, table string) (*connector.Table, error) {
	schema, name, _ := strings.Cut(table, ".")
	row, err := s.one(ctx, "SELECT c.oid, c.relreplident, coalesce(i.indexrelid, 0), coalesce(i.indimmediate, true), coalesce(i.indisreplident, false), greatest(c.reltuples, 0)::bigint"+
		" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary"+
		" WHERE c.relkind IN ('r', 'p') AND n.nspname = "+literal(schema)+" AND c.relname = "+literal(name))
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, errs.UpstreamTable.New("table", table, "database", s.o.database)
	}
	oid, identity, index := string(row[0]), string(row[1]), string(row[2])
	deferrable, ownIndex := string(row[3]) != "t", string(row[4]) == "t"
	if index == "0" {
		return nil, errs.UpstreamNoKey.New("table", table)
	}
	if identity == "d" && deferrable {
		return nil, errs.UpstreamIdentity.New("table", table, "identity", "DEFAULT with a key that is DEFERRABLE")
	}
	if identity == "n" || identity == "i" && !ownIndex {
		return nil, errs.UpstreamIdentity.New("table", table, "identity", identities[identity])
	}
	number, err := strconv.ParseUint(oid, 10, 32)
	if err != nil {
		return nil, err
	}
	t := &connector.Table{Number: number, Name: table, Ordered: true}
	if t.Rows, err = strconv.ParseUint(string(row[5]), 10, 64); err != nil {
		return nil, err
	}
	if s.o.publication != "" { // a source that is being made has none yet
		l, err := s.listing(ctx, table)
		if err != nil && !errs.Of(err, errs.PublicationLacks) { // the log's reader meets one that is gone
			return nil, err
		}
		t.Entry, t.Unpublished = l.entry, l.problem
	}
	return t, s.describeColumns(ctx, t, oid, index)
}

// describeColumns reads columns and key. Generated columns are left out: the log does not have them.
func (s *session) describeColumns(ctx context.Context, t *connector.Table, oid, index string) error {
	generated := "a.attgenerated = ''"
	if version, err := s.serverVersion(ctx); err != nil {
		return err
	} else if version < versionGenerated {
		generated = "true"
	}
	rows, err := s.rows(ctx, "WITH RECURSIVE base AS (SELECT a.attnum, a.atttypid AS typ, a.atttypmod AS mod FROM pg_attribute a WHERE a.attrelid = "+oid+
		" UNION ALL SELECT b.attnum, t.typbasetype, CASE WHEN t.typtypmod >= 0 THEN t.typtypmod ELSE b.mod END FROM base b JOIN pg_type t ON t.oid = b.typ WHERE t.typtype = 'd')"+
		" SELECT a.attname, format_type(b.typ, b.mod), a.attnotnull, format_type(a.atttypid, a.atttypmod),"+
		" coalesce(array_position(i.indkey::int2[], a.attnum), -1),"+
		" a.attndims, CASE WHEN a.attcollation = 0 THEN 'C' WHEN a.attcollation = 100 THEN (SELECT datcollate FROM pg_database WHERE datname = current_database()) ELSE c.collcollate END,"+
		" a.atttypid, a.atttypmod"+
		" FROM pg_attribute a JOIN base b ON b.attnum = a.attnum JOIN pg_type t ON t.oid = b.typ AND t.typtype <> 'd'"+
		" JOIN pg_index i ON i.indexrelid = "+index+" LEFT JOIN pg_collation c ON c.oid = a.attcollation"+
		" WHERE a.attrelid = "+oid+" AND a.attnum > 0 AND NOT a.attisdropped AND "+generated+" ORDER BY a.attnum")
	if err != nil {
		return err
	}
	at := map[string]int{}
	foreign := false
	for i, r := range rows {
		c := connector.Column{Name: string(r[0]), Type: localType(string(r[1])), NotNull: string(r[2]) == "t", Native: string(r[3])}
		for dims := string(r[5]); dims > "1" && c.Type.Kind == types.KindArray; dims = string(dims[0] - 1) { // at most 6
			c.Type = types.ArrayOf(c.Type)
		}
		t.Columns = append(t.Columns, c)
		t.Shape += columnShape(c.Name, string(r[7]), string(r[8]))
		if place := string(r[4]); place != "-1" {
			at[place] = i
			order := orderOfKey(c, string(r[1]), string(r[6]))
			t.Ordered = t.Ordered && order != otherOrder
			t.Columns[i].Bytewise = order == languageOrder
			foreign = foreign || order == languageOrder
		}
	}
	if t.Ordered && foreign {
		if t.Ordered, err = s.bytewiseIndex(ctx, oid, index); err != nil {
			return err
		}
	}
	for place := 0; len(t.Key) < len(at) && place <= len(rows); place++ { // int2vector counts from 0
		if i, ok := at[strconv.Itoa(place)]; ok {
			t.Key = append(t.Key, i)
		}
	}
	return nil
}

// versionGenerated is the first version with generated columns.
const versionGenerated = 120000

// localType is the type that keeps a PostgreSQL type's values; what has no counterpart is kept as its text.
func localType(native string) types.T {
	if elem, ok := strings.CutSuffix(native, "[]"); ok {
		return types.ArrayOf(localType(elem))
	}
	if strings.HasPrefix(native, "interval") { // its fields and digits only cut what is stored
		return types.Interval
	}
	t, err := types.Lookup(native)
	if err != nil || strings.HasPrefix(native, "reg") { // the text of a reg type is a name
		return types.Text
	}
	return t
}
