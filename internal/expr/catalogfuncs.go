package expr

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// addCatalog adds the functions that Session.Catalog answers. It is told the function's name and its arguments; NULLs
// reach it only where the function takes them.
func addCatalog(b *builder) {
	text, name, oid, i4, boolean := types.Text, types.Name, types.Oid, types.Int4, types.Bool
	ask := b.ask
	for _, k := range []struct {
		name string
		kind types.Kind
	}{
		{"to_regclass", types.KindRegclass}, {"to_regtype", types.KindRegtype}, {"to_regproc", types.KindRegproc}, {"to_regnamespace", types.KindRegnamespace},
	} {
		ask(k.name, types.T{Kind: k.kind}, "object of the name, NULL when there is none", text)
	}
	ask("pg_get_viewdef", text, "query of a view", oid)
	ask("pg_get_viewdef", text, "query of a view, indented", oid, boolean)
	ask("pg_get_indexdef", text, "statement that makes an index", oid)
	ask("pg_get_indexdef", text, "column of an index", oid, i4, boolean)
	ask("pg_get_constraintdef", text, "definition of a constraint", oid)
	ask("pg_get_constraintdef", text, "definition of a constraint", oid, boolean)
	ask("pg_get_expr", text, "text of a stored expression", text, oid)
	ask("pg_get_expr", text, "text of a stored expression", text, oid, boolean)
	ask("pg_get_userbyid", name, "name of a user", oid)
	ask("pg_get_functiondef", text, "definition of a function", oid)
	ask("pg_get_function_result", text, "result type of a function", oid)
	ask("pg_get_function_arguments", text, "arguments of a function", oid)
	ask("pg_get_function_identity_arguments", text, "arguments of a function", oid)
	ask("pg_get_serial_sequence", text, "sequence of a column, NULL", text, text)
	ask("pg_get_partkeydef", text, "partition key, NULL", oid)
	ask("pg_get_ruledef", text, "rule of a view", oid)
	ask("pg_get_ruledef", text, "rule of a view", oid, boolean)
	ask("pg_get_function_sqlbody", text, "body of an SQL function, NULL", oid)
	ask("pg_get_statisticsobjdef", text, "extended statistics, NULL", oid)
	ask("pg_get_statisticsobjdef_columns", text, "columns of extended statistics, NULL", oid)
	ask("pg_get_triggerdef", text, "definition of a trigger, NULL", oid)
	ask("pg_get_triggerdef", text, "definition of a trigger, NULL", oid, boolean)
	ask("pg_relation_is_publishable", boolean, "false", types.T{Kind: types.KindRegclass})
	ask("pg_relation_filenode", oid, "number of a relation's storage", types.T{Kind: types.KindRegclass})
	ask("pg_is_other_temp_schema", boolean, "false", oid)
	ask("pg_char_to_encoding", i4, "number of an encoding", name)
	ask("obj_description", text, "comment on an object", oid)
	ask("obj_description", text, "comment on an object", oid, name)
	ask("shobj_description", text, "comment on a shared object", oid, name)
	ask("col_description", text, "comment on a column", oid, i4)
	ask("pg_postmaster_start_time", types.Timestamptz, "when the server started")
	ask("pg_conf_load_time", types.Timestamptz, "when the configuration was read")
	ask("rw_cluster_id", text, "identifier of the data directory")
	ask("set_config", text, "changes a setting and returns its value", text, text, boolean).volatile()
	ask("pg_sleep", types.Void, "waits some seconds", types.Float8).volatile()
	ask("pg_cancel_backend", boolean, "cancels a session's statement", i4).volatile()
	ask("pg_terminate_backend", boolean, "ends a session", i4).volatile()
	addAdvisory(b)
	addVisibility(b)
	addPrivileges(b)
}

// addAdvisory adds the locks that programs agree on: by one number or two, until unlocked or until the transaction ends.
func addAdvisory(b *builder) {
	for _, key := range [][]types.T{{types.Int8}, {types.Int4, types.Int4}} {
		for _, mode := range []string{"", "_shared"} {
			b.ask("pg_advisory_lock"+mode, types.Void, "takes an advisory lock, waiting for it", key...).volatile()
			b.ask("pg_advisory_xact_lock"+mode, types.Void, "takes an advisory lock until the transaction ends", key...).volatile()
			b.ask("pg_try_advisory_lock"+mode, types.Bool, "takes an advisory lock if it is free", key...).volatile()
			b.ask("pg_try_advisory_xact_lock"+mode, types.Bool, "takes an advisory lock until the transaction ends if it is free", key...).volatile()
			b.ask("pg_advisory_unlock"+mode, types.Bool, "gives an advisory lock back", key...).volatile()
		}
	}
	b.ask("pg_advisory_unlock_all", types.Void, "gives all advisory locks of the session back").volatile()
}

// ask adds a function whose answer comes from the catalog.
func (b *builder) ask(fname string, ret types.T, doc string, args ...types.T) *Func {
	return b.fn(fname, in(args...).out(ret), fn(func(ctx *Ctx, r row) (types.Datum, error) {
		if ctx.Session.Catalog == nil {
			return types.Null, errs.CatalogFunction.New("name", fname)
		}
		values := make(types.Row, r.n())
		for k := range values {
			values[k] = r.datum(k)
		}
		return ctx.Session.Catalog(fname, values)
	}), doc).momentary()
}

// addVisibility adds what tells about relations and other objects by their OID.
func addVisibility(b *builder) {
	text, name, oid, i8, boolean := types.Text, types.Name, types.Oid, types.Int8, types.Bool
	for _, f := range []string{
		"pg_table_is_visible", "pg_type_is_visible", "pg_function_is_visible", "pg_operator_is_visible", "pg_opclass_is_visible",
		"pg_opfamily_is_visible", "pg_collation_is_visible", "pg_conversion_is_visible", "pg_statistics_obj_is_visible",
		"pg_ts_config_is_visible", "pg_ts_dict_is_visible", "pg_ts_parser_is_visible", "pg_ts_template_is_visible",
	} {
		b.ask(f, boolean, "whether the object is found without its schema", oid)
	}
	for _, f := range []string{"pg_relation_size", "pg_table_size", "pg_indexes_size", "pg_total_relation_size"} {
		b.ask(f, i8, "bytes of a relation", types.T{Kind: types.KindRegclass})
	}
	b.ask("pg_database_size", i8, "bytes of a database", name)
	b.ask("pg_tablespace_location", text, "place of a tablespace, empty", oid)
}

// addPrivileges adds the tests of privileges: for the current user, or for one by name or OID.
func addPrivileges(b *builder) {
	text, name, oid, boolean := types.Text, types.Name, types.Oid, types.Bool
	for _, f := range []string{
		"has_table_privilege", "has_schema_privilege", "has_database_privilege", "has_function_privilege", "has_any_column_privilege",
		"has_sequence_privilege", "has_type_privilege", "has_language_privilege", "has_tablespace_privilege",
	} {
		for _, who := range [][]types.T{{}, {name}, {oid}} {
			for _, what := range []types.T{text, oid} {
				b.ask(f, boolean, "whether the user has a privilege", append(append([]types.T{}, who...), what, text)...)
			}
		}
	}
	for _, who := range [][]types.T{{}, {name}} {
		b.ask("has_column_privilege", boolean, "whether the user has a privilege", append(append([]types.T{}, who...), text, text, text)...)
		b.ask("pg_has_role", boolean, "whether the user has a role", append(append([]types.T{}, who...), name, text)...)
	}
}
