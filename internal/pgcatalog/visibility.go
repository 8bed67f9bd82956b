package pgcatalog

import "github.com/tidemark-db/tidemark/internal/types"

// visibility is the functions that tell whether a bare name finds an object. All that is not a relation is in pg_catalog,
// which is always on the path.
var visibility = map[string]answer{
	"pg_table_is_visible":          tableVisible,
	"pg_type_is_visible":           always,
	"pg_function_is_visible":       always,
	"pg_operator_is_visible":       always,
	"pg_opclass_is_visible":        always,
	"pg_opfamily_is_visible":       always,
	"pg_collation_is_visible":      always,
	"pg_conversion_is_visible":     always,
	"pg_statistics_obj_is_visible": always,
	"pg_ts_config_is_visible":      always,
	"pg_ts_dict_is_visible":        always,
	"pg_ts_parser_is_visible":      always,
	"pg_ts_template_is_visible":    always,
	"pg_relation_is_publishable":   func(*lookup, types.Row) (any, error) { return false, nil },
	"pg_is_other_temp_schema":      func(*lookup, types.Row) (any, error) { return false, nil },
}

func always(*lookup, types.Row) (any, error) { return true, nil }

func tableVisible(l *lookup, args types.Row) (any, error) {
	if o := l.byOID[int(args[0].Int())]; o != nil {
		return l.visible(o), nil
	}
	return nil, nil
}
