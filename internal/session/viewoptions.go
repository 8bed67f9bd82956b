package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// ignoredOptions are options of views that are read elsewhere, or RisingWave's that change nothing here.
var ignoredOptions = []string{snapshotOption, orderOption, "resource_group", sourceRateOption, "cloud.serverless_backfill_enabled"}

// withOptions takes the options of CREATE MATERIALIZED VIEW ... WITH, which come before the session's settings.
func (s *Session) withOptions(settings map[string]string, options []ast.Option) error {
	if err := s.takeOptions(settings, options, ignoredOptions); err != nil {
		return err
	}
	for _, o := range options {
		if strings.EqualFold(o.Key, snapshotOption) {
			if err := withHistory(settings, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeOptions sets those of the settings that WITH names; others must be among the ignored.
func (s *Session) takeOptions(settings map[string]string, options []ast.Option, ignored []string) error {
	seen := map[string]bool{}
	for _, o := range options {
		name := strings.ToLower(o.Key)
		if seen[name] {
			return errs.RepeatedOption.New("name", o.Key).At(int(o.Pos))
		}
		seen[name] = true
		if _, known := settings[name]; known {
			value, err := s.settingValue(name, o.Value.Text, o.Pos)
			if err != nil {
				return err
			}
			settings[name] = value
		} else if !slices.Contains(ignored, name) {
			return errs.UnknownOption.New("name", o.Key).At(int(o.Pos))
		}
	}
	return nil
}

// settingValue is the text of a value that a statement gives a setting, as it is stored.
func (s *Session) settingValue(name, text string, pos ast.Pos) (string, error) {
	def, ok := s.d.settings.Registry().Lookup(name)
	if !ok {
		return "", errs.UnknownOption.New("name", name).At(int(pos))
	}
	value, err := def.Parse(text)
	if e, ok := errs.As(err); ok {
		return "", e.At(int(pos))
	}
	return value, err
}

// snapshotOption of a view: false leaves out the rows that there are when it is made.
const snapshotOption = "snapshot"

// withHistory takes the option.
func withHistory(settings map[string]string, o ast.Option) error {
	switch with, err := strconv.ParseBool(strings.ToLower(o.Value.Text)); {
	case err != nil:
		return errs.SettingBoolean.New("name", o.Key).At(int(o.Pos))
	case !with:
		settings[meta.ModeSetting] = meta.ModeUpstream
	}
	return nil
}

// checkHistory refuses to leave out the history of what has other changes than new rows: a row that goes, of which nothing
// was read, can not be told from one that the view has.
func checkHistory(settings map[string]string, n plan.Node) error {
	if settings[meta.ModeSetting] != meta.ModeUpstream {
		return nil
	}
	if scan, ok := n.(*plan.Scan); ok && !scan.Rel.AppendOnly {
		return errs.BackfillOnlyUpstream.New("name", scan.Rel.Name)
	}
	for _, in := range n.Inputs() {
		if err := checkHistory(settings, in); err != nil {
			return err
		}
	}
	return nil
}
