package errs

// StateHashDiffers: stored rows are not those that were counted as they were written.
var StateHashDiffers = register(Entry{
	Code: "TM-ST-016", SQLState: "XX001", Class: Corruption,
	Message: "the rows of \"{relation}\" are not those that were written: {vnodes}",
	Detail:  "There are {stored} rows where there should be {counted}.",
	Meaning: "the sums of the hashes of the stored rows of these vnodes are not those that were kept as the rows were written; rows are missing, there twice, or changed",
	When:    "the store was changed outside Tidemark or put together from several, or Tidemark has a bug, which should be reported",
	Remedies: []string{"`RECREATE MATERIALIZED VIEW v;` makes a view anew beside its rows, and gives what reads it the difference",
		"rows of a table are nowhere else: bring back the last backup, or look at the vnodes and take what is there for right with `REPAIR BACKFILL t;`, then `RECREATE MATERIALIZED VIEW v;` for each view of it"},
	Related: []string{"TM-ST-017", "TM-VF-001"},
})

// StateHashUnread: the record with the sums of a relation can not be read.
var StateHashUnread = register(Entry{
	Code: "TM-ST-017", SQLState: "XX001", Class: Corruption,
	Message:  "the hash record of the rows cannot be read: {what}",
	Meaning:  "whether the stored rows of the relation are those that were written cannot be told; its job goes on, and nothing else is concerned",
	When:     "the store was damaged outside Tidemark",
	Remedies: []string{"`VERIFY MATERIALIZED VIEW v;` compares a view with its query; then `REPAIR BACKFILL v;` adds the rows up anew"},
	Related:  []string{"TM-ST-016"},
})
