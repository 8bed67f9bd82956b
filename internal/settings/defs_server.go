package settings

// Bounds that several settings share.
const (
	maxInt32 = 1<<31 - 1
	maxInt64 = 1<<63 - 1
	kiB      = 1 << 10
	miB      = 1 << 20
	giB      = 1 << 30
)

const (
	categoryNetwork = "Connections and Authentication"
	categoryMemory  = "Resource Usage"
	categoryStream  = "Streams and Checkpoints"
	categoryLog     = "Reporting and Logging"
	categoryView    = "Reading and Writing"
	categoryJob     = "Materialized Views and Jobs"
	categoryClient  = "Client Connection Defaults"
	categoryPreset  = "Preset Options"
	categoryIdle    = "PostgreSQL (no effect)"
	categoryForeign = "RisingWave (no effect)"
)

// serverDefs are the settings of the whole server. Those of ScopeStart are read once.
func serverDefs() []Def {
	return []Def{
		{Name: "listen", Kind: String, Default: "127.0.0.1:4566", Scope: ScopeStart, Category: categoryNetwork,
			Doc: "Address and port on which clients of the PostgreSQL protocol connect."},
		{Name: "max_connections", Kind: Int, Default: "200", Min: 1, Max: 262143, Scope: ScopeStart, Category: categoryNetwork,
			Doc: "Clients connected at the same time; one more is refused with 53300."},
		{Name: "tls_cert", Kind: String, Scope: ScopeStart, Category: categoryNetwork,
			Doc: "File with the server's certificate chain in PEM; with tls_key it turns TLS on."},
		{Name: "tls_key", Kind: String, Scope: ScopeStart, Category: categoryNetwork,
			Doc: "File with the private key of tls_cert in PEM."},
		{Name: "data", Kind: String, Default: "", Scope: ScopeStart, Category: categoryMemory,
			Doc: "Directory of the store; empty keeps everything in memory until the server stops."},
		{Name: "memory", Kind: Size, Default: "0", Min: 0, Max: maxInt64, Scope: ScopeStart, Category: categoryMemory,
			Doc: "Bytes that state, caches and queries may use together; 0 takes half of the smaller of RAM and the control group's limit."},
		{Name: "state_memory", Kind: Size, Default: "0", Min: 0, Max: maxInt64, Scope: ScopeStart, Category: categoryMemory,
			Doc: "Part of memory that rows of views and of what they are computed from may take between barriers, the rest is read from the store; 0 takes five sixteenths."},
		{Name: "parallelism", Kind: Int, Default: "0", Min: 0, Max: 1024, Scope: ScopeStart, Category: categoryMemory,
			Doc: "Actors of each fragment of a new job; 0 takes the number of processors."},
		{Name: "statement_size_max", Kind: Size, Default: "16MB", Min: kiB, Max: giB, Scope: ScopeServer, Category: categoryMemory,
			Doc: "Longest statement that a client may send."},
		{Name: "row_size_max", Kind: Size, Default: "64MB", Min: kiB, Max: giB, Scope: ScopeServer, Category: categoryMemory,
			Doc: "Largest row that is stored."},
		{Name: "barrier_interval", Kind: Duration, Unit: "ms", Default: "100ms", Min: 1, Max: 60_000, Scope: ScopeServer, Category: categoryStream,
			Doc: "Time between barriers when nobody waits for one; a waiting reader or writer gets one at once."},
		{Name: "checkpoint_interval", Kind: Duration, Unit: "ms", Default: "1s", Min: 10, Max: 600_000, Scope: ScopeServer, Category: categoryStream,
			Doc: "Time between durable commits of the stream's state; writes are acknowledged from their own log and do not wait for it."},
		{Name: "detach_after", Kind: Duration, Unit: "ms", Default: "5s", Min: 100, Max: 3_600_000, Scope: ScopeServer, Category: categoryStream,
			Doc: "How long a job may hold up the others before it goes on by itself and catches up later."},
		{Name: "changelog_retention", Kind: Duration, Unit: "s", Default: "1d", Min: 1, Max: maxInt32, Scope: ScopeServer, Category: categoryStream,
			Doc: "Age at which changes kept for a paused or lagging job are given up; the job then reads its input anew."},
		{Name: "log_format", Kind: Enum, Words: []string{"text", "json"}, Default: "text", Scope: ScopeStart, Category: categoryLog,
			Doc: "Form of the log lines on standard error."},
		{Name: "log_level", Kind: Enum, Words: []string{"debug", "info", "warn", "error"}, Default: "info", Scope: ScopeServer, Category: categoryLog,
			Doc: "Least level that is logged."},
	}
}
