package errs

// VerifyBehind: a view is too far behind to be compared.
var VerifyBehind = register(Entry{
	Code: "TM-VF-001", SQLState: "55000", Class: Limit,
	Message:  "the view is too far behind to be verified",
	Detail:   "It is as of epoch {epoch}, and what changed since in one vnode of what it reads is more than fits in memory.",
	Meaning:  "a view that catches up is compared as of the epoch that it has reached; for that, later changes of its inputs are undone in memory",
	When:     "the view was stopped, or is slow, while its inputs changed much",
	Remedies: []string{"`WAIT;` until it has caught up, then verify it again"},
	Related:  []string{"TM-VF-002"},
})

// VerifyLogGone: what a view has read can not be told any more.
var VerifyLogGone = register(Entry{
	Code: "TM-VF-002", SQLState: "55000", Class: Limit,
	Message:  "the view cannot be verified: what it read at epoch {epoch} is not known any more",
	Meaning:  "the view has lagged out: the changes of its inputs since the epoch it stands at were given up, so that its inputs cannot be seen as they were",
	When:     "a view was stopped for longer than `changelog_retention`",
	Remedies: []string{"`SHOW CREATE MATERIALIZED VIEW v;` prints its definition; `DROP MATERIALIZED VIEW v;` and create it again"},
	Related:  []string{"TM-BF-006"},
})

// VerifyClock: a view whose rows come and go with the time.
var VerifyClock = register(Entry{
	Code: "TM-VF-003", SQLState: "0A000", Class: User,
	Message:  "\"{name}\" cannot be verified: its rows come and go with the time",
	Meaning:  "the view's condition looks at `now()`, and the moment that its last change was made at is not kept",
	When:     "VERIFY names a view with a condition on the time",
	Remedies: []string{"verify the views that it reads, such as `VERIFY MATERIALIZED VIEW v;`, and compare it with its query by eye"},
})

// VerifyLookedUp: a view that keeps what it looked up when its rows came.
var VerifyLookedUp = register(Entry{
	Code: "TM-VF-004", SQLState: "0A000", Class: User,
	Message:  "\"{name}\" cannot be verified: it keeps what it looked up when its rows came",
	Meaning:  "a row of a temporal join holds what the other relation held at the moment it came, and that moment is not kept",
	When:     "VERIFY names a view with FOR SYSTEM_TIME AS OF PROCTIME()",
	Remedies: []string{"verify the views that it reads and those that read it, such as `VERIFY MATERIALIZED VIEW v;`"},
	Related:  []string{"TM-VF-003"},
})

// VerifyPartial: a view that has left out the history of what it reads.
var VerifyPartial = register(Entry{
	Code: "TM-VF-005", SQLState: "0A000", Class: User,
	Message:  "\"{name}\" cannot be verified: it was made without the rows that were there before it",
	Meaning:  "the view was created with snapshot = false, so its rows do not follow from what it reads alone",
	When:     "VERIFY names such a view",
	Remedies: []string{"compare it by eye with its query over what came later, or create it without the option"},
	Related:  []string{"TM-VF-003"},
})
