// Package settings has the variables of the server and of its sessions: one registry of what exists, the server's
// values with where each came from, and the values of a session on top of them. SET, SHOW, pg_settings, flags,
// TIDEMARK_ variables, the configuration file and docs/configuration.md all read the same registry.
//
//	reg := settings.NewRegistry()
//	server, err := settings.Resolve(reg, settings.Sources{Env: os.LookupEnv})
//	session := settings.NewSession(server)
package settings

import "strings"

// Scope says who has a value of its own.
type Scope uint8

const (
	ScopeSession Scope = iota // each session, from the server's value
	ScopeServer               // the whole server; ALTER SYSTEM SET changes it
	ScopeStart                // the whole server, read when it starts
	ScopeFixed                // nobody: a property of this build
)

func (s Scope) String() string { return [...]string{"session", "server", "start", "fixed"}[s] }

// context is the word of pg_settings for who may change a value.
func (s Scope) context() string { return [...]string{"user", "sighup", "postmaster", "internal"}[s] }

// Kind is the type of a value.
type Kind uint8

const (
	Bool     Kind = iota
	Int           // a 64-bit number
	Float         // a double
	String        // any text, or what the definition's check accepts
	Enum          // one of the words
	Duration      // a whole number of the unit: us, ms, s or min
	Size          // a number of bytes
)

func (k Kind) String() string {
	return [...]string{"bool", "integer", "real", "string", "enum", "duration", "size"}[k]
}

// vartype is the word of pg_settings for the type.
func (k Kind) vartype() string {
	return [...]string{"bool", "integer", "real", "string", "enum", "integer", "integer"}[k]
}

// Def describes one setting.
type Def struct {
	Name     string
	Kind     Kind
	Default  string // in the canonical form
	Min, Max int64  // bounds of numbers, in the unit; both 0 means no bounds
	Words    []string
	Unit     string // of Duration: us, ms, s or min
	Scope    Scope
	Category string
	Doc      string
	Flag     string // name of the command line flag; "" makes it from Name
	Report   bool   // the client is told of each change (ParameterStatus)
	Foreign  bool   // RisingWave's, without effect here
	check    func(string) (string, error)
}

// FlagName is the flag of `tidemark serve` that sets a server's setting.
func (d *Def) FlagName() string {
	if d.Flag != "" {
		return d.Flag
	}
	return strings.ReplaceAll(d.Name, "_", "-")
}

// EnvName is the environment variable that sets it.
func (d *Def) EnvName() string { return "TIDEMARK_" + strings.ToUpper(d.Name) }
