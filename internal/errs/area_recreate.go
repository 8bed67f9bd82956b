package errs

// RecreateTwice: a view is being made anew already.
var RecreateTwice = register(Entry{
	Code: "TM-RP-001", SQLState: "55006", Class: User,
	Message:  "\"{name}\" is being made anew already, by job {job}",
	Meaning:  "there is one shadow of a view at a time; the one that is being built takes its place when it is up to date",
	When:     "RECREATE or CREATE OR REPLACE names a view for which another such statement has not ended",
	Remedies: []string{"wait for it: `WAIT;`", "or give it up and begin again: `CANCEL JOB 7;`"},
})

// RecreateKey: readers of a view rely on a key that its new query does not have.
var RecreateKey = register(Entry{
	Code: "TM-RP-002", SQLState: "2BP01", Class: User,
	Message:  "cannot replace materialized view \"{name}\" because {readers} rely on its rows being unique in {columns}",
	Meaning:  "what reads a view was planned with what is known of its rows; with the new query that is not known",
	When:     "CREATE OR REPLACE MATERIALIZED VIEW has a query whose rows are not told apart by the same columns, and something reads the view",
	Remedies: []string{"keep the columns of GROUP BY, or whatever makes rows unique", "or drop the readers, and create them again afterwards: `DROP MATERIALIZED VIEW m;`"},
	Related:  []string{"TM-VW-001"},
})

// ReplacedMeanwhile: a transaction reads as of an epoch at which what it now reads was not there.
var ReplacedMeanwhile = register(Entry{
	Code: "TM-RP-003", SQLState: "40001", Class: Retry,
	Message:  "could not serialize access due to the replacement of \"{name}\"",
	Meaning:  "the transaction keeps reading as of one epoch, and the view was made anew since; its rows of then are not there any more",
	When:     "a REPEATABLE READ transaction reads a view that RECREATE or CREATE OR REPLACE has replaced since the transaction began",
	Remedies: []string{"end the transaction and run it again: `ROLLBACK;`"},
})
