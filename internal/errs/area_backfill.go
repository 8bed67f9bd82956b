package errs

// Entries of the catch-up: wrong or old state. Each stops only its own job, with those downstream of it.

// BackfillRecordMissing: a range has no progress record.
var BackfillRecordMissing = register(Entry{
	Code: "TM-BF-001", SQLState: "55000", Class: Corruption,
	Message:  "backfill progress for vnode {vnode} of job {job} is missing",
	Detail:   "Input {input} of the job owns this vnode.",
	Meaning:  "the progress table has no row for a vnode that the job owns; all rows are written when the job is created, so one was lost",
	When:     "a partial write outside Tidemark, damage, or a store made under another vnode assignment",
	Remedies: []string{"`CHECK BACKFILL v;` lists the records and what would be done; then `REPAIR BACKFILL v;`", "`RECREATE MATERIALIZED VIEW v;` makes the view anew beside its rows, which answer meanwhile"},
	Related:  []string{"TM-BF-003", "TM-BF-004"},
})

// BackfillFormatOne: unfinished progress of the foreign format 1.
var BackfillFormatOne = register(Entry{
	Code: "TM-BF-002", SQLState: "55000", Class: Corruption,
	Message:  "job {job} has unfinished backfill progress in state format 1 for vnode {vnode}",
	Detail:   "Input {input}: upstream table {table}, fragment {fragment}, actor {actor}, position {position}, row count {rows}.",
	Meaning:  "the store holds one position per actor instead of one per vnode; which rows were read cannot be told from it",
	When:     "a store with a half-built view of the no_shuffle layout is opened",
	Remedies: []string{"`RECREATE MATERIALIZED VIEW v;` makes the view anew beside what there is", "`CHECK BACKFILL v;` lists the records; `REPAIR BACKFILL v;` lets a view that nobody has read yet begin again, and takes one that was attached for finished"},
})

// BackfillVnodesDisagree: actor and state table own different vnodes.
var BackfillVnodesDisagree = register(Entry{
	Code: "TM-BF-003", SQLState: "55000", Class: Corruption,
	Message:  "the vnodes of job {job} and of its state table disagree",
	Detail:   "The catalog says {catalog}, the state {state}.",
	Meaning:  "the assignment in the catalog and the ranges on disk do not tile the same key space",
	When:     "a crash of an older build during a change of parallelism, or damage",
	Remedies: []string{"`CHECK BACKFILL v;` lists the records and what would be done; then `REPAIR BACKFILL v;`", "`RECREATE MATERIALIZED VIEW v;` makes the view anew beside its rows, which answer meanwhile"},
	Related:  []string{"TM-BF-001"},
})

// BackfillRecordCorrupt: a progress record can not be decoded.
var BackfillRecordCorrupt = register(Entry{
	Code: "TM-BF-004", SQLState: "XX001", Class: Corruption,
	Message:  "a backfill progress record cannot be decoded: {what}",
	Meaning:  "a record's version, phase, cursor or checksum is not what was written",
	When:     "the store was damaged outside Tidemark",
	Remedies: []string{"`CHECK BACKFILL v;` lists the records and what would be done; then `REPAIR BACKFILL v;`", "`RECREATE MATERIALIZED VIEW v;` makes the view anew beside its rows, which answer meanwhile"},
	Related:  []string{"TM-BF-001"},
})

// BackfillOffsetMissing: an unfinished CDC range without its offset.
var BackfillOffsetMissing = register(Entry{
	Code: "TM-BF-005", SQLState: "55000", Class: Corruption,
	Message:  "an unfinished range of table {table} has no source offset",
	Meaning:  "the range's rows cannot be placed among the changes of the source; it is read again, finished ranges stay. Where the record of the source itself is missing or damaged, all of its tables are read again, and only what differs is changed",
	When:     "the record of a CDC range, or of its source, was damaged or lost",
	Remedies: []string{"nothing needs to be done; `SHOW JOBS;` shows the range being read again"},
})

// BackfillLaggedOut: the changelog a job needs is gone.
var BackfillLaggedOut = register(Entry{
	Code: "TM-BF-006", SQLState: "55000", Class: Limit,
	Message:  "job {job} has lagged out: the changelog after epoch {epoch} is gone",
	Meaning:  "the job was detached for longer than changelog_retention allows, so it cannot replay what it missed",
	When:     "a job was paused, quarantined or too slow for a long time",
	Remedies: []string{"`ALTER JOB 7 RESUME;` with the number of the message makes the view anew beside its rows, which answer meanwhile, and gives what reads it the difference", "raise changelog_retention to bridge longer pauses"},
})

// BackfillOrder: an order of scans that can not be kept.
var BackfillOrder = register(Entry{
	Code: "TM-BF-007", SQLState: "22023", Class: User,
	Message:  "invalid backfill_order: {what}",
	Meaning:  "the order in which a view is to read its inputs cannot be kept",
	When:     "the option names a relation that the view does not read, or a relation comes before itself",
	Remedies: []string{"name only relations of the view's FROM, as in `CREATE MATERIALIZED VIEW v WITH (backfill_order = FIXED(a -> b)) AS SELECT * FROM a, b;`, or leave it out"},
})

// BackfillRecordWrong: a progress record can be read and cannot be true.
var BackfillRecordWrong = register(Entry{
	Code: "TM-BF-008", SQLState: "XX001", Class: Corruption,
	Message:  "the backfill progress of vnode {vnode} of job {job} breaks {invariant}: {how}",
	Detail:   "It is a record of input {input}.",
	Meaning:  "a progress record contradicts what the control state says of its job, so one of them is not what was written last",
	When:     "a record was set back, or put together from another store",
	Remedies: []string{"`CHECK BACKFILL v;` lists the records and what would be done; then `REPAIR BACKFILL v;`"},
	Related:  []string{"TM-BF-001", "TM-BF-004"},
})

// BackfillOnlyUpstream: a view without history over rows that change.
var BackfillOnlyUpstream = register(Entry{
	Code: "TM-BF-011", SQLState: "0A000", Class: User,
	Message:  "a view with snapshot = false cannot read \"{name}\", which is not append-only",
	Meaning:  "the view leaves out the rows that there are when it is made; a row of these that changes or goes later could not be told from one that it has",
	When:     "snapshot = false is given for a view over a table without APPEND ONLY, or over another view",
	Remedies: []string{"leave the option out, or make the table so that rows are only added: `CREATE TABLE t (a int) APPEND ONLY;`"},
})

// FragmentMissing: a plan names what the catalog does not have.
var FragmentMissing = register(Entry{
	Code: "TM-ST-001", SQLState: "XX001", Class: Corruption,
	Message:  "the plan of job {job} names {kind} {id}, which the catalog does not have",
	Meaning:  "the stored plan and the catalog do not belong together",
	When:     "damage, or a store put together of parts of several",
	Remedies: []string{"`RECREATE MATERIALIZED VIEW v;` makes the view anew beside its rows, which answer meanwhile"},
})

// InputEnded: a job was stopped because of the failure of another that it reads, or that it had caught up with.
var InputEnded = register(Entry{
	Code: "TM-ST-002", SQLState: "55000", Class: Retry,
	Message:  "job {job} failed, and this one with it: {cause}",
	Meaning:  "a job that this one reads, or had to catch up together with, has failed; its root cause is in the message. Both start again from what was published last, with back-off, so that neither shows what the other does not",
	When:     "as Reason in SHOW JOBS, of what reads a view that fails",
	Remedies: []string{"`SHOW JOBS;` shows the other job's own error; mend that one, this job follows by itself"},
})

// StoreVersion: the store was written by another version.
var StoreVersion = register(Entry{
	Code: "TM-ST-003", SQLState: "55000", Class: User,
	Message:  "the store has {what} format {found}, this build knows {what} format {known}",
	Meaning:  "the store was written by a newer version, or by an older one without a migration; it was not touched. The file format is that of its directory and is in the file FORMAT; the data format is that of what is stored in it",
	When:     "the binary was replaced by one of another version",
	Remedies: []string{"run the version that wrote it, and see the format by `tidemark inspect DIR`"},
})

// MatchStateCorrupt: a MATCH_RECOGNIZE state row can not be decoded.
var MatchStateCorrupt = register(Entry{
	Code: "TM-MR-001", SQLState: "XX001", Class: Corruption,
	Message:  "a pattern state row of job {job} cannot be decoded",
	Detail:   "Partition {partition}.",
	Meaning:  "the partition is suspended, the view is degraded, other partitions go on",
	When:     "the store was damaged outside Tidemark",
	Remedies: []string{"`SHOW CREATE MATERIALIZED VIEW v;` prints its definition; `DROP MATERIALIZED VIEW v;` and create it again"},
})
