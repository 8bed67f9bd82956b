package errs

// RowCorrupt: stored bytes are not a row.
var RowCorrupt = register(Entry{
	Code: "TM-ENC-001", SQLState: "XX001", Class: Corruption,
	Message:  "a stored row cannot be decoded: {what}",
	Meaning:  "bytes in the store are not what was written",
	When:     "the store was damaged outside Tidemark, or a row was written under another schema",
	Remedies: []string{"run `tidemark inspect DIR` to see the extent; a view can be dropped and created again: `SHOW CREATE MATERIALIZED VIEW v;` prints its definition"},
})
