package errs

// StoreOpen: the store's directory can not be opened.
var StoreOpen = register(Entry{
	Code: "TM-ST-006", SQLState: "58030", Class: Retry,
	Message:  "the store cannot be opened: {what}",
	Meaning:  "the files of the store are missing, locked or unreadable",
	When:     "another process uses the directory, the disk has failed, or rights are missing",
	Remedies: []string{"stop the other process, or give `--data` another directory; `tidemark inspect DIR` tells what is there"},
})

// StoreCorrupt: a checksum of the store does not hold.
var StoreCorrupt = register(Entry{
	Code: "TM-ST-007", SQLState: "XX001", Class: Corruption,
	Message:  "the store is damaged: {what}",
	Meaning:  "a block that was read does not match its checksum",
	When:     "the disk or memory has flipped bits, or files were changed outside Tidemark",
	Remedies: []string{"run `tidemark inspect DIR`, mend the disk, then bring back the last backup of the directory"},
})

// StoreLocked: another process has the store open.
var StoreLocked = register(Entry{
	Code: "TM-ST-008", SQLState: "55006", Class: User,
	Message:  "the store {dir} is in use by {owner}",
	Meaning:  "one process at a time may open a store; it was not touched",
	When:     "a second server or tool is started on the same directory",
	Remedies: []string{"stop the other process, or give `--data` another directory"},
	Related:  []string{"TM-ST-006"},
})

// StoreOptions: the store was made with other options that shape stored data.
var StoreOptions = register(Entry{
	Code: "TM-ST-009", SQLState: "55000", Class: User,
	Message:  "the store was created with {name} = {found}, not {wanted}",
	Meaning:  "the option shapes stored data, so it is fixed when a store is created; the store was not touched",
	When:     "the server is started with another value, or by a build with another default",
	Remedies: []string{"start it with the value that the message names, or load the data into a new store"},
})

// NotAStore: the directory holds something else.
var NotAStore = register(Entry{
	Code: "TM-ST-010", SQLState: "55000", Class: User,
	Message:  "directory {dir} is not empty and not a store: it has {name}",
	Meaning:  "Tidemark makes a store only in an empty directory, so that nothing of others is mixed with it",
	When:     "`--data` names the wrong directory, or the file FORMAT was removed from a store",
	Remedies: []string{"give `--data` a new directory, or bring FORMAT back from a backup"},
})

// DiskFull: writes are refused before the disk is full.
var DiskFull = register(Entry{
	Code: "TM-ST-011", SQLState: "53100", Class: Limit,
	Message:  "disk nearly full: {free} bytes are free where the store needs {needed}",
	Meaning:  "writes are refused while the store can still stop without damage; what was acknowledged is safe and reads go on",
	When:     "the file system of the data directory has little space left",
	Remedies: []string{"free space there; when nothing else can go, delete the file `ballast` in the data directory, then drop what is not needed"},
})

// StoreFile: a file of the store is not there as it was.
var StoreFile = register(Entry{
	Code: "TM-ST-013", SQLState: "58P01", Class: Corruption,
	Message: "the store is damaged: its file {file} {what}",
	Meaning: "the store names the file, and what is in it is nowhere else; the store was not touched",
	When:    "files were removed, changed or copied in part outside Tidemark, or the file system lost them",
	Remedies: []string{"bring back the file, or the whole directory, from the last backup",
		"a log (`store/*.log`) that is gone for good holds what was written last: to go on without that, make an empty file of its name, delete the file `CLOSED` of the directory, and start the server"},
	Related: []string{"TM-ST-007"},
})

// StoreUnread: a file of the store can not be read.
var StoreUnread = register(Entry{
	Code: "TM-ST-014", SQLState: "58030", Class: Retry,
	Message:  "the store cannot be read: {what}",
	Meaning:  "the operating system refused to open or read a file of the store; the cause names it",
	When:     "rights are missing, the disk has failed, or too many files are open",
	Remedies: []string{"mend what the cause names (rights, disk, `ulimit -n`), then try again; nothing was changed"},
	Related:  []string{"TM-ST-006", "TM-ST-013"},
})

// NoStore: there is nothing to look at.
var NoStore = register(Entry{
	Code: "TM-ST-015", SQLState: "58P01", Class: User,
	Message:  "there is no store in {dir}: {what}",
	Meaning:  "the command looks at a store that a server has made; it makes none",
	When:     "the path is misspelt, or the server ran without `--data` and kept everything in memory",
	Remedies: []string{"give the directory that `tidemark serve --data` has"},
})
