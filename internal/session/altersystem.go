package session

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// alterSystem runs ALTER SYSTEM SET and RESET. The value is stored, and counts again after a restart.
func (s *Session) alterSystem(st *ast.AlterSystem) (Result, error) {
	if user, ok := s.d.engine.Catalog().User(s.startup.User); ok && !user.Super {
		return nil, errs.PermissionDenied.New("what", "to set parameter \""+st.Name+"\"")
	}
	name := strings.ToLower(st.Name)
	if st.Reset || st.Value.Kind == ast.OptWord && strings.EqualFold(st.Value.Text, "default") {
		if err := s.d.settings.Reset(name); err != nil {
			return nil, err
		}
		return done("ALTER SYSTEM"), s.d.store.Apply([]kv.Write{meta.DropSetting(name)})
	}
	if err := s.d.settings.Alter(name, st.Value.Text); err != nil {
		return nil, err
	}
	return done("ALTER SYSTEM"), s.d.store.Apply([]kv.Write{meta.PutSetting(name, st.Value.Text)})
}

// storedSettings applies what ALTER SYSTEM has stored, where the command line and the environment say nothing.
func (d *Database) storedSettings() error {
	stored, err := meta.Settings(d.store.Meta())
	if err != nil {
		return err
	}
	for name, text := range stored {
		if from := d.settings.From(name); from == settings.FromFlag || from == settings.FromEnv {
			continue
		}
		if err := d.settings.Alter(name, text); err != nil {
			d.logger.Warn("a stored setting is not applied", "setting", name, "error", err)
		}
	}
	return nil
}
