package types

// Column describes a column of a result to who asked for it.
type Column struct {
	Name     string
	Type     T
	TableOID uint32 // zero when the column is not a table's
	Number   uint16 // the column's number in that table
}
