package engine

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
)

// A reader has patience with what is only about to be there: not with a job that has rows to read, pays for those it has
// read, stands, or waits for such a one.
func TestWhatTakesLong(t *testing.T) {
	reading := JobStatus{ID: 1, State: job.Creating, Progress: Progress{Scanned: 3, Total: 9}}
	read := JobStatus{ID: 2, State: job.Creating, Progress: Progress{Scanned: 9, Total: 9}}
	empty := JobStatus{ID: 3, State: job.Creating}
	jobs := map[id.Job]JobStatus{1: reading, 2: read, 3: empty}
	l := look{job: func(j id.Job) (JobStatus, bool) { s, ok := jobs[j]; return s, ok }}
	for name, c := range map[string]struct {
		job  JobStatus
		want bool
	}{
		"nothing to read":           {empty, false},
		"all has been read":         {read, false},
		"rows to read":              {reading, true},
		"pays":                      {JobStatus{State: job.Creating, Paying: true}, true},
		"paused":                    {JobStatus{State: job.Paused}, true},
		"waits for an empty one":    {JobStatus{State: job.Queued, WaitsFor: []id.Job{2, 3}}, false},
		"waits for one that reads":  {JobStatus{State: job.Queued, WaitsFor: []id.Job{3, 1}}, true},
		"waits for one that is not": {JobStatus{State: job.Queued, WaitsFor: []id.Job{9}}, false},
	} {
		if got := l.kept(c.job, JobStatus.takesLong); got != c.want {
			t.Errorf("%s: takes long %v, want %v", name, got, c.want)
		}
	}
}
