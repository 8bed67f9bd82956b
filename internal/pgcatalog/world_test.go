package pgcatalog

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/types"
)

// shop is a small catalog: orders with a primary key, a log without, a view, a materialized view over both that is still
// being created, an index, a source and a sink.
func shop() *catalog.Snapshot {
	s := catalog.NewSnapshot("dev", catalog.Schema{ID: 16384, Name: "public", Owner: "root"},
		catalog.Schema{ID: 16385, Name: "app", Owner: "ada", Comment: "the shop"}).Edit()
	s.PutUser(catalog.User{Name: "root", Super: true, CreateDB: true})
	s.PutUser(catalog.User{Name: "ada", Verifier: "SCRAM-SHA-256$hunter2"})
	for _, rel := range shopRelations() {
		rel.Vnodes = 16
		s.Put(rel)
	}
	return s
}

func shopRelations() []*catalog.Relation {
	orderID := catalog.Column{Name: "id", Type: types.Int4, NotNull: true}
	item := catalog.Column{Name: "item", Type: types.T{Kind: types.KindVarchar, Width: 20}, Default: "'none'::character varying"}
	price := catalog.Column{Name: "Price", Type: types.T{Kind: types.KindNumeric, Width: 10, Scale: 2}, Comment: "in euro"}
	double := catalog.Column{Name: "double", Type: types.Int8, Generated: "id * 2"}
	rowID := catalog.Column{Name: "_row_id", Type: types.Int8, NotNull: true, Hidden: true}
	at := catalog.Column{Name: "at", Type: types.T{Kind: types.KindTimestamptz, Scale: 4}}
	tags := catalog.Column{Name: "tags", Type: types.ArrayOf(types.Text)}
	count := catalog.Column{Name: "n", Type: types.Int8}
	return []*catalog.Relation{
		{ID: 16390, Schema: "public", Name: "orders", Kind: catalog.KindTable, Owner: "root", Job: 1, Table: 1, Key: []int{0},
			Columns: []catalog.Column{orderID, item, price, double}, Comment: "what was bought",
			Definition: "CREATE TABLE orders (id int PRIMARY KEY, item varchar(20), \"Price\" numeric(10,2))"},
		{ID: 16391, Schema: "app", Name: "log", Kind: catalog.KindTable, Owner: "ada", Job: 2, Table: 2, Key: []int{2}, RowID: true,
			AppendOnly: true, Columns: []catalog.Column{at, tags, rowID}, Definition: "CREATE TABLE app.log (at timestamptz(3), tags text[])"},
		{ID: 16392, Schema: "public", Name: "cheap", Kind: catalog.KindView, Owner: "root", Columns: []catalog.Column{orderID},
			Query: "SELECT id FROM orders WHERE \"Price\" < 1", DependsOn: []id.Relation{16390}},
		{ID: 16393, Schema: "public", Name: "per_item", Kind: catalog.KindMaterializedView, Owner: "root", Job: 3, Table: 3, Key: []int{0},
			Columns: []catalog.Column{item, count}, DependsOn: []id.Relation{16390, 16391},
			Definition: "CREATE MATERIALIZED VIEW per_item AS SELECT item, count(*) AS n FROM orders GROUP BY item"},
		{ID: 16394, Schema: "public", Name: "orders_item_idx", Kind: catalog.KindIndex, Owner: "root", Job: 4, Table: 4, Key: []int{0, 1},
			Columns: []catalog.Column{item, orderID, price, double}, Indexed: 16390, DependsOn: []id.Relation{16390},
			Definition: "CREATE INDEX orders_item_idx ON orders (item) INCLUDE (id)"},
		{ID: 16395, Schema: "public", Name: "clicks", Kind: catalog.KindSource, Owner: "ada", AppendOnly: true, Columns: []catalog.Column{at},
			With:       map[string]string{"connector": "kafka", "topic": "clicks", "properties.sasl.password": "hunter2"},
			Definition: "CREATE SOURCE clicks WITH (connector = 'kafka', topic = 'clicks', properties.sasl.password = 'hunter2')"},
		{ID: 16396, Schema: "public", Name: "out", Kind: catalog.KindSink, Owner: "ada", Job: 5, Columns: []catalog.Column{orderID},
			With: map[string]string{"connector": "blackhole", "type": "append-only"}, DependsOn: []id.Relation{16393}},
	}
}

func shopInfo() Info {
	noon := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	return Info{
		Catalog: shop(), Database: "dev", User: "ada", PID: 7, SearchPath: []string{"ada", "public"}, Started: noon, Cluster: "c-1",
		Settings: settings.NewSession(settings.NewServer(settings.NewRegistry())).Rows(),
		Jobs: []JobInfo{
			{ID: 1, Relation: 16390, SQL: "CREATE TABLE orders", State: "running", Progress: 100, AsOf: noon, Created: noon, Finished: true, Parallelism: "adaptive"},
			{ID: 3, Relation: 16393, SQL: "CREATE MATERIALIZED VIEW per_item", State: "creating", Progress: 42.5, RowsScanned: 850,
				RowsTotal: 2000, RowsPerSecond: 12.5, WaitsFor: "orders", Foreground: true, Lag: 3 * time.Second, AsOf: noon, Parallelism: "3", Created: noon.Add(time.Minute)},
			{ID: 5, Relation: 16396, State: "quarantined", Reason: "the broker is gone", Created: noon, Parallelism: "bounded(64)"},
		},
		Memory: func() []MemoryInfo {
			return []MemoryInfo{{Account: "process", Bytes: 900, Peak: 1000, Limit: 4000}, {Account: "job 3 per_item", Parent: "process", Bytes: 300, Peak: 301}}
		},
		Errors: []ErrorInfo{{Job: 3, Code: "TM-EX-005", Text: "division by zero", Count: 2, First: noon, Last: noon.Add(time.Second)}},
		Functions: []FunctionInfo{
			{Name: "length", Args: []types.T{types.Text}, Returns: types.Int4, Kind: Function, Strict: true, Doc: "number of characters"},
			{Name: "length", Args: []types.T{types.Bytea}, Returns: types.Int4, Kind: Function, Strict: true},
			{Name: "unnest", Args: []types.T{types.ArrayOf(types.Unknown)}, Returns: types.Unknown, Kind: Function, Set: true},
			{Name: "sum", Args: []types.T{types.Int4}, Returns: types.Int8, Kind: Aggregate},
		},
		Sessions: func() []SessionInfo {
			return []SessionInfo{{PID: 7, User: "ada", Database: "dev", Query: "SELECT 1", State: "active", Application: "psql", Started: noon, QueryStarted: noon}}
		},
		Fragments: func() []FragmentInfo {
			return []FragmentInfo{
				{Job: 1, Last: true, Vnodes: 16, Tables: []id.Table{6, 1}, Parallelism: 2, Actors: []id.Actor{1, 2}},
				{Job: 3, Vnodes: 16, Tables: []id.Table{7}, Parallelism: 3, Actors: []id.Actor{3, 4, 5},
					Inputs: []InputInfo{{From: 16390, Progress: 7, Rows: 5, Total: 10, AsOf: 99, Percent: 50}}},
				{Job: 3, Index: 1, Last: true, Single: true, Vnodes: 1, Tables: []id.Table{8, 3}, Inside: []int{0}, Parallelism: 1, Actors: []id.Actor{6}},
				{Job: 9, Index: 1, Last: true}, // dropped meanwhile
			}
		},
		Sizes: func(r id.Relation) int64 { return int64(r) - 16389 },
	}
}
