package settings

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Origin says where a value came from, the weakest first.
type Origin uint8

const (
	FromDefault Origin = iota
	FromFile           // the configuration file
	FromEnv            // a TIDEMARK_ variable
	FromFlag           // the command line, or Options of an embedding program
	FromSystem         // ALTER SYSTEM SET
	FromClient         // the start-up message of the connection
	FromSession        // SET
)

// String is the word of pg_settings.source.
func (o Origin) String() string {
	return [...]string{"default", "configuration file", "environment variable", "command line", "override", "client", "session"}[o]
}

// value is a canonical text with its origin.
type value struct {
	text string
	from Origin
}

// Server holds the server's values; sessions start from them. It may be used by many goroutines.
type Server struct {
	reg *Registry
	mu  struct {
		sync.RWMutex
		values map[string]value
	}
	version atomic.Uint64 // another after each change
}

// NewServer makes a server with every setting at its default.
func NewServer(reg *Registry) *Server {
	s := &Server{reg: reg}
	s.mu.values = map[string]value{}
	return s
}

// Registry is the list of settings that the server has.
func (s *Server) Registry() *Registry { return s.reg }

// Configure sets any known setting, those read at the start included. It is for the time before the server runs.
func (s *Server) Configure(name, text string, from Origin) error {
	d, ok := s.reg.Lookup(name)
	if !ok {
		return errs.UnknownSetting.New("name", name)
	}
	if d.Scope == ScopeFixed {
		return errs.SettingFixed.New("name", d.Name)
	}
	return s.put(d, text, from)
}

// Alter is ALTER SYSTEM SET: it changes what new sessions start from, and the server itself where it reads the setting
// each time. The caller makes the change durable.
func (s *Server) Alter(name, text string) error {
	d, err := s.reg.find(name)
	if err != nil {
		return err
	}
	switch d.Scope {
	case ScopeFixed:
		return errs.SettingFixed.New("name", d.Name)
	case ScopeStart:
		return errs.SettingRestart.New("name", d.Name).
			WithHint("Start the server with --%s %s, or with %s=%s.", d.FlagName(), text, d.EnvName(), text)
	}
	return s.put(d, text, FromSystem)
}

// Reset is ALTER SYSTEM RESET: the value of ALTER SYSTEM SET is forgotten.
func (s *Server) Reset(name string) error {
	d, err := s.reg.find(name)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.mu.values, strings.ToLower(d.Name))
	s.version.Add(1)
	return nil
}

func (s *Server) put(d *Def, text string, from Origin) error {
	canonical, err := d.Parse(text)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.values[strings.ToLower(d.Name)] = value{canonical, from}
	s.version.Add(1)
	return nil
}

func (s *Server) get(d *Def) value {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if v, ok := s.mu.values[strings.ToLower(d.Name)]; ok {
		return v
	}
	return value{d.Default, FromDefault}
}

// Text is the canonical value of a setting that exists; asking for another is a bug of the caller and gives "".
func (s *Server) Text(name string) string {
	d, ok := s.reg.Lookup(name)
	if !ok {
		return ""
	}
	return s.get(d).text
}

// From tells where the value of a setting came from.
func (s *Server) From(name string) Origin {
	d, ok := s.reg.Lookup(name)
	if !ok {
		return FromDefault
	}
	return s.get(d).from
}

// Bool is the value of a switch.
func (s *Server) Bool(name string) bool { return s.Text(name) == "on" }

// Int is the value of a number or size.
func (s *Server) Int(name string) int64 { return number(s.reg, name, s.Text(name)) }

// Duration is the value of a duration.
func (s *Server) Duration(name string) time.Duration { return duration(s.reg, name, s.Text(name)) }

func number(reg *Registry, name, text string) int64 {
	d, ok := reg.Lookup(name)
	if !ok {
		return 0
	}
	switch d.Kind {
	case String:
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	case Bool, Enum:
		return 0
	}
	return d.mustNumber(text)
}

func duration(reg *Registry, name, text string) time.Duration {
	d, ok := reg.Lookup(name)
	if !ok || d.Kind != Duration {
		return 0
	}
	return time.Duration(d.mustNumber(text)*d.base()) * time.Microsecond
}
