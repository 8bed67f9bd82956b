// Package catalog has immutable snapshots of the relations, schemas and users that statements are bound against.
//
// A snapshot is a value: DDL makes a new one from the old, readers keep the one they began with.
package catalog

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/types"
)

// RelationKind says what a relation is.
type RelationKind uint8

const (
	KindTable RelationKind = iota + 1
	KindView
	KindMaterializedView
	KindIndex
	KindSource
	KindSink
	KindSystem // a relation of pg_catalog, information_schema, rw_catalog or tm_catalog
	KindSubscription
)

// Relation is a named object with columns. It is immutable once it is in a snapshot.
type Relation struct {
	ID      id.Relation
	Schema  string
	Name    string
	Kind    RelationKind
	Owner   string
	Comment string
	Columns []Column

	// Stored relations (tables, materialized views, indexes).
	Job        id.Job
	Table      id.Table
	Key        []int // columns of the primary key, in key order; empty: a multiset, stored as whole row -> count
	DistKey    []int // columns that choose the vnode; empty: those of Key, or all columns of a multiset
	Vnodes     int
	RowID      bool // the Key is the hidden row id of a table without a primary key
	AppendOnly bool
	OnConflict ConflictPolicy
	Version    []int // columns of ON CONFLICT ... WITH VERSION COLUMN
	Watermark  *Watermark

	Definition string            // the statement that made it, printed by SHOW CREATE
	Query      string            // the SELECT of a view, bound anew where it is used
	DependsOn  []id.Relation     // what it reads
	Indexed    id.Relation       // of an index: the relation it is on
	With       map[string]string // options of sources, sinks and CDC tables
	Grants     Grants

	// Of subscriptions: how long changes are kept. Of these and of sinks into tables: the epoch after which they are. Of a
	// view that has taken the place of another: the epoch from which on it holds what it should.
	Retention time.Duration
	Since     uint64

	// Shadow is the relation whose place this one is to take once it is up to date; until then only its number leads to it.
	Shadow id.Relation `json:",omitempty"`

	// Of sinks into tables: the table, and which of its columns get those of the sink.
	Into     id.Relation
	IntoCols []int
}

// Watermark tells how far the times of a table's rows have come: no row comes whose value in the column is less. It is the
// greatest value that the expression has had for a row, and never goes back.
type Watermark struct {
	Col  int
	Expr string // SQL text over the table's columns
}

// Drains reports whether what happens to the relation goes on into a table.
func (r *Relation) Drains() bool { return r.Kind == KindSink && r.Into != 0 }

// Base reports whether rows come to the relation from outside the stream: to a table, or to a source that keeps them.
func (r *Relation) Base() bool {
	return r.Kind == KindTable || r.Kind == KindSource && len(r.Columns) > 0
}

// Runs reports whether a job makes the relation.
func (r *Relation) Runs() bool {
	switch r.Kind {
	case KindView, KindSubscription, KindSystem:
		return false
	case KindSource:
		return r.Base()
	}
	return true
}

// Column is a column of a relation.
type Column struct {
	Name      string
	Type      types.T
	NotNull   bool
	Hidden    bool
	Default   string // SQL text of DEFAULT, empty when none
	Generated string // SQL text of a generated column, empty when none
	Comment   string
	Dropped   bool   // it was dropped: rows still have it, nobody sees it
	Initial   []byte // of a column added later: its encoded value in the rows that were there already
}

// Qualified returns schema.name.
func (r *Relation) Qualified() string { return r.Schema + "." + r.Name }

// Visible returns the positions of the columns that SELECT * shows.
func (r *Relation) Visible() []int {
	var out []int
	for i, c := range r.Columns {
		if !c.Hidden {
			out = append(out, i)
		}
	}
	return out
}

// Added returns the initial values of the columns that were added when rows were there already, which are the last ones.
func (r *Relation) Added() [][]byte {
	var out [][]byte
	for _, c := range r.Columns {
		if c.Initial != nil {
			out = append(out, c.Initial)
		}
	}
	return out
}

// Types returns the column types.
func (r *Relation) Types() []types.T {
	out := make([]types.T, len(r.Columns))
	for i, c := range r.Columns {
		out[i] = c.Type
	}
	return out
}

// User is a role.
type User struct {
	Name       string
	Super      bool
	CreateDB   bool
	CreateUser bool
	NoLogin    bool
	Verifier   string // SCRAM-SHA-256 verifier, empty: no password
}

// Functions is what the catalog knows of functions; it is shared by all snapshots of an engine.
type Functions = expr.Registry
