package errs

// MetaCorrupt: a record of the control state can not be read.
var MetaCorrupt = register(Entry{
	Code: "TM-ST-004", SQLState: "XX001", Class: Corruption,
	Message:  "control record {key} cannot be decoded",
	Meaning:  "a row of the catalog, of a job or of a counter is not what was written",
	When:     "the store was damaged outside Tidemark, or written by a build that does not match its format version",
	Remedies: []string{"run `tidemark inspect DIR` to see the extent, then bring back the last backup of the directory"},
})

// JobGraph: the stored graph of a job can not be run.
var JobGraph = register(Entry{
	Code: "TM-ST-005", SQLState: "XX001", Class: Corruption,
	Message:  "the stored plan of job {job} cannot be run: {what}",
	Meaning:  "the plan names a relation, function or table that this build or catalog does not have",
	When:     "the catalog was damaged, or the store was written by a build with other functions",
	Remedies: []string{"`RECREATE MATERIALIZED VIEW v;` makes the view anew from its definition, which `SHOW CREATE MATERIALIZED VIEW v;` prints"},
	Related:  []string{"TM-ST-004"},
})
