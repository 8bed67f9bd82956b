// Package connector is the contract between Tidemark and the systems that it captures changes from: what a reader of
// change data gives, and what it needs to be told. Drivers of those systems stay inside their own packages.
package connector

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Options are the words of WITH (...), by key in lower case.
type Options map[string]string

// Position is a place in the upstream's log. Transactions are ordered by the position of their commit.
type Position uint64

// Column is a column of an upstream table.
type Column struct {
	Name    string
	Type    types.T
	NotNull bool
	Gone    bool // of a capture: the upstream does not have it any more
	// Bytewise says of a text in the key that ranges of it are read in the order of its bytes, which the upstream has an
	// index for, while its key is sorted by a language.
	Bytewise bool
	// Native is the type as the upstream spells it.
	Native string
}

// Table is a table as its upstream describes it.
type Table struct {
	Number  uint64 // stays when the table is renamed, and is of no other table
	Name    string // schema.table
	Columns []Column
	Key     []int // the primary key in the order of its index; what Ordered speaks of
	// Ordered says that the upstream can sort the key as types.Compare does, so that ranges of it may be read.
	Ordered bool
	// Shape tells the columns with their types from any others of the same table.
	Shape string
	Rows  uint64 // that it has, as the upstream estimates; 0: not known
	// Unpublished says why not all changes of the table are in the log, in words after the publication's name; empty: they are.
	Unpublished string
	Entry       uint64 // another one after changes were left out for a while
}

// Op is what happened to a row.
type Op uint8

const (
	Insert Op = iota + 1
	Update
	Delete
	Truncate
)

// Change is what happened to one row of a captured table. Rows have the columns that the capture asked for.
type Change struct {
	Table uint64 // ID of the capture
	Op    Op
	// Old is the row before; of a row that is not Whole only the key is filled. It is nil for an insert and for an update
	// that keeps the key.
	Old   types.Row
	Whole bool
	New   types.Row
	// Unchanged are the columns of New that the log left out because their values stayed.
	Unchanged []int
	// At is the number of the change in its transaction, from 1. It is the same whenever the log is read.
	At uint64
	// Err says that the row can not be read as the capture wants it; Op and rows are not filled then.
	Err error
}

// Transaction is a committed transaction of the upstream, or a part of one that is too large to be held in memory.
type Transaction struct {
	XID     uint64 // counted without wrapping
	Changes []Change
	More    bool // the next event has further changes of it
}

// Has reports whether a change, by its number, is in this part of the transaction.
func (t *Transaction) Has(at uint64) bool {
	n := len(t.Changes)
	return n > 0 && t.Changes[0].At <= at && at <= t.Changes[n-1].At
}

// Before is the part that comes before a change.
func (t *Transaction) Before(at uint64) *Transaction {
	n := slices.IndexFunc(t.Changes, func(c Change) bool { return c.At >= at })
	if n < 0 {
		n = len(t.Changes)
	}
	return &Transaction{XID: t.XID, Changes: t.Changes[:n], More: true}
}

// Event is what a reader gives: a transaction, or the news that there was none up to a position.
type Event struct {
	Position Position // everything that committed before it has been given
	Txn      *Transaction
	// Altered are captures whose table has another shape from here on.
	Altered []uint64
	// Bytes are what the event holds of the account that the reader was opened with; who is done with it gives them back.
	Bytes int64
}

// Capture is a table whose changes are wanted, and the columns in the order of its rows.
type Capture struct {
	ID      uint64 // what changes are marked with; chosen by the caller, never used for another list of columns
	Number  uint64 // of the table
	Table   string // schema.table
	Columns []Column
	Key     []int  // into Columns, in the order of the upstream's index
	Shape   string // of the table when it was described; Altered tells of another
}

// Reader reads one log. One goroutine at a time uses it; another may Read meanwhile.
type Reader interface {
	// Events delivers what is read. It is closed when reading ends; Err says why.
	Events() <-chan Event
	Err() error
	// Capture replaces the tables whose changes are wanted. Transactions that were read before may still come as they were:
	// all of them have numbers below what Now returns afterwards.
	Capture(tables []Capture)
	// Confirm lets the upstream forget everything before a position.
	Confirm(Position)
	// Read reads rows of a table in one transaction: the first ones in key order, after a key, or those of exactly one key.
	// They come in any order, and each is valid until the next comes.
	Read(ctx context.Context, r Range, each func(types.Row) error) (Snapshot, error)
	// Mark returns a position behind everything that has committed so far, which the events will reach even if nothing else
	// happens.
	Mark(ctx context.Context) (Position, error)
	// Now returns the number of a transaction that begins now: all those that began before have lower ones. Oldest returns
	// that of the oldest transaction that has not ended.
	Now(ctx context.Context) (xid uint64, err error)
	Oldest(ctx context.Context) (xid uint64, err error)
	// Standing asks the upstream where its log is.
	Standing(ctx context.Context) (Standing, error)
	Close()
}

// Standing is what the upstream says of its log.
type Standing struct {
	End       Position          // of the log
	Kept      uint64            // bytes of it that are kept for us
	Published map[uint64]uint64 // entries of the captured tables whose changes are in it, by number
}

// Range is what Read reads.
type Range struct {
	Table Capture
	After types.Row // values of the key; nil: from the beginning
	Key   types.Row // values of the key: that row only
	Limit int       // how many rows; 0: all
}

// System is a kind of upstream.
type System interface {
	// Prepare makes what a source needs upstream where it is missing, and returns the options with their defaults and with
	// a note of what was made. Before it makes anything it calls intend with the options that Remove takes to undo it.
	Prepare(ctx context.Context, o Options, intend func(Options) error) (Options, error)
	// Describe finds a table; Publish sees to it that its changes are in the log; Unpublish undoes that.
	Describe(ctx context.Context, o Options, table string) (*Table, error)
	Publish(ctx context.Context, o Options, table string) error
	Unpublish(ctx context.Context, o Options, table string) error
	// Remove drops what Prepare made. Renew makes it again with a log that begins now, and publishes the tables.
	Remove(ctx context.Context, o Options) error
	Renew(ctx context.Context, o Options, tables []string) error
	// Open starts reading the changes of tables at a position; 0 is where the upstream has kept the log from. What is read is
	// held in an account, which is closed after the reader.
	Open(ctx context.Context, o Options, at Position, tables []Capture, memory *mem.Budget) (Reader, error)
}
