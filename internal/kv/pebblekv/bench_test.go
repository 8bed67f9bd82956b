package pebblekv

import (
	"encoding/binary"
	"testing"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

const (
	benchTable = id.Table(1)
	benchRows  = 1_000_000
	benchStep  = 200_000
)

// benchKey spreads rows over 64 vnodes; ids are shuffled by a multiplication.
func benchKey(dst []byte, i int) []byte {
	n := uint64(i) * 2654435761 % 4294967291
	return binary.BigEndian.AppendUint64(kv.AppendTable(dst, benchTable, uint16(n%64)), n)
}

func benchRun(from, to int) *kv.Run {
	var b kv.RunBuilder
	var key []byte
	value := make([]byte, 84)
	for i := from; i < to; i++ {
		key = benchKey(key[:0], i)
		binary.BigEndian.PutUint64(value, uint64(i))
		b.Add(kv.Write{Key: key, New: value})
	}
	return b.Finish()
}

func benchOpen(b *testing.B, dir string) *Store {
	s, err := Open(Options{Dir: dir, BallastBytes: -1, FreeBytesMin: 1})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// fill commits rows in large steps.
func fill(b *testing.B, s *Store, rows int) {
	for from := 0; from < rows; from += benchStep {
		e := s.Visible() + 1
		s.Stage(1, e, benchRun(from, min(rows, from+benchStep)))
		s.Publish(e, []id.Job{1})
		if _, err := s.Commit(kv.Commit{Epoch: e}); err != nil {
			b.Fatal(err)
		}
	}
}

func scanAll(b *testing.B, s *Store) {
	v := s.View()
	defer v.Close()
	it := v.Scan(kv.TableRange(benchTable))
	n := 0
	for it.Next() {
		n += len(it.Value()) & 1
	}
	if err := it.Close(); err != nil || n != 0 {
		b.Fatal(n, err)
	}
}

func BenchmarkScan1M(b *testing.B) {
	s := benchOpen(b, b.TempDir())
	defer s.Close()
	fill(b, s, benchRows)
	b.Run("store", func(b *testing.B) {
		for b.Loop() {
			scanAll(b, s)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
	})
	for i := range 10 { // ten epochs of 1,000 rows each lie over it
		e := s.Visible() + 1
		s.Stage(1, e, benchRun(i*1000, i*1000+1000))
		s.Publish(e, []id.Job{1})
	}
	b.Run("under10runs", func(b *testing.B) {
		for b.Loop() {
			scanAll(b, s)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
	})
	benchGets(b, s)
}

func benchGets(b *testing.B, s *Store) {
	for name, span := range map[string]int{"memory": 10_000, "store": benchRows} {
		b.Run("get/"+name, func(b *testing.B) {
			r := s.Own(1)
			var key []byte
			i := 0
			for b.Loop() {
				key = benchKey(key[:0], i*7919%span)
				if _, ok, err := r.Get(key); !ok || err != nil {
					b.Fatal(ok, err)
				}
				i++
			}
		})
	}
}

func BenchmarkCommit200K(b *testing.B) {
	s := benchOpen(b, b.TempDir())
	defer s.Close()
	run := benchRun(0, benchStep)
	for b.Loop() {
		e := s.Visible() + 1
		s.Stage(1, e, run)
		s.Publish(e, []id.Job{1})
		if _, err := s.Commit(kv.Commit{Epoch: e}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchStep, "ns/row")
}

func BenchmarkSmallCommit(b *testing.B) {
	s := benchOpen(b, b.TempDir())
	defer s.Close()
	for i := 0; b.Loop(); i++ {
		e := s.Visible() + 1
		s.Stage(1, e, benchRun(i*100, i*100+100))
		s.Publish(e, []id.Job{1})
		if _, err := s.Commit(kv.Commit{Epoch: e}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens a store that was closed; its time must not grow with its rows.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	s := benchOpen(b, dir)
	fill(b, s, 3*benchRows)
	at := s.Durable()
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := benchOpen(b, dir)
		b.StopTimer() // Close waits for a compaction under way
		if s.Durable() != at || s.Durable() == epoch.Epoch(0) {
			b.Fatal("another epoch")
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
