package errs

// SpillFull: a temporary file does not fit on the disk.
var SpillFull = register(Entry{
	Code: "TM-SP-001", SQLState: "53100", Class: Limit,
	Message: "could not write to file \"{file}\": {what}",
	Meaning: "a statement that holds more than its part of memory writes the rest to temporary files in the directory `spill` of the data directory, and the disk is full; the files of the statement are gone again, and nothing was changed",
	When:    "a query sorts or groups more than fits in memory",
	Remedies: []string{
		"free space, or read fewer rows with WHERE or LIMIT",
		"start the server with a larger --memory, so that less is written; `SHOW memory;` prints the budget",
	},
	Related: []string{"TM-ST-011", "TM-MEM-001"},
})

// SpillFailed: a temporary file cannot be written or read.
var SpillFailed = register(Entry{
	Code: "TM-SP-002", SQLState: "58030", Class: Retry,
	Message:  "could not use file \"{file}\": {what}",
	Meaning:  "a temporary file of a statement in the directory `spill` of the data directory could not be made, written or read; nothing was changed",
	When:     "the disk fails, or rights in the data directory were changed",
	Remedies: []string{"look at the system's log and at the rights of the data directory, and run the statement again"},
	Related:  []string{"TM-SP-001"},
})

// SpillDamaged: a temporary file is not what was written.
var SpillDamaged = register(Entry{
	Code: "TM-SP-003", SQLState: "XX001", Class: Corruption,
	Message:  "file \"{file}\" is damaged: {what}",
	Meaning:  "a block of a temporary file does not match its checksum; the statement has ended without an answer, and what is stored is not concerned",
	When:     "the disk or memory has flipped bits, or files in the data directory were changed while the server ran",
	Remedies: []string{"run the statement again; when it happens again, mend the disk or memory, and run `tidemark check DIR` on the closed store"},
	Related:  []string{"TM-ST-007"},
})
