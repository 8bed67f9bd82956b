package tidemark

import (
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/tidemark-db/tidemark/internal/settings"
)

// Memory is the name of a database without a directory: it ends with its DB.
const Memory = ":memory:"

// Options say how a database runs. The zero value works.
type Options struct {
	// Settings are values by name, such as "checkpoint_interval": "2s". They win over Environ and ConfigFile.
	// docs/configuration.md lists them.
	Settings map[string]string
	// Environ looks up variables such as TIDEMARK_CHECKPOINT_INTERVAL; os.LookupEnv, or nil to have none.
	Environ func(name string) (string, bool)
	// ConfigFile is a TOML file with settings.
	ConfigFile string

	// LogOutput takes the log in the form of log_format, from log_level on; nil: no log.
	LogOutput io.Writer
	// Logger takes the log in place of LogOutput.
	Logger *slog.Logger

	// User is who runs the statements of Exec, Query and Conn: "root", the superuser of every database, by default.
	User string
	// OnNotice is called with what statements say beside their result, on the goroutine that runs the statement.
	OnNotice func(Notice)
	// OnFatal is called once, when the store cannot be written any more: all further writes fail, and the DB should be
	// closed. What was acknowledged is there when it is opened again.
	OnFatal func(error)
	// Dedicated says that the process does nothing but run this database, as a server does. Open then lets Go schedule on twice as
	// many processors as there are, unless GOMAXPROCS or a quota says how many, and views that read their history get threads of low
	// priority (Linux), so that they do not delay others.
	Dedicated bool
	// Now is the clock; time.Now by default.
	Now func() time.Time
}

// Notice is a message of a statement that is not an error.
type Notice struct {
	Severity, SQLState, Message, Detail, Hint string
}

// resolve makes the values of all settings.
func (o Options) resolve() (*settings.Server, error) {
	return settings.Resolve(settings.NewRegistry(), settings.Sources{
		Flags: o.Settings, Env: o.Environ, ReadFile: os.ReadFile, File: o.ConfigFile,
	})
}

// logger is where the log goes.
func (o Options) logger(set *settings.Server) *slog.Logger {
	switch {
	case o.Logger != nil:
		return o.Logger
	case o.LogOutput == nil:
		return slog.New(slog.DiscardHandler)
	}
	h := &slog.HandlerOptions{Level: logLevel{set}}
	if set.Text("log_format") == "json" {
		return slog.New(slog.NewJSONHandler(o.LogOutput, h))
	}
	return slog.New(slog.NewTextHandler(o.LogOutput, h))
}

// logLevel follows the setting, which may change while the database runs.
type logLevel struct{ set *settings.Server }

// Level implements slog.Leveler.
func (l logLevel) Level() slog.Level {
	var level slog.Level
	if level.UnmarshalText([]byte(l.set.Text("log_level"))) != nil {
		return slog.LevelInfo
	}
	return level
}
