package settings

import (
	"maps"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Session holds what one session has set, over the server's values. As in PostgreSQL a SET inside a transaction is
// undone when the transaction is, and SET LOCAL ends with it. A session belongs to one goroutine at a time.
type Session struct {
	server  *Server
	startup map[string]value // of the connection; where RESET goes back to
	session map[string]value
	local   map[string]value // of the open transaction
	saved   map[string]value // session as it was when the transaction began; nil outside of one
	fixed   map[string]string
	version uint64
	read    struct {
		version uint64
		values  map[string]reading // by the name as it was asked for
	}
}

// reading is what a setting says. It is kept until a value may have changed: statements ask for the same few again and again.
type reading struct {
	text     string
	number   int64
	duration time.Duration
}

// Version is another number after whatever may have changed a value: what was made of the values before is stale.
func (s *Session) Version() uint64 { return s.version + s.server.version.Load() }

// NewSession makes a session in which nothing is set.
func NewSession(server *Server) *Session {
	return &Session{server: server, startup: map[string]value{}, session: map[string]value{}, local: map[string]value{}, fixed: map[string]string{}}
}

// Startup applies a parameter of the connection's start-up message. It is an error that ends the connection if the
// value is bad.
func (s *Session) Startup(name, text string) (notice *errs.Error, err error) {
	s.version++
	d, canonical, err := s.check(name, text)
	if err != nil {
		return nil, err
	}
	s.startup[strings.ToLower(d.Name)] = value{canonical, FromClient}
	return ignored(d), nil
}

// Fix gives the session's value of a setting that nobody can set, such as session_authorization.
func (s *Session) Fix(name, text string) {
	s.version++
	s.fixed[strings.ToLower(name)] = text
}

// Set is SET or, with local, SET LOCAL. The notice, when not nil, is sent to the client; the value is set nevertheless.
func (s *Session) Set(name, text string, local bool) (notice *errs.Error, err error) {
	s.version++
	d, canonical, err := s.check(name, text)
	if err != nil {
		return nil, err
	}
	key := strings.ToLower(d.Name)
	switch {
	case !local:
		s.session[key] = value{canonical, FromSession}
		delete(s.local, key)
	case s.saved != nil:
		s.local[key] = value{canonical, FromSession}
	}
	return ignored(d), nil
}

// Reset is RESET name and SET name TO DEFAULT.
func (s *Session) Reset(name string) error {
	s.version++
	d, err := s.settable(name)
	if err != nil {
		return err
	}
	delete(s.session, strings.ToLower(d.Name))
	delete(s.local, strings.ToLower(d.Name))
	return nil
}

// ResetAll is RESET ALL.
func (s *Session) ResetAll() {
	s.version++
	clear(s.session)
	clear(s.local)
}

// check finds the setting, whether a session may set it, and the canonical text of the value.
func (s *Session) check(name, text string) (*Def, string, error) {
	d, err := s.settable(name)
	if err != nil {
		return nil, "", err
	}
	if strings.EqualFold(strings.TrimSpace(text), "default") && d.Kind != String {
		return d, s.base(d).text, nil
	}
	canonical, err := d.Parse(text)
	return d, canonical, err
}

func (s *Session) settable(name string) (*Def, error) {
	d, err := s.server.reg.find(name)
	if err != nil {
		return nil, err
	}
	switch d.Scope {
	case ScopeFixed:
		return nil, errs.SettingFixed.New("name", d.Name)
	case ScopeStart:
		return nil, errs.SettingRestart.New("name", d.Name)
	case ScopeServer:
		return nil, errs.SettingServer.New("name", d.Name).WithHint("ALTER SYSTEM SET %s = ...", d.Name)
	}
	return d, nil
}

func ignored(d *Def) *errs.Error {
	if d.Foreign {
		return errs.SettingIgnored.New("name", d.Name)
	}
	return nil
}

// Begin opens a transaction's scope.
func (s *Session) Begin() { s.saved = maps.Clone(s.session) }

// Commit keeps what SET did and ends what SET LOCAL did.
func (s *Session) Commit() {
	if len(s.local) > 0 {
		s.version++
	}
	clear(s.local)
	s.saved = nil
}

// Rollback undoes both.
func (s *Session) Rollback() {
	if s.saved != nil {
		s.session = s.saved
		s.version++
	}
	s.Commit()
}

// Mark is the state of the settings at a savepoint.
type Mark struct{ session, local map[string]value }

// Mark remembers the state.
func (s *Session) Mark() Mark { return Mark{maps.Clone(s.session), maps.Clone(s.local)} }

// RollbackTo goes back to a remembered state; the mark stays usable.
func (s *Session) RollbackTo(m Mark) {
	s.version++
	s.session, s.local = maps.Clone(m.session), maps.Clone(m.local)
}

// base is what RESET goes back to.
func (s *Session) base(d *Def) value {
	key := strings.ToLower(d.Name)
	if d.Scope == ScopeFixed {
		if text, ok := s.fixed[key]; ok {
			return value{text, FromDefault}
		}
	}
	if v, ok := s.startup[key]; ok {
		return v
	}
	return s.server.get(d)
}

func (s *Session) get(d *Def) value {
	key := strings.ToLower(d.Name)
	if v, ok := s.local[key]; ok {
		return v
	}
	if v, ok := s.session[key]; ok {
		return v
	}
	return s.base(d)
}

// Show is the value that SHOW prints. A name that is accepted without being known exists once it is set.
func (s *Session) Show(name string) (string, error) {
	d, err := s.server.reg.find(name)
	if err != nil {
		return "", err
	}
	v := s.get(d)
	if _, known := s.server.reg.Lookup(name); !known && v.from == FromDefault {
		return "", errs.UnknownSetting.New("name", name)
	}
	return v.text, nil
}

// Text is the canonical value of a setting that exists.
func (s *Session) Text(name string) string { return s.reading(name).text }

// Bool is the value of a switch.
func (s *Session) Bool(name string) bool { return s.reading(name).text == "on" }

// Int is the value of a number or size.
func (s *Session) Int(name string) int64 { return s.reading(name).number }

// Duration is the value of a duration.
func (s *Session) Duration(name string) time.Duration { return s.reading(name).duration }

// reading reads a setting, or finds it read. Nothing is what one says that does not exist.
func (s *Session) reading(name string) reading {
	if v := s.Version(); s.read.values == nil || s.read.version != v {
		s.read.version, s.read.values = v, map[string]reading{}
	}
	r, ok := s.read.values[name]
	if !ok {
		if text, err := s.Show(name); err == nil {
			r = reading{text, number(s.server.reg, name, text), duration(s.server.reg, name, text)}
		}
		s.read.values[name] = r
	}
	return r
}

// Location is the session's time zone.
func (s *Session) Location() *time.Location { return Location(s.Text("TimeZone")) }

// Path is search_path as a list of schema names; "$user" is left for the caller to replace.
func (s *Session) Path() []string { return splitPath(s.Text("search_path")) }

// splitPath splits a list of names, quoted or not, at its commas.
func splitPath(text string) []string {
	var out []string
	for len(text) > 0 {
		text = strings.TrimLeft(text, " \t\n,")
		var name string
		if strings.HasPrefix(text, `"`) {
			name, text = quotedName(text[1:])
		} else {
			i := strings.IndexByte(text+",", ',')
			name, text = strings.ToLower(strings.TrimSpace(text[:i])), text[i:]
		}
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}

// quotedName reads up to the closing quote; a doubled one stands for itself.
func quotedName(text string) (name, rest string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			if i+1 >= len(text) || text[i+1] != '"' {
				return b.String(), text[i+1:]
			}
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), ""
}
