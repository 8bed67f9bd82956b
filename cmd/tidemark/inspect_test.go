package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark"
	"github.com/tidemark-db/tidemark/internal/inspect"
)

// inspected makes a store with a table of 100 rows, a view and a plain view.
func inspected(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	db, err := tidemark.Open(dir, tidemark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(t.Context(), `create table t (id int primary key, g int); insert into t select g, g % 10 from generate_series(1, 100) g;
		create materialized view v as select g, count(*) as n from t group by g; create view plain as select * from v`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tidemark.Open(dir, tidemark.Options{}); err == nil || !strings.Contains(err.Error(), "in use by process") {
		t.Error(err)
	}
	code, _, errOut := command(t, "", "inspect", dir)
	if code != exitFailed || !strings.Contains(errOut, "TM-ST-008") {
		t.Error("a store in use:", code, errOut)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestInspect(t *testing.T) {
	dir := inspected(t)
	code, out, errOut := command(t, "", "inspect", dir, "--json")
	var r inspect.Report
	if err := json.Unmarshal([]byte(out), &r); code != exitOK || err != nil {
		t.Fatal(code, err, errOut)
	}
	if r.Format[0] != "tidemark store" || r.Epoch == 0 || r.Commits == 0 || len(r.Relations) != 3 || len(r.Jobs) != 2 {
		t.Errorf("%+v", r)
	}
	if rel := r.Relations[1]; rel.Name != "public.v" || rel.Kind != "materialized view" || rel.Columns != 2 || rel.Job != r.Jobs[1].ID {
		t.Errorf("%+v", rel)
	}
	v := r.Jobs[1]
	if v.Name != "public.v" || v.State != "attached" || v.AsOf != r.Epoch || !strings.Contains(v.SQL, "group by g") || v.Inputs[0].Relation != "public.t" || v.Inputs[0].Rows != 100 || v.Inputs[0].Missing != 0 {
		t.Errorf("%+v", v)
	}
	rows := map[string]int64{}
	for _, j := range r.Jobs {
		for _, table := range j.Tables {
			rows[j.Name+" "+table.Role] += table.Records
		}
	}
	if rows["public.t rows"] != 100 || rows["public.v rows"] != 10 || rows["public.v progress"] != int64(v.Inputs[0].Ranges) {
		t.Error(rows)
	}
	if s := r.Spaces[1]; s.Name != "tables" || s.Records < 100+10 || s.Bytes == 0 {
		t.Errorf("%+v", s)
	}
	code, out, _ = command(t, "", "inspect", dir)
	for _, want := range []string{"tidemark store, format 1, data format 2\nepoch ", "public.plain  view ", "job 2 public.v: attached", "reads public.t: 64 ranges, 64 ", "100 rows read"} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	db, err := tidemark.Open(dir, tidemark.Options{}) // it can be opened again
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if code, _, errOut = command(t, "", "inspect", t.TempDir()); code != exitFailed || !strings.Contains(errOut, "is empty") {
		t.Error(code, errOut)
	}
}
