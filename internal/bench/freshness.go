package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// Writes are one-row statements on one connection, with a synced write of the same disk in between for comparison.
const (
	fsyncBytes = 4096
)

// writing measures one-row INSERT, UPDATE and DELETE until they are acknowledged, and an INSERT until a view over a view
// shows it. Directory is on the disk of the subject.
func writing(ctx context.Context, s System, directory string, count int) ([]Latency, []Measure, error) {
	c, err := s.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer c.Close(ctx)
	w := writer{ctx: ctx, c: c, count: count, fsync: filepath.Join(directory, "fsync")}
	for _, sql := range []string{
		"DROP TABLE IF EXISTS w CASCADE",
		"CREATE TABLE w (k bigint PRIMARY KEY, g int, v bigint)",
		"CREATE MATERIALIZED VIEW w1 AS SELECT g, count(*) AS n, sum(v) AS s FROM w GROUP BY g",
		"CREATE MATERIALIZED VIEW w2 AS SELECT sum(n) AS n, max(s) AS s FROM w1",
	} {
		if _, err := c.Exec(ctx, sql); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", sql, err)
		}
	}
	return w.run()
}

type writer struct {
	ctx   context.Context
	c     *pgx.Conn
	count int
	fsync string
	next  int64
}

func (w *writer) run() (all []Latency, ratios []Measure, err error) {
	var floor, insert, visible, update, remove []time.Duration
	f, err := os.Create(w.fsync)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	for range w.count {
		for _, step := range []struct {
			into *[]time.Duration
			do   func() error
		}{
			{&floor, func() error { return syncedWrite(f) }},
			{&insert, w.insert},
			{&visible, w.visible},
			{&update, func() error { return w.exec("UPDATE w SET v = v + 1 WHERE k = $1", w.next) }},
			{&remove, func() error { return w.exec("DELETE FROM w WHERE k = $1", w.next) }},
		} {
			begun := time.Now()
			if err := step.do(); err != nil {
				return nil, nil, err
			}
			*step.into = append(*step.into, time.Since(begun))
		}
	}
	all = []Latency{
		latency("fsync of 4 KiB", floor), latency("INSERT acknowledged", insert),
		latency("INSERT visible in a view over a view", visible),
		latency("UPDATE by key acknowledged", update), latency("DELETE by key acknowledged", remove),
	}
	return all, []Measure{
		{What: "INSERT / fsync, p50", Value: all[1].P50 / all[0].P50, Unit: "x", Limit: 3},
		{What: "UPDATE / fsync, p50", Value: all[3].P50 / all[0].P50, Unit: "x", Limit: 3},
		{What: "INSERT visible, p50", Value: all[2].P50, Unit: "ms", Limit: 10},
	}, nil
}

func (w *writer) exec(sql string, args ...any) error {
	tag, err := w.c.Exec(w.ctx, sql, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	if tag.RowsAffected() != 1 {
		return fmt.Errorf("%s: %s", sql, tag)
	}
	return nil
}

func (w *writer) insert() error {
	w.next++
	return w.exec("INSERT INTO w VALUES ($1, $2, $3)", w.next, w.next%10, w.next)
}

// visible inserts a row and reads the view: a SELECT waits for what was acknowledged before.
func (w *writer) visible() error {
	var before, after int64
	if err := w.c.QueryRow(w.ctx, "SELECT n::bigint FROM w2").Scan(&before); err != nil && w.next > 1 {
		return err
	}
	if err := w.insert(); err != nil {
		return err
	}
	if err := w.c.QueryRow(w.ctx, "SELECT n::bigint FROM w2").Scan(&after); err != nil {
		return err
	}
	if after != before+1 {
		return fmt.Errorf("the view counts %d rows after %d and an INSERT", after, before)
	}
	return nil
}

// syncedWrite is what a durable write costs at least: a log grows and is synced.
func syncedWrite(f *os.File) error {
	if _, err := f.Write(make([]byte, fsyncBytes)); err != nil {
		return err
	}
	return f.Sync()
}

func latency(what string, ds []time.Duration) Latency {
	ms := make([]float64, len(ds))
	for i, d := range ds {
		ms[i] = float64(d.Nanoseconds()) / 1e6
	}
	slices.Sort(ms)
	return Latency{What: what, P50: quantile(ms, 0.5), P90: quantile(ms, 0.9), P99: quantile(ms, 0.99), Count: len(ms)}
}
