package dml

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Change is the exact effect of a statement on one row of a table. Old nil: inserted; New nil: deleted. It may move a row
// to another key.
type Change struct {
	Table    *Table
	Old, New types.Row
}

// Table is a table as DML sees it.
type Table struct {
	Rel    *catalog.Relation
	Format *state.RelationFormat
}

// NewTable prepares a relation for DML.
func NewTable(rel *catalog.Relation) *Table { return &Table{rel, state.FormatOf(rel)} }

// Key returns the bytes that tell rows of the table apart.
func (t *Table) Key(row types.Row) []byte { return t.AppendKey(nil, row) }

// AppendKey appends the whole stored key of a row.
func (t *Table) AppendKey(dst []byte, row types.Row) []byte {
	return t.Format.AppendKeyRow(kv.AppendTable(dst, t.Rel.Table, uint16(t.Format.VnodeOf(row))), row)
}

// AppendRow appends the stored value of a row; nil adds nothing.
func (t *Table) AppendRow(dst []byte, row types.Row) []byte {
	if row == nil {
		return dst
	}
	return keyenc.AppendDatums(dst, t.Format.Types, row)
}

// Find reads the row with the key columns of the given row.
func (t *Table) Find(r kv.Reader, row types.Row) (old types.Row, ok bool, err error) {
	b, ok, err := r.Get(t.Key(row))
	if err != nil || !ok {
		return nil, false, err
	}
	old, err = t.Decode(b)
	return old, err == nil, err
}

// FindAll reads the rows with the key columns of the given rows in one pass; nil where there is none.
func (t *Table) FindAll(r kv.Reader, rows []types.Row) ([]types.Row, error) {
	var all []byte
	keys := make([][]byte, len(rows))
	for i, row := range rows {
		from := len(all)
		all = t.AppendKey(all, row)
		keys[i] = all[from:len(all):len(all)]
	}
	found := make([]types.Row, len(rows))
	err := kv.GetAll(r, keys, func(i int, value []byte) (err error) {
		found[i], err = t.Decode(value)
		return err
	})
	return found, err
}

// Decode reads a stored row.
func (t *Table) Decode(value []byte) (types.Row, error) {
	return keyenc.DecodeGrown(t.Format.Types, value, t.Format.Growth)
}

// InitialValue is the stored form of the value that an added column has in the rows that are there.
func InitialValue(t types.T, d types.Datum) []byte {
	return keyenc.AppendDatums([]byte{}, []types.T{t}, types.Row{d})
}
