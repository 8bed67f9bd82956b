package session

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// stateHash is on or off: what WITH says about the sums of a new relation's rows, else what the session does.
func (s *Session) stateHash(options []ast.Option) (string, error) {
	for _, o := range options {
		if strings.ToLower(o.Key) != engine.TallySetting {
			continue
		}
		on, ok := optionSwitch(o)
		switch {
		case !ok:
			return "", errs.SettingBoolean.New("name", o.Key).At(int(o.Pos))
		case on:
			return "on", nil
		}
		return "off", nil
	}
	return s.vars.Text(engine.TallySetting), nil
}

// tableSettings are the settings that shape the job of a table, or of a source that keeps its rows.
func (s *Session) tableSettings(kind catalog.RelationKind, options []ast.Option) (map[string]string, error) {
	hash, err := s.stateHash(options)
	return map[string]string{engine.TallySetting: hash, engine.ParallelismSetting: s.parallelismFor(kind)}, err
}
