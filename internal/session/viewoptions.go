package session

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// ignoredOptions are options of views that are read elsewhere, or RisingWave's that change nothing here.
var ignoredOptions = []string{"backfill_order", "resource_group", "source_rate_limit", "cloud.serverless_backfill_enabled"}

// withOptions takes the options of CREATE MATERIALIZED VIEW ... WITH, which come before the session's settings.
func withOptions(settings map[string]string, options []ast.Option) error {
	seen := map[string]bool{}
	for _, o := range options {
		name := strings.ToLower(o.Key)
		if seen[name] {
			return errs.RepeatedOption.New("name", o.Key).At(int(o.Pos))
		}
		seen[name] = true
		if _, known := settings[name]; known {
			settings[name] = o.Value.Text
		} else if !slices.Contains(ignoredOptions, name) {
			return errs.UnknownOption.New("name", o.Key).At(int(o.Pos))
		}
	}
	return checkMode(settings, options)
}

// checkMode refuses a way of reading history that there is not.
func checkMode(settings map[string]string, options []ast.Option) error {
	mode := strings.ToLower(settings[meta.ModeSetting])
	settings[meta.ModeSetting] = mode
	if mode == meta.ModeSnapshot || mode == meta.ModeArrangement {
		return nil
	}
	i := slices.IndexFunc(options, func(o ast.Option) bool { return strings.EqualFold(o.Key, meta.ModeSetting) })
	return errs.SettingValue.New("name", meta.ModeSetting, "value", options[i].Value.Text).At(int(options[i].Pos))
}
