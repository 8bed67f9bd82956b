package session

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// tableOptions are options of tables that tune how others store them and change nothing here: RisingWave's, then the
// storage parameters of PostgreSQL, which dumps and migration tools write.
var tableOptions = []string{
	"backfill_rate_limit", "dml_rate_limit", "retention_seconds", sourceRateOption,

	"fillfactor", "oids", "parallel_workers", "toast_tuple_target", "user_catalog_table",
}

// vacuumOptions are those that PostgreSQL takes for a table and, as toast.name, for its long values.
var vacuumOptions = []string{
	"autovacuum_enabled", "autovacuum_vacuum_threshold", "autovacuum_vacuum_scale_factor", "autovacuum_vacuum_insert_threshold",
	"autovacuum_vacuum_insert_scale_factor", "autovacuum_analyze_threshold", "autovacuum_analyze_scale_factor",
	"autovacuum_vacuum_cost_delay", "autovacuum_vacuum_cost_limit", "autovacuum_freeze_min_age", "autovacuum_freeze_max_age",
	"autovacuum_freeze_table_age", "autovacuum_multixact_freeze_min_age", "autovacuum_multixact_freeze_max_age",
	"autovacuum_multixact_freeze_table_age", "log_autovacuum_min_duration", "vacuum_index_cleanup", "vacuum_truncate",
}

// appendOnlyOption is RisingWave's older way to write APPEND ONLY.
const appendOnlyOption = "appendonly"

// optedAppendOnly reports whether an option makes the table append only.
func optedAppendOnly(st *ast.CreateTable) bool {
	return slices.ContainsFunc(st.Options, func(o ast.Option) bool {
		on, _ := optionSwitch(o)
		return on && o.Key == appendOnlyOption
	})
}

// checkTableOptions refuses options that no table takes. Those of a connector or of another engine are theirs to judge.
func checkTableOptions(st *ast.CreateTable) error {
	if st.Engine != "" {
		return nil
	}
	for _, o := range st.Options {
		if o.Key != appendOnlyOption && o.Key != engine.TallySetting && !slices.Contains(tableOptions, o.Key) && !slices.Contains(vacuumOptions, strings.TrimPrefix(o.Key, "toast.")) {
			return errs.UnknownOption.New("name", o.Key).At(int(o.Pos))
		}
	}
	return nil
}
