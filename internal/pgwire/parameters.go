package pgwire

import "github.com/jackc/pgx/v5/pgproto3"

// reported are the settings whose values a client is told, as PostgreSQL's GUC_REPORT settings are, with the value for
// sessions that do not know one. Drivers refuse to work or fall back to slow paths without some of them: JDBC reads
// server_version, client_encoding, DateStyle and TimeZone, psycopg integer_datetimes and standard_conforming_strings,
// psql is_superuser and in_hot_standby.
var reported = [...]Setting{
	{"application_name", ""},
	{"client_encoding", "UTF8"},
	{"DateStyle", "ISO, MDY"},
	{"default_transaction_read_only", "off"},
	{"in_hot_standby", "off"},
	{"integer_datetimes", "on"},
	{"IntervalStyle", "postgres"},
	{"is_superuser", "on"},
	{"server_encoding", "UTF8"},
	{"server_version", "15.0"},
	{"session_authorization", ""},
	{"standard_conforming_strings", "on"},
	{"TimeZone", "UTC"},
}

// ReportedSettings names the settings that a Session's Setting is asked for.
func ReportedSettings() []string {
	names := make([]string, len(reported))
	for i, s := range reported {
		names[i] = s.Name
	}
	return names
}

// settings remembers what the client was told.
type settings struct {
	told    [len(reported)]string
	begun   bool
	version uint64 // of the session's settings then
}

// report sends what has changed since the last time, at first everything. Comparing values rather than listening to SET
// makes a rolled-back SET right as well.
func (t *settings) report(out *outbox, s Session) {
	version := s.SettingsVersion()
	if t.begun && version == t.version {
		return
	}
	for i, r := range reported {
		value, ok := s.Setting(r.Name)
		if !ok {
			value = r.Value
		}
		if t.begun && value == t.told[i] {
			continue
		}
		t.told[i] = value
		out.send(&pgproto3.ParameterStatus{Name: r.Name, Value: clean(value)})
	}
	t.begun, t.version = true, version
}
