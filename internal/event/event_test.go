package event

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
)

func quietLogger(buf *bytes.Buffer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(buf, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

func TestLogRendersEveryEvent(t *testing.T) {
	var buf bytes.Buffer
	log := NewLog(quietLogger(&buf, slog.LevelDebug), func() time.Time { return time.Unix(100, 0) })
	for _, c := range []struct {
		event Event
		want  string
	}{
		{EpochVisible{Epoch: 7, Duration: time.Millisecond}, `level=DEBUG msg="epoch visible" epoch=7 duration=1ms`},
		{EpochDurable{Epoch: 7}, `level=DEBUG msg="epoch durable" epoch=7`},
		{Committed{Epoch: 7, Rows: 2, Bytes: 30, Duration: time.Second}, `level=DEBUG msg=committed epoch=7 rows=2 bytes=30 duration=1s ingested=false`},
		{JobChanged{Job: 3, Name: "v", From: "creating", To: "running"}, `level=INFO msg="job running" job=3 name=v from=creating`},
		{JobChanged{Job: 3, Name: "v", From: "running", To: "quarantined", Cause: errors.New("x")}, `level=WARN msg="job quarantined" job=3 name=v from=running error=x`},
		{Reported{Job: 3, Err: errs.Internal.New("what", "y")}, `level=ERROR msg=error job=3 error="internal error: y" code=TM-BUG-001`},
		{SourceReconnecting{Job: 4, Source: "pg", Attempt: 2, Delay: time.Second, Err: errors.New("refused")}, `level=WARN msg="source reconnecting" job=4 source=pg attempt=2 delay=1s error=refused`},
		{SourceConnected{Job: 4, Source: "pg", Attempts: 2}, `level=INFO msg="source connected" job=4 source=pg attempts=2`},
		{MemoryPressure{Account: "process", Used: 9, Limit: 10, High: true}, `level=WARN msg="memory pressure" account=process used=9 limit=10`},
		{Lifecycle{Step: "serving", Detail: "127.0.0.1:4566"}, `level=INFO msg=serving detail=127.0.0.1:4566`},
	} {
		buf.Reset()
		log.Emit(c.event)
		if got := strings.TrimSpace(buf.String()); got != c.want {
			t.Errorf("%T:\n got %s\nwant %s", c.event, got, c.want)
		}
	}
}

func TestLogLimitsByKey(t *testing.T) {
	var buf bytes.Buffer
	now := time.Unix(100, 0)
	log := NewLog(quietLogger(&buf, slog.LevelInfo), func() time.Time { return now })
	failing := Reported{Job: 3, Err: errs.Internal.New("what", "y")}
	for range 5 {
		log.Emit(failing)
	}
	log.Emit(Reported{Job: 4, Err: errs.Internal.New("what", "z")})
	now = now.Add(logEvery)
	log.Emit(failing)
	lines := strings.Split(strings.TrimSpace(buf.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[1], "job=4") || !strings.HasSuffix(lines[2], "suppressed=4") {
		t.Errorf("want job 3, job 4, job 3 with suppressed=4; got\n%s", buf.String())
	}
}

func TestLimiterIsBounded(t *testing.T) {
	now := time.Unix(100, 0)
	l := NewLimiter(time.Second, func() time.Time { return now })
	for i := range 3 * limitKeysMax {
		l.Allow(fmt.Sprint(i))
	}
	if n := len(l.mu.seen); n > limitKeysMax+1 {
		t.Errorf("%d keys remembered", n)
	}
	if ok, _ := l.Allow("one more"); ok {
		t.Error("keys beyond the bound must share one place")
	}
	now = now.Add(time.Second)
	if ok, _ := l.Allow("after the interval"); !ok {
		t.Error("places whose interval is over must make room")
	}
}

func TestRecorderKeepsTheNewest(t *testing.T) {
	r := NewRecorder(2)
	s := Fan(Discard, r, Func(func(Event) {}))
	for i := range 4 {
		s.Emit(Lifecycle{Step: fmt.Sprint(i)})
	}
	if got := fmt.Sprint(r.Events()); got != "[{2 } {3 }]" {
		t.Error(got)
	}
}
