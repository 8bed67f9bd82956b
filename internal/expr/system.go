package expr

import (
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// versionText is what version() says: clients look for PostgreSQL's version in it.
const versionText = "PostgreSQL 15.13-Tidemark"

func addSystem(b *builder) {
	text, name := types.Text, types.Name
	constant := func(fname string, t types.T, f func(ctx *Ctx) types.Datum, doc string) {
		b.fn(fname, in().out(t), nullary(f), doc).momentary()
	}
	constant("version", text, func(*Ctx) types.Datum { return types.NewBytes(versionText) }, "name and version of the server")
	for _, n := range []string{"current_user", "session_user", "user", "current_role"} {
		constant(n, name, func(ctx *Ctx) types.Datum { return types.NewBytes(ctx.Session.User) }, "name of the user")
	}
	for _, n := range []string{"current_database", "current_catalog"} {
		constant(n, name, func(ctx *Ctx) types.Datum { return types.NewBytes(ctx.Session.Database) }, "name of the database")
	}
	constant("current_schema", name, func(ctx *Ctx) types.Datum {
		for _, s := range ctx.Session.SearchPath {
			if s != "pg_catalog" && s != "$user" {
				return types.NewBytes(s)
			}
		}
		return types.Null
	}, "first schema of the search path")
	b.fn("current_schemas", in(types.Bool).out(types.ArrayOf(name)), c1(func(ctx *Ctx, implicit bool) (types.Datum, error) {
		var out []string
		if implicit {
			out = append(out, "pg_catalog")
		}
		for _, s := range ctx.Session.SearchPath {
			if s != "$user" {
				out = append(out, s)
			}
		}
		return types.NewArray(name, textDatums(out)), nil
	}), "schemas of the search path").momentary()
	constant("pg_backend_pid", types.Int4, func(ctx *Ctx) types.Datum { return types.NewInt(int64(ctx.Session.BackendPID)) }, "number of the session")
	constant("pg_is_in_recovery", types.Bool, func(*Ctx) types.Datum { return types.NewBool(false) }, "false")
	constant("inet_server_addr", text, func(*Ctx) types.Datum { return types.Null }, "NULL")
	constant("inet_server_port", types.Int4, serverPort, "port that clients connect to")
	constant("inet_client_addr", text, func(*Ctx) types.Datum { return types.Null }, "NULL")
	constant("txid_current", types.Int8, func(ctx *Ctx) types.Datum { return types.NewInt(ctx.instant()) }, "a number for the transaction")
	constant("pg_current_xact_id", types.Int8, func(ctx *Ctx) types.Datum { return types.NewInt(ctx.instant()) }, "a number for the transaction")
	addSettings(b)
	b.fn("pg_typeof", in(Any).out(types.T{Kind: types.KindRegtype}), fn(func(_ *Ctx, r row) (types.Datum, error) {
		return types.NewInt(int64(types.OID(r.typ(0)))), nil
	}).total(), "type of the value").nulls()
	b.fn("format_type", in(types.Oid, types.Int4).out(text), fn(formatType).total(), "name of a type with its modifier").nulls()
	b.fn("pg_encoding_to_char", in(types.Int4).out(name), f1(func(v int64) string {
		if v == 6 {
			return "UTF8"
		}
		return ""
	}), "name of an encoding")
	b.fn("getdatabaseencoding", in().out(name), nullary(func(*Ctx) types.Datum { return types.NewBytes("UTF8") }), "UTF8")
	b.fn("pg_client_encoding", in().out(name), nullary(func(*Ctx) types.Datum { return types.NewBytes("UTF8") }), "UTF8")
	b.fn("pg_size_pretty", in(types.Int8).out(text), f1(sizePretty), "a size in bytes with a unit")
	b.fn("pg_column_size", in(Any).out(types.Int4), fn(func(ctx *Ctx, r row) (types.Datum, error) {
		if n := types.Size(r.typ(0)); n > 0 {
			return types.NewInt(int64(n)), nil
		}
		return types.NewInt(int64(len(r.datum(0).Bytes()))), nil
	}).total(), "bytes of the value")
}

// serverPort is the port of the setting listen.
func serverPort(ctx *Ctx) types.Datum {
	if ctx.Session.Setting == nil {
		return types.Null
	}
	address, _ := ctx.Session.Setting("listen")
	port, err := strconv.ParseInt(address[strings.LastIndexByte(address, ':')+1:], 10, 32)
	if err != nil {
		return types.Null
	}
	return types.NewInt(port)
}

func addSettings(b *builder) {
	text := types.Text
	get := func(ctx *Ctx, name string, missingOK bool) (types.Datum, error) {
		if ctx.Session.Setting != nil {
			if v, ok := ctx.Session.Setting(name); ok {
				return types.NewBytes(v), nil
			}
		}
		if missingOK {
			return types.Null, nil
		}
		return types.Null, errs.UnknownSetting.New("name", name)
	}
	b.fn("current_setting", in(text).out(text), c1(func(ctx *Ctx, name string) (types.Datum, error) { return get(ctx, name, false) }), "value of a setting").momentary()
	b.fn("current_setting", in(text, types.Bool).out(text), c2(func(ctx *Ctx, name string, ok bool) (types.Datum, error) { return get(ctx, name, ok) }), "value of a setting, NULL when there is none").momentary()
}

func formatType(_ *Ctx, r row) (types.Datum, error) {
	if r.null(0) {
		return types.Null, nil
	}
	t, ok := types.FromOID(uint32(r.int(0)))
	if !ok {
		return types.NewBytes("???"), nil
	}
	if !r.null(1) {
		t = types.WithTypmod(t, int32(r.int(1)))
	}
	name := types.SQLName(t)
	if t.Kind == types.KindBpchar && t.Width == 0 {
		name = "character"
		if r.null(1) || r.int(1) < 0 {
			name = "bpchar"
		}
	}
	return types.NewBytes(strings.TrimSpace(name)), nil
}

// sizePretty switches to the next unit from 10240 on, and rounds, as PostgreSQL does.
func sizePretty(v int64) string {
	const limit = 10 * 1024
	if magnitude(v) < limit {
		return types.NumFromInt(v).String() + " bytes"
	}
	units := []string{"kB", "MB", "GB", "TB", "PB"}
	v /= 1 << 9 // keeps one more bit, for rounding
	for k, u := range units {
		if magnitude(v) < 2*limit-1 || k == len(units)-1 {
			half := (v + 1) / 2
			if v < 0 {
				half = (v - 1) / 2
			}
			return types.NumFromInt(half).String() + " " + u
		}
		v /= 1 << 10
	}
	return ""
}
