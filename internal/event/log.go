package event

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// logEvery is how often lines of one key are written: a failing row or a lost source would otherwise fill the disk.
const logEvery = 5 * time.Second

// Log is the sink that writes events as log lines. It is the only place where an event becomes words.
type Log struct {
	logger *slog.Logger
	limit  *Limiter
}

// NewLog makes a log sink; now is the clock of its rate limit.
func NewLog(logger *slog.Logger, now func() time.Time) *Log {
	return &Log{logger: logger, limit: NewLimiter(logEvery, now)}
}

// line is an event rendered: limit is the key of its rate limit, "" for none.
type line struct {
	level slog.Level
	msg   string
	limit string
	attrs []slog.Attr
}

// Emit writes the event unless its level is off or its key was written a moment ago.
func (l *Log) Emit(e Event) {
	ln := render(e)
	if !l.logger.Enabled(context.Background(), ln.level) {
		return
	}
	if ln.limit != "" {
		ok, suppressed := l.limit.Allow(ln.limit)
		if !ok {
			return
		}
		if suppressed > 0 {
			ln.attrs = append(ln.attrs, slog.Int("suppressed", suppressed))
		}
	}
	l.logger.LogAttrs(context.Background(), ln.level, ln.msg, ln.attrs...)
}

// render gives each kind of event its level and words. Keys are the fixed ones (job, table, epoch, code); values of
// rows never appear.
func render(e Event) line {
	switch e := e.(type) {
	case EpochVisible:
		return line{level: slog.LevelDebug, msg: "epoch visible", attrs: attrs("epoch", e.Epoch, "duration", e.Duration)}
	case EpochDurable:
		return line{level: slog.LevelDebug, msg: "epoch durable", attrs: attrs("epoch", e.Epoch)}
	case Committed:
		return line{level: slog.LevelDebug, msg: "committed",
			attrs: attrs("epoch", e.Epoch, "rows", e.Rows, "bytes", e.Bytes, "duration", e.Duration, "ingested", e.Ingested)}
	case JobChanged:
		return jobLine(e)
	case Reported:
		a := append(attrs("job", e.Job, "table", e.Table, "epoch", e.Epoch), cause(e.Err)...)
		return line{level: slog.LevelError, msg: "error", attrs: a, limit: fmt.Sprintf("error/%d/%s", e.Job, errs.Code(e.Err))}
	case SourceReconnecting:
		a := append(attrs("job", e.Job, "source", e.Source, "attempt", e.Attempt, "delay", e.Delay), cause(e.Err)...)
		return line{level: slog.LevelWarn, msg: "source reconnecting", attrs: a, limit: "reconnect/" + e.Job.String()}
	case SourceConnected:
		return line{level: slog.LevelInfo, msg: "source connected", attrs: attrs("job", e.Job, "source", e.Source, "attempts", e.Attempts)}
	case MemoryPressure:
		level, msg := slog.LevelInfo, "memory pressure is over"
		if e.High {
			level, msg = slog.LevelWarn, "memory pressure"
		}
		return line{level: level, msg: msg, attrs: attrs("account", e.Account, "used", e.Used, "limit", e.Limit), limit: msg + e.Account}
	case Lifecycle:
		return line{level: slog.LevelInfo, msg: e.Step, attrs: attrs("detail", e.Detail)}
	}
	return line{level: slog.LevelError, msg: fmt.Sprintf("event of unknown kind %T", e)}
}

func jobLine(e JobChanged) line {
	ln := line{level: slog.LevelInfo, msg: "job " + e.To, attrs: attrs("job", e.Job, "name", e.Name, "from", e.From, "epoch", e.Epoch)}
	if e.Cause != nil {
		ln.level = slog.LevelWarn
		ln.attrs = append(ln.attrs, cause(e.Cause)...)
	}
	return ln
}

// attrs pairs keys with values and leaves out what is zero, because a zero id names nothing.
func attrs(pairs ...any) []slog.Attr {
	out := make([]slog.Attr, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		v := pairs[i+1]
		if s := fmt.Sprint(v); s == "" || s == "0" || s == "0s" {
			continue
		}
		out = append(out, slog.Any(pairs[i].(string), v))
	}
	return out
}

// cause renders an error with its catalogue code, so that a log line leads to `tidemark explain`.
func cause(err error) []slog.Attr {
	if err == nil {
		return nil
	}
	out := []slog.Attr{slog.String("error", err.Error())}
	if code := errs.Code(err); code != "" {
		out = append(out, slog.String("code", code))
	}
	return out
}
