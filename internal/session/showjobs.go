package session

import (
	"maps"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/types"
)

// jobs is the status of all jobs; a sink whose table does not take its rows has a reason, as has a generator that makes none.
func (d *Database) jobs() map[id.Job]engine.JobStatus {
	jobs := d.engine.Jobs()
	failing := d.sinks.failing()
	maps.Copy(failing, d.generators.failing())
	for j, err := range failing {
		if st, ok := jobs[j]; ok && st.Reason == "" {
			st.Reason = reasonOf(err)
			jobs[j] = st
		}
	}
	return jobs
}

// reasonOf is an error in one line, with what it tells of the row; empty for none.
func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errs.As(err); ok && e.Detail != "" {
		return err.Error() + ": " + e.Detail
	}
	return err.Error()
}

// unfinished are the jobs that do not get on as they should: being created, catching up again, stopped or failing.
func (d *Database) unfinished() (out []engine.JobStatus) {
	jobs := d.jobs()
	for _, j := range slices.Sorted(maps.Keys(jobs)) {
		if !jobs[j].Attached || jobs[j].Reason != "" {
			out = append(out, jobs[j])
		}
	}
	return out
}

// showJobs lists the jobs that are not attached, and sinks that do not get on. The first columns are those of RisingWave.
func (s *Session) showJobs() Result {
	cols := []Column{{Name: "Id", Type: types.Int8}, {Name: "Statement", Type: types.Varchar}, {Name: "Create Type", Type: types.Varchar},
		{Name: "Progress", Type: types.Varchar}, {Name: "State", Type: types.Varchar}, {Name: "Phase", Type: types.Varchar},
		{Name: "Rows", Type: types.Int8}, {Name: "Total", Type: types.Int8}, {Name: "Rows/s", Type: types.Int8},
		{Name: "ETA", Type: types.Interval}, {Name: "Lag", Type: types.Interval}, {Name: "As Of", Type: types.Int8},
		{Name: "Waits For", Type: types.Varchar}, {Name: "Reason", Type: types.Varchar}}
	var rows []types.Row
	for _, j := range s.d.unfinished() {
		rows = append(rows, types.Row{types.NewInt(int64(j.ID)), text(j.SQL), text(createType(j)), text(j.Progress.String()),
			text(string(j.State)), text(j.Phase.String()), types.NewInt(int64(j.Scanned)), types.NewInt(int64(j.Total)),
			types.NewInt(int64(j.Rate)), eta(j), lag(j, s.d.now()), types.NewInt(int64(j.AsOf)), text(s.d.engine.Names(j.WaitsFor)), text(j.Reason)})
	}
	return table("SHOW", cols, append(rows, s.captureRows(len(cols))...))
}

func createType(j engine.JobStatus) string {
	if j.Background {
		return "BACKGROUND"
	}
	return "FOREGROUND"
}

// eta is how long the rest of the scan takes at the rate of the last window; NULL when it is not known.
func eta(j engine.JobStatus) types.Datum {
	left, ok := j.Left()
	if !ok {
		return types.Null
	}
	return seconds(left)
}

// lag is how old the job's rows are; NULL when it is not known.
func lag(j engine.JobStatus, now time.Time) types.Datum {
	if j.AsOfAt.IsZero() {
		return types.Null
	}
	return seconds(now.Sub(j.AsOfAt))
}

func seconds(d time.Duration) types.Datum {
	return types.NewInterval(types.Iv{Micros: d.Round(time.Second).Microseconds()})
}
