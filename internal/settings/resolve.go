package settings

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Sources are the places from which the server's values come: flags win over the environment, the environment over the
// configuration file, the file over the defaults.
type Sources struct {
	Flags    map[string]string            // by the setting's name; only those that were given
	Env      func(string) (string, bool)  // os.LookupEnv
	ReadFile func(string) ([]byte, error) // os.ReadFile; needed only where a file is named
	File     string                       // the configuration file; "" for none, then TIDEMARK_CONFIG may name one
}

// Resolve makes the server's values.
func Resolve(reg *Registry, src Sources) (*Server, error) {
	s := NewServer(reg)
	file := src.File
	if file == "" && src.Env != nil {
		if name, ok := src.Env("TIDEMARK_CONFIG"); ok {
			file = name
		}
	}
	if file != "" {
		if err := s.readFile(file, src.ReadFile); err != nil {
			return nil, err
		}
	}
	for _, d := range reg.All() {
		if src.Env == nil || d.Scope == ScopeFixed || d.Foreign {
			continue
		}
		if text, ok := src.Env(d.EnvName()); ok {
			if err := s.Configure(d.Name, text, FromEnv); err != nil {
				return nil, fmt.Errorf("%s: %w", d.EnvName(), err)
			}
		}
	}
	for _, d := range reg.All() {
		if text, ok := src.Flags[d.Name]; ok {
			if err := s.Configure(d.Name, text, FromFlag); err != nil {
				return nil, fmt.Errorf("--%s: %w", d.FlagName(), err)
			}
		}
	}
	return s, nil
}

// readFile takes each line "name = value" of a TOML file as one setting.
func (s *Server) readFile(file string, read func(string) ([]byte, error)) error {
	text, err := read(file)
	if err != nil {
		return errs.ConfigFile.New("file", file, "what", err)
	}
	var values map[string]any
	meta, err := toml.Decode(string(text), &values)
	if err != nil {
		return errs.ConfigFile.New("file", file, "what", err)
	}
	for _, key := range meta.Keys() {
		if err := s.fromFile(key.String(), values[key[0]]); err != nil {
			return errs.ConfigFile.New("file", file, "what", err).Wrap(err)
		}
	}
	return nil
}

func (s *Server) fromFile(name string, v any) error {
	switch v.(type) {
	case string, int64, float64, bool:
		return s.Configure(strings.ReplaceAll(name, "-", "_"), fmt.Sprint(v), FromFile)
	}
	return fmt.Errorf("%s: want a string, number or boolean", name)
}
