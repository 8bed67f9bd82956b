package engine

import (
	"context"
	"maps"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sched"
)

// Settings of a job that limit its catch-up.
const (
	rateSetting   = "backfill_rate_limit" // rows a second, or -1
	pausedSetting = "backfill_paused"     // "on" after PAUSE
)

// limiter returns the limiter of a job's catch-up.
func (d *driver) limiter(j id.Job) *sched.Limiter {
	l := d.limits[j]
	if l == nil {
		l = sched.NewLimiter(d.e.opts.Now)
		d.limits[j] = l
	}
	return l
}

// setLimits makes the limiter as the job's settings say; no rate, or "default", means no limit.
func (d *driver) setLimits(j *meta.Job) {
	rate, err := strconv.ParseFloat(j.Settings[rateSetting], 64)
	if err != nil {
		rate = -1
	}
	l := d.limiter(j.ID)
	l.Set(rate)
	l.Pause(j.Settings[pausedSetting] == "on")
}

// SetRate changes the rows a second that a job's catch-up may read; 0 pauses it, a negative rate lifts the limit.
func (e *Engine) SetRate(ctx context.Context, j id.Job, rate float64) error {
	return e.do(ctx, func(d *driver) error {
		return d.changeSettings(j, func(s map[string]string) { s[rateSetting] = strconv.FormatFloat(rate, 'f', -1, 64) })
	})
}

// SetOnLag changes what becomes of a job that is late: meta.LagDetach or meta.LagSlow.
func (e *Engine) SetOnLag(ctx context.Context, j id.Job, what string) error {
	return e.do(ctx, func(d *driver) error {
		return d.changeSettings(j, func(s map[string]string) { s[meta.LagSetting] = what })
	})
}

// Pause lets a job's catch-up read nothing more until Resume.
func (e *Engine) Pause(ctx context.Context, j id.Job) error {
	return e.do(ctx, func(d *driver) error {
		return d.changeSettings(j, func(s map[string]string) { s[pausedSetting] = "on" })
	})
}

// Resume lets a paused job read on, and a quarantined one try again.
func (e *Engine) Resume(ctx context.Context, j id.Job) error {
	return e.do(ctx, func(d *driver) error {
		err := d.changeSettings(j, func(s map[string]string) {
			delete(s, pausedSetting)
			if s[rateSetting] == "0" {
				delete(s, rateSetting)
			}
		})
		if s := d.setOf(j); s != nil && err == nil {
			if s.LaggedOut {
				return laggedOut(j, s.AsOf)
			}
			d.tryAgain(s)
			d.tell()
		}
		return err
	})
}

// changeSettings stores a job with other settings and obeys them at once.
func (d *driver) changeSettings(j id.Job, edit func(map[string]string)) error {
	return d.change(j, func(def *meta.Job) {
		if def.Settings = maps.Clone(def.Settings); def.Settings == nil {
			def.Settings = map[string]string{}
		}
		edit(def.Settings)
	})
}

// storeJob stores a job as it is from now on.
func (d *driver) storeJob(j *meta.Job) error {
	w, err := meta.PutJob(j)
	if err != nil {
		return err
	}
	if err := d.e.store.Apply([]kv.Write{w}); err != nil {
		return err
	}
	d.jobs[j.ID] = j
	return nil
}

// change stores a job with what was edited of it and obeys at once.
func (d *driver) change(j id.Job, edit func(*meta.Job)) error {
	old := d.jobs[j]
	if old == nil {
		return errs.NoSuchJob.New("job", j)
	}
	if err := d.broken[j]; err != nil {
		return err // what is stored of it can not be read here, and must not be written over
	}
	def := *old
	edit(&def)
	if err := d.storeJob(&def); err != nil {
		return err
	}
	d.setLimits(&def)
	if s := d.setOf(j); s != nil {
		d.lookAt(s)
	}
	if in := d.insts[j]; in != nil {
		in.wake()
	}
	d.tell()
	return nil
}
