package errs

var ViewColumns = register(Entry{
	Code: "TM-VW-001", SQLState: "42P16", Class: User,
	Message:  "{problem}",
	Meaning:  "what reads the view relies on its columns: they stay as they are, and others may follow them",
	When:     "CREATE OR REPLACE VIEW leaves out a column, or gives it another name or type",
	Remedies: []string{"keep the columns and add new ones at the end, or drop the view first: `DROP VIEW v;`"},
})

var ViewRecursion = register(Entry{
	Code: "TM-VW-002", SQLState: "42P17", Class: User,
	Message:  "infinite recursion detected in rules for relation \"{view}\"",
	Meaning:  "the view would read itself",
	When:     "CREATE OR REPLACE VIEW names the view, or one that reads it",
	Remedies: []string{"read what the view reads, or give the new view another name: `CREATE VIEW w AS SELECT 1 AS a;`"},
})

var ViewStreams = register(Entry{
	Code: "TM-VW-003", SQLState: "0A000", Class: User,
	Message:  "cannot replace view \"{view}\" because {kind} {reader} is kept up to date from it",
	Meaning:  "what is kept up to date was built from the query that the view had, and would not follow the new one",
	When:     "CREATE OR REPLACE VIEW changes the query of a view that a materialized view or sink reads",
	Remedies: []string{"drop the readers, replace the view and create them anew: `DROP MATERIALIZED VIEW m;`"},
})
