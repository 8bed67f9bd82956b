package sim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// TestScripts runs the situations of testdata/regress, in which the order of events is given instead of picked.
//
//	new [parallelism=N] [vnodes=N] [steps] [retention=DURATION]   a new world with tables t and u (x, y); their jobs are 1 and 2, views come after;
//	                                 with steps, a scan stages what it has read as soon as it can
//	create [rate=N]                  CREATE MATERIALIZED VIEW, which reads N rows a second
//	fill rows=N                      rows 1 to N of t, in one transaction
//	second [n=N]                     N seconds pass, in which everything moves
//	progress view=V                  what is told of a scan; by how much that differs from what the records have passed
//	write                            a transaction: lines such as t + 1 2 (insert), t = 1 3 (update), t - 1 (delete)
//	rest [hold=JOB] [commits=off]    everything moves until nothing can, but time; not the actors of JOB, no commits
//	until view=V [state=S] [barrier=DURATION]
//	                                 one moves after the other, without commits, until V has that state and an as_of;
//	                                 time passes when nobody can move, and when t has a barrier
//	rounds n=N                       one moves after the other, N times
//	driver [events=N]                the driver takes N events, all without the argument, and decides
//	commit                           what runs in the background goes on
//	clock d=DURATION                 time passes
//	fail job=N                       an actor of the job fails
//	on-lag job=N what=slow|detach    ALTER ... SET on_lag
//	rescale view=V parallelism=N     ALTER ... SET PARALLELISM, and how long it takes until V has the actors and gets on as before, if
//	                                 nothing costs time but waiting: until it reads on, or is in step, unless it was paused; and
//	                                 until another view shows a row that is written right after
//	pause, resume view=V             ALTER BACKFILL
//	follow                           a client follows t
//	read                             it reads on up to what is visible
//	recover                          RECOVER
//	replaced                         how many actors there are, and how many there were at the last RECOVER
//	crash                            the process is killed and starts again
//	settle                           everything moves until all jobs are attached and show all rows
//	show                             where all relations stand, and what they hold
//
// What must hold always is checked after each command.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/regress", func(t *testing.T, path string) {
		r := &scripted{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out := r.run(t, d)
			if r.broken != nil {
				out += "broken: " + r.broken.Error() + "\n"
			}
			return out
		})
	})
}

// scripted is a world that a script moves.
type scripted struct {
	*scheduler
	recovered []id.Actor // that there were at the last RECOVER
	rescales  int
}

func actorsOf(loops []*loop) (out []id.Actor) {
	for _, l := range loops {
		out = append(out, l.id())
	}
	return out
}

// restMax bounds what one rest may do.
const restMax = 10_000

func (r *scripted) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "new":
		w := newWorld(rand.New(rand.NewPCG(1, 0)), Options{})
		w.taste = taste{} // views are made as the script says
		w.options.Parallelism, w.options.Vnodes = number(t, d, "parallelism", 1), number(t, d, "vnodes", 1)
		if d.HasArg("steps") {
			w.options.ScanStep = 1
		}
		w.options.ChangelogRetention = duration(t, d, "retention")
		w.boot(newDisk())
		w.host.thrift = 1 // what a limit allows is granted when it is asked for
		r.scheduler = newScheduler(w)
	case "create":
		r.create(d.Input)
		if rate := number(t, d, "rate", 0); rate > 0 {
			views := r.views()
			r.must("limit", r.engine.SetRate(context.Background(), views[len(views)-1].Job, float64(rate)))
		}
	case "fill":
		r.fill(number(t, d, "rows", 0))
	case "second":
		for range 10 * number(t, d, "n", 1) {
			r.clock.advance(100 * time.Millisecond)
			r.rest(0, true)
		}
	case "progress":
		return r.progress(t, d)
	case "write":
		r.write(t, d)
	case "rest":
		r.rest(id.Job(number(t, d, "hold", 0)), !d.HasArg("commits"))
	case "until":
		var view, state string
		d.ScanArgs(t, "view", &view)
		d.MaybeScanArgs(t, "state", &state)
		r.until(view, job.State(state), duration(t, d, "barrier"))
	case "rounds":
		for range number(t, d, "n", 1) {
			r.round(0)
		}
	case "driver":
		r.drive(number(t, d, "events", r.engine.Waiting()))
	case "commit":
		for r.host.runBackground() {
		}
	case "clock":
		r.clock.advance(duration(t, d, "d"))
	case "fail":
		r.failOne(t, id.Job(number(t, d, "job", 0)))
	case "on-lag":
		var what string
		d.ScanArgs(t, "what", &what)
		r.must("set on_lag", r.engine.SetOnLag(context.Background(), id.Job(number(t, d, "job", 0)), what))
	case "rescale":
		return r.rescale(t, d)
	case "pause":
		r.must("pause", r.engine.Pause(context.Background(), r.view(t, d).Job))
		r.rest(0, true)
	case "resume":
		r.must("resume", r.engine.Resume(context.Background(), r.view(t, d).Job))
	case "follow":
		rel, _ := r.engine.Catalog().Find("public", "t")
		if f := r.followOne(rel); f != nil {
			f.away = math.MaxInt // it reads when the script says so
		}
	case "read":
		r.readOn(r.followers[0], r.engine.View())
	case "recover":
		r.recovered = actorsOf(r.host.loops)
		r.must("recover", r.engine.Recover(context.Background()))
	case "replaced":
		now := actorsOf(r.host.loops)
		return fmt.Sprintf("%d actors, %d of them from before\n", len(now), len(slices.DeleteFunc(now, func(a id.Actor) bool { return !slices.Contains(r.recovered, a) })))
	case "crash":
		r.disk.crash()
		r.restart()
		r.host.thrift = 1
	case "settle":
		r.settle(0)
	case "show":
		return r.show()
	default:
		d.Fatalf(t, "unknown command %q", d.Cmd)
	}
	return ""
}

// pauseStep is how exactly a pause is measured, pauseMax how long it may be.
const (
	pauseStep   = 5 * time.Millisecond
	pauseMax    = time.Second
	rescaledRow = 1_000_000 // and the numbers after it are keys of rows that are written at a rescale
)

// rescale gives a view other actors and tells how long that keeps it, and the views beside it.
func (r *scripted) rescale(t *testing.T, d *datadriven.TestData) string {
	rel := r.view(t, d)
	before := r.engine.Jobs()[rel.Job]
	r.must("rescale", r.engine.SetParallelism(context.Background(), rel.Job, settings.Actors{Count: number(t, d, "parallelism", 1)}))
	r.rescales++
	r.commitAll([]dml.Change{r.change(t, d, fmt.Sprintf("t + %d 1", rescaledRow+r.rescales))})
	at := r.engine.OpenEpoch()
	goesOn := func() bool {
		st := r.engine.Jobs()[rel.Job]
		switch {
		case st.Outgrown:
			return false
		case before.State == job.Paused:
			return st.State == job.Paused
		case before.Attached:
			return st.Attached && r.engine.Visible() >= at
		}
		return st.Scanned > before.Scanned
	}
	besides := func() bool {
		for _, v := range r.views() {
			if st := r.engine.Jobs()[v.Job]; v.Job != rel.Job && (!st.Attached || r.engine.Visible() < at) {
				return false
			}
		}
		return true
	}
	own, others := time.Duration(-1), time.Duration(-1)
	for took := time.Duration(0); own < 0 || others < 0; took += pauseStep {
		r.rest(0, true)
		if own < 0 && goesOn() {
			own = took
		}
		if others < 0 && besides() {
			others = took
		}
		if took > pauseMax {
			r.fail("%s is kept for longer than %v: %s", rel.Name, pauseMax, r.describe())
			break
		}
		r.clock.advance(pauseStep)
	}
	return fmt.Sprintf("%s after %v, others after %v\n", r.engine.Jobs()[rel.Job].State, own, others)
}

func number(t *testing.T, d *datadriven.TestData, name string, otherwise int) int {
	d.MaybeScanArgs(t, name, &otherwise)
	return otherwise
}

func duration(t *testing.T, d *datadriven.TestData, name string) time.Duration {
	text := "0"
	d.MaybeScanArgs(t, name, &text)
	by, err := time.ParseDuration(text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return by
}

// view is the relation that the argument of the name gives.
func (r *scripted) view(t *testing.T, d *datadriven.TestData) *catalog.Relation {
	var name string
	d.ScanArgs(t, "view", &name)
	rel, ok := r.engine.Catalog().Find("public", name)
	if !ok {
		d.Fatalf(t, "no view %s", name)
	}
	return rel
}

// fill writes many rows.
func (r *scripted) fill(rows int) {
	rel, _ := r.engine.Catalog().Find("public", "t")
	tbl, _ := r.table(rel.Table)
	var changes []dml.Change
	for x := range int64(rows) {
		changes = append(changes, dml.Change{Table: tbl, New: types.Row{types.NewInt(x + 1), types.NewInt(x % 10)}})
	}
	r.commitAll(changes)
}

// progress prints what is told of a scan, and fails when it is more than 1 % off what the records have passed of the rows that
// are stored.
func (r *scripted) progress(t *testing.T, d *datadriven.TestData) string {
	rel := r.view(t, d)
	st, v := r.engine.Jobs()[rel.Job], r.engine.View()
	defer v.Close()
	view := r.oracle.views[rel.ID]
	records, err := view.progress(v)
	if err != nil {
		return err.Error()
	}
	passed, all := 0, 0
	for i, l := range view.leaves {
		rows, err := stored(v, l.Rel.Table)
		if err != nil {
			return err.Error()
		}
		for _, p := range rows {
			_, n, key, _ := kv.TableOf(p.key)
			if all++; records[i].passed(vnode.ID(n), key) {
				passed++
			}
		}
	}
	out := fmt.Sprintf("%s %v", st.State, st.Progress)
	if left, ok := st.Left(); ok {
		out += fmt.Sprintf(", %.0f rows/s, %.0fs left", st.Rate, left.Seconds())
	}
	if off := st.Percent - 100*float64(passed)/float64(all); math.Abs(off) > 1 {
		out += fmt.Sprintf("; that is off by %.2f %%: %d of %d rows are passed", off, passed, all)
	}
	return out + "\n"
}

// write runs a transaction.
func (r *scripted) write(t *testing.T, d *datadriven.TestData) {
	var changes []dml.Change
	for line := range strings.Lines(d.Input) {
		changes = append(changes, r.change(t, d, line))
	}
	r.commitAll(changes)
}

func (r *scripted) commitAll(changes []dml.Change) {
	txn := dml.Begin(nil)
	err := r.seq.Exec(context.Background(), txn, func(w *dml.Writer) error {
		for _, c := range changes {
			if err := w.Put(c); err != nil {
				return err
			}
		}
		return nil
	})
	if !r.must("write", err) {
		return
	}
	st := r.history.add(changes)
	r.seq.Submit(txn, func(_ epoch.Epoch, err error) { st.acked = err == nil })
	r.seq.Write()
}

// change reads a line of write.
func (r *scripted) change(t *testing.T, d *datadriven.TestData, line string) dml.Change {
	var name, op string
	var x, y int64
	if n, _ := fmt.Sscan(line, &name, &op, &x, &y); n < 3 {
		d.Fatalf(t, "not a change: %s", line)
	}
	rel, ok := r.engine.Catalog().Find("public", name)
	if !ok {
		d.Fatalf(t, "no table %s", name)
	}
	tbl, _ := r.table(rel.Table)
	row := types.Row{types.NewInt(x), types.NewInt(y)}
	c := dml.Change{Table: tbl, Old: r.history.table(rel.Table)[string(tbl.Key(row))], New: row}
	if op == "-" {
		c.New = nil
	}
	return c
}

// rest moves everything until nothing can move.
func (r *scripted) rest(hold id.Job, commits bool) {
	for range restMax {
		moved := r.engine.Waiting() > 0 || commits && r.host.runBackground()
		moved = r.moveActors(hold) || moved
		r.drive(r.engine.Waiting())
		if !moved || r.broken != nil {
			return
		}
	}
	r.fail("no rest: %s", r.describe())
}

// until moves one after the other until a view has a state, "" for any, and an as_of. The actor of t takes its time for
// a barrier.
func (r *scripted) until(view string, state job.State, barrier time.Duration) {
	for range restMax {
		rel, _ := r.engine.Catalog().Find("public", view)
		st := r.engine.Jobs()[rel.Job]
		if st.AsOf > 0 && (state == "" || st.State == state) || r.broken != nil {
			return
		}
		if !r.round(barrier) {
			r.clock.advance(napMin)
		}
	}
	r.fail("%s never came there: %s", view, r.describe())
}

// round moves every actor and the driver once.
func (r *scripted) round(barrier time.Duration) bool {
	moved := r.engine.Waiting() > 0
	for _, l := range slices.Clone(r.host.loops) {
		if r.turn(l) {
			moved = true
			if l.job() == 1 {
				r.clock.advance(barrier)
			}
		}
	}
	r.drive(1)
	return moved
}

// moveActors moves each actor until it waits for others.
func (r *scripted) moveActors(hold id.Job) (moved bool) {
	for _, l := range slices.Clone(r.host.loops) {
		for l.job() != hold && slices.Contains(r.host.loops, l) && r.turn(l) {
			moved = true
		}
	}
	return moved
}

func (r *scripted) failOne(t *testing.T, j id.Job) {
	for _, l := range r.host.loops {
		if l.job() == j {
			r.host.remove(l, errInjected)
			return
		}
	}
	t.Fatalf("job %d has no actor", j)
}

// show prints where all relations stand, and what readers find in them. It names no epochs, which change with every
// change of the driver.
func (r *scripted) show() string {
	var b strings.Builder
	v := r.engine.View()
	defer v.Close()
	for _, rel := range relations(r.engine.Catalog()) {
		st := r.engine.Jobs()[rel.Job]
		fmt.Fprintf(&b, "%s: %s\n", rel.Name, st.State)
		have, err := stored(v, rel.Table)
		if err != nil {
			return err.Error()
		}
		for _, p := range have {
			fmt.Fprintf(&b, "  %s\n", show(rel, p))
		}
	}
	return b.String()
}
