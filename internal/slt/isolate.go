package slt

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// prepare makes the server ready for a file, as -isolate and -reset-cmd ask.
func (r *Runner) prepare(path, dir string) error {
	r.database = r.opt.Database
	if r.opt.ResetCmd != "" && (r.opt.ResetPer == "file" || dir != r.lastDir) {
		if err := r.reset(path); err != nil {
			return err
		}
		r.baseline = nil
	}
	r.lastDir = dir
	switch r.opt.Isolate {
	case "database":
		c, err := r.dial("", r.opt.Reconnect)
		if err != nil {
			return err
		}
		defer c.Close()
		r.database = fmt.Sprintf("slt_%d_%d", os.Getpid(), time.Now().UnixNano())
		_, err = r.exec(c, "CREATE DATABASE "+r.database)
		return err
	case "drop":
		if r.baseline == nil {
			r.baseline = map[string]bool{}
			for _, o := range r.objects() {
				r.baseline[o.key()] = true
			}
		}
	}
	return nil
}

func (r *Runner) reset(path string) error {
	cmd := exec.Command("bash", "-c", r.opt.ResetCmd)
	cmd.Env = append(os.Environ(), "SLT_FILE="+path, "SLT_WORKER="+strconv.Itoa(r.worker))
	cmd.WaitDelay = time.Second
	logf, err := os.OpenFile(filepath.Join(os.TempDir(), fmt.Sprintf("slt-reset-%d.log", r.worker)), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err == nil {
		defer logf.Close()
		cmd.Stdout, cmd.Stderr = logf, logf
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("reset command: %w", err)
	}
	c, err := r.dial("", r.opt.Reconnect)
	if err != nil {
		return err
	}
	c.Close()
	return nil
}

// cleanup removes what a file left behind.
func (r *Runner) cleanup() {
	r.closeAll()
	switch r.opt.Isolate {
	case "database":
		c, err := r.dial("", 5*time.Second)
		if err != nil {
			return
		}
		defer c.Close()
		if _, err := r.exec(c, "DROP DATABASE "+r.database+" WITH (FORCE)"); err != nil {
			r.exec(c, "DROP DATABASE "+r.database)
		}
	case "drop":
		r.dropNew()
	}
}

func (r *Runner) exec(c *Conn, sql string) (Output, error) {
	ctx, stop := context.WithTimeout(context.Background(), r.opt.Timeout)
	defer stop()
	return c.Run(ctx, sql)
}

type object struct{ kind, schema, name string }

func (o object) key() string { return o.kind + "\x00" + o.schema + "\x00" + o.name }

func ident(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// kinds are the object kinds in the order in which they are dropped, dependants first.
var kinds = []struct{ drop, show string }{
	{"SUBSCRIPTION", "SHOW SUBSCRIPTIONS"},
	{"SINK", "SHOW SINKS"},
	{"MATERIALIZED VIEW", "SHOW MATERIALIZED VIEWS"},
	{"VIEW", "SHOW VIEWS"},
	{"INDEX", "SHOW INDEXES"},
	{"TABLE", "SHOW TABLES"},
	{"SOURCE", "SHOW SOURCES"},
	{"FUNCTION", "SHOW FUNCTIONS"},
	{"CONNECTION", "SHOW CONNECTIONS"},
	{"SECRET", "SHOW SECRETS"},
}

// objects lists what the server holds, as far as it can say: first the SHOW
// commands of a streaming database, then information_schema.
func (r *Runner) objects() []object {
	c, err := r.dial(r.opt.Database, r.opt.Reconnect)
	if err != nil {
		return nil
	}
	defer c.Close()
	var out []object
	seen := map[string]bool{}
	add := func(o object) {
		if !seen[o.key()] {
			seen[o.key()] = true
			out = append(out, o)
		}
	}
	list := func(sql string, f func(row []string)) {
		if c.Dead() {
			return
		}
		o, err := r.exec(c, sql)
		if err != nil {
			return
		}
		for _, row := range o.Rows {
			if len(row) > 0 && row[0] != "NULL" {
				f(row)
			}
		}
	}
	system := map[string]bool{"pg_catalog": true, "information_schema": true, "rw_catalog": true, "public": true, "pg_toast": true}
	schemas := func(row []string) {
		if !system[row[0]] && !strings.HasPrefix(row[0], "pg_") {
			add(object{"SCHEMA", "", row[0]})
		}
	}
	list("SHOW SCHEMAS", schemas)
	list("SELECT schema_name FROM information_schema.schemata", schemas)
	for _, k := range kinds {
		list(k.show, func(row []string) { add(object{k.drop, "public", row[0]}) })
	}
	list("SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'public'", func(row []string) {
		kind := strings.ToUpper(row[1])
		switch kind {
		case "BASE TABLE", "TABLE":
			kind = "TABLE"
		case "VIEW", "MATERIALIZED VIEW", "SOURCE", "SINK":
		default:
			return
		}
		add(object{kind, "public", row[0]})
	})
	list("SELECT sequence_name FROM information_schema.sequences WHERE sequence_schema = 'public'", func(row []string) { add(object{"SEQUENCE", "public", row[0]}) })
	list("SELECT datname FROM pg_catalog.pg_database", func(row []string) { add(object{"DATABASE", "", row[0]}) })
	list("SELECT rolname FROM pg_catalog.pg_roles", func(row []string) { add(object{"USER", "", row[0]}) })
	return out
}

// dropNew drops what was not there before the run, in up to three rounds since
// objects may depend on each other. What was there before is never touched.
func (r *Runner) dropNew() {
	for round := 0; round < 3; round++ {
		var todo []object
		for _, o := range r.objects() {
			if !r.baseline[o.key()] {
				todo = append(todo, o)
			}
		}
		if len(todo) == 0 {
			return
		}
		c, err := r.dial(r.opt.Database, r.opt.Reconnect)
		if err != nil {
			return
		}
		drop := func(kind string) {
			for _, o := range todo {
				if o.kind != kind || c.Dead() {
					continue
				}
				name := ident(o.name)
				if o.schema != "" {
					name = ident(o.schema) + "." + name
				}
				sql := "DROP " + kind + " IF EXISTS " + name
				if kind != "DATABASE" && kind != "USER" {
					if _, err := r.exec(c, sql+" CASCADE"); err == nil {
						continue
					}
				}
				r.exec(c, sql)
			}
		}
		for _, k := range kinds {
			drop(k.drop)
		}
		drop("SEQUENCE")
		drop("SCHEMA")
		drop("DATABASE")
		drop("USER")
		c.Close()
	}
}
