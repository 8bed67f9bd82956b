package settings

import "strings"

// sessionDefs are Tidemark's own settings of a session, with those of RisingWave that mean something here.
func sessionDefs() []Def {
	return []Def{
		{Name: "freshness", Kind: Enum, Words: []string{"server", "session", "none"}, Default: "server", Category: categoryView,
			Doc: "What a SELECT waits for: writes acknowledged to anybody, those of this session only, or nothing."},
		{Name: "read_incomplete", Kind: Bool, Default: "off", Category: categoryView,
			Doc: "Let a SELECT read a view whose history is not complete yet, or that lags, with a NOTICE."},
		{Name: "rw_compat", Kind: Bool, Default: "off", Category: categoryView,
			Doc: "Write as RisingWave does where it differs from PostgreSQL: zones of timestamps print with minutes, fractions of seconds with three or six digits, and an INSERT replaces the row that has its key."},
		{Name: "rw_implicit_flush", Kind: Bool, Default: "off", Category: categoryView,
			Doc: "Let each write wait until every view shows it. SELECTs see it without this, as freshness tells."},
		{Name: "background_ddl", Kind: Bool, Default: "off", Category: categoryJob,
			Doc: "Let CREATE MATERIALIZED VIEW return at once and read the history in the background."},
		{Name: "backfill_rate_limit", Kind: Int, Default: "-1", Min: -1, Max: maxInt64, Category: categoryJob,
			Doc: "Rows a second that the history of a job created now is read with; -1 for no limit, 0 to pause."},
		{Name: "source_rate_limit", Kind: Int, Default: "-1", Min: -1, Max: maxInt64, Category: categoryJob,
			Doc: "Rows a second that come into a source or table created now whose rows are made by rule; -1 for no limit, 0 to pause."},
		{Name: "backfill_mode", Kind: Enum, Words: []string{"snapshot", "arrangement"}, Default: "snapshot", Category: categoryJob,
			Doc: "How a materialized view created now reads its history: apart, with what happens meanwhile kept for it (snapshot), or in step with its upstreams, which keep nothing for it (arrangement)."},
		{Name: "streaming_parallelism", Kind: String, Default: "default", check: checkParallelism, Category: categoryJob,
			Doc: "Actors of each fragment of a job created now: a number, adaptive for the server's parallelism, ratio(0.5) for a share of it, bounded(8) for up to so many; default is bounded(64)."},
		parallelismOf("table"), parallelismOf("source"), parallelismOf("materialized_view"), parallelismOf("index"), parallelismOf("sink"),
		{Name: "on_row_error", Kind: Enum, Words: []string{"null", "stop"}, Default: "null", Category: categoryJob,
			Doc: "What an expression that fails on a row does in a view created now: give NULL and report it, or stop the job."},
		{Name: "on_lag", Kind: Enum, Words: []string{"detach", "slow"}, Default: "detach", Category: categoryJob,
			Doc: "What becomes of a view or index created now that holds up the others for detach_after, or that changes outrun: it catches up by itself (detach), or they wait for it (slow)."},
		{Name: "state_hash", Kind: Bool, Default: "off", Category: categoryJob,
			Doc: "Keep sums of hashes of the rows of a table, view or index created now, which CHECK BACKFILL and tidemark check compare with what is stored."},
	}
}

// clientDefs are PostgreSQL's settings that drivers and tools read or set.
func clientDefs() []Def {
	defs := []Def{
		{Name: "application_name", Kind: String, Report: true, Doc: "Name of the program, shown in the list of sessions."},
		{Name: "bytea_output", Kind: Enum, Words: []string{"escape", "hex"}, Default: "hex", Doc: "Text form of bytea."},
		{Name: "client_encoding", Kind: String, Default: "UTF8", check: checkEncoding, Report: true, Doc: "Encoding of text; always UTF8."},
		{Name: "client_min_messages", Kind: Enum, Words: []string{"debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error"}, Default: "notice", Doc: "Least severity of messages sent to the client."},
		{Name: "DateStyle", Kind: String, Default: "ISO, MDY", check: checkDateStyle, Report: true, Doc: "Text form of dates; always ISO, with the given order of fields in ambiguous input."},
		{Name: "default_transaction_deferrable", Kind: Bool, Default: "off", Doc: "Accepted for PostgreSQL's clients."},
		{Name: "default_transaction_isolation", Kind: Enum, Words: isolationWords, Default: "read committed", Doc: "Isolation of new transactions."},
		{Name: "default_transaction_read_only", Kind: Bool, Default: "off", Report: true, Doc: "Whether new transactions only read."},
		{Name: "extra_float_digits", Kind: Int, Default: "1", Min: -15, Max: 3, Doc: "Digits of floating-point output; above 0 the shortest exact form."},
		{Name: "idle_in_transaction_session_timeout", Kind: Duration, Unit: "ms", Default: "0", Max: maxInt32, Doc: "Time after which a session that idles in a transaction is ended; 0 for never."},
		{Name: "IntervalStyle", Kind: Enum, Words: []string{"postgres"}, Default: "postgres", Report: true, Doc: "Text form of intervals."},
		{Name: "lock_timeout", Kind: Duration, Unit: "ms", Default: "0", Max: maxInt32, Doc: "Accepted for PostgreSQL's clients; nothing waits for locks."},
		{Name: "row_security", Kind: Bool, Default: "on", Doc: "Accepted for PostgreSQL's clients."},
		{Name: "search_path", Kind: String, Default: `"$user", public`, Doc: "Schemas in which names are looked up, the first existing one for CREATE."},
		{Name: "session_authorization", Kind: String, Scope: ScopeFixed, Report: true, Doc: "Name of the user of the session."},
		{Name: "standard_conforming_strings", Kind: Enum, Words: []string{"on"}, Default: "on", Report: true, Doc: "Backslashes in '...' are ordinary characters; always on."},
		{Name: "statement_timeout", Kind: Duration, Unit: "ms", Default: "0", Max: maxInt32, Doc: "Time after which a statement is cancelled; 0 for never."},
		{Name: "synchronize_seqscans", Kind: Bool, Default: "on", Doc: "Accepted for PostgreSQL's clients."},
		{Name: "TimeZone", Kind: String, Default: "UTC", check: checkTimeZone, Report: true, Doc: "Zone in which timestamps with time zone are read and printed."},
		{Name: "transaction_isolation", Kind: Enum, Words: isolationWords, Default: "read committed", Doc: "Isolation of the current transaction."},
		{Name: "transaction_read_only", Kind: Bool, Default: "off", Doc: "Whether the current transaction only reads."},
		{Name: "xmloption", Kind: Enum, Words: []string{"content", "document"}, Default: "content", Doc: "Accepted for PostgreSQL's clients."},
		preset("in_hot_standby", "off", true, "Whether the server only follows another; never."),
		preset("integer_datetimes", "on", true, "Timestamps are whole microseconds."),
		preset("is_superuser", "on", true, "Whether the user may do everything."),
		preset("lc_collate", "C", false, "Order of text: by bytes."),
		preset("lc_ctype", "C", false, "Classes of characters."),
		preset("max_identifier_length", "63", false, "Bytes of a name; longer names are cut with a NOTICE."),
		preset("max_index_keys", "32", false, "Columns of an index."),
		preset("server_encoding", "UTF8", true, "Encoding of stored text."),
		preset("server_version", ServerVersion, true, "Version of PostgreSQL whose behaviour is followed."),
		preset("server_version_num", serverVersionNum, false, "The same as a number."),
		preset("block_size", "8192", false, "Accepted for PostgreSQL's clients."),
	}
	for i := range defs {
		if defs[i].Category == "" {
			defs[i].Category = categoryClient
		}
	}
	return defs
}

// ServerVersion is the PostgreSQL version that clients are told; they choose catalog queries by it.
const (
	ServerVersion    = "15.13"
	serverVersionNum = "150013"
)

var isolationWords = []string{"serializable", "repeatable read", "read committed", "read uncommitted"}

func preset(name, value string, report bool, doc string) Def {
	return Def{Name: name, Kind: String, Default: value, Scope: ScopeFixed, Category: categoryPreset, Report: report, Doc: doc}
}

// parallelismOf is streaming_parallelism for one kind of relations.
func parallelismOf(kind string) Def {
	return Def{Name: "streaming_parallelism_for_" + kind, Kind: String, Default: "default", check: checkParallelism, Category: categoryJob,
		Doc: "The same for a " + strings.ReplaceAll(kind, "_", " ") + "; default is what streaming_parallelism says."}
}
