package errs

// ListenFailed is an address that the server can not take connections on.
var ListenFailed = register(Entry{
	Code: "TM-WIRE-026", SQLState: "58000", Class: User,
	Message:  "cannot listen on {address}: {problem}",
	Meaning:  "the server has opened its store, but clients could not reach it; it stops",
	When:     "another process listens there (a second server, or PostgreSQL), the address is not this machine's, or the port needs rights",
	Remedies: []string{"stop the other process, or choose another address: `tidemark serve --listen 127.0.0.1:4567`"},
	Related:  []string{"TM-ST-008"},
})
