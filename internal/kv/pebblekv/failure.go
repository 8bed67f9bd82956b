package pebblekv

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// failure is the end of a store that can not write. Pebble tells it in three ways: an error, a call of Logger.Fatalf
// that must not return, and a panic. Each is turned into one error that stays.
type failure struct {
	tell func(error) // called once
	once sync.Once
	done chan struct{} // closed when err is set
	err  error
}

func newFailure(tell func(error)) *failure {
	return &failure{tell: tell, done: make(chan struct{})}
}

// fail records the first cause and returns it.
func (f *failure) fail(cause error) error {
	f.once.Do(func() {
		f.err = classify(cause)
		close(f.done)
		f.tell(f.err)
	})
	<-f.done
	return f.err
}

// check returns the error of a store that has failed.
func (f *failure) check() error {
	select {
	case <-f.done:
		return f.err
	default:
		return nil
	}
}

// run calls a function of Pebble that writes, or that takes its lock, on a goroutine of its own, because Pebble may never come back from it after a
// fatal error: the caller must not be the one who hangs.
func (f *failure) run(fn func() error) error {
	if err := f.check(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				_ = f.fail(fmt.Errorf("panic: %v", r))
			}
		}()
		done <- fn()
	}()
	select {
	case err := <-done:
		if err != nil {
			return f.fail(err)
		}
		return f.check()
	case <-f.done:
		return f.err
	}
}

// classify gives an error of Pebble its entry of the catalogue.
func classify(err error) error { return classifyAs(err, errs.StoreFailed) }

// unread is classify for what only reads.
func unread(err error) error { return classifyAs(err, errs.StoreUnread) }

func classifyAs(err error, other *errs.Entry) error {
	switch {
	case err == nil:
		return nil
	case errs.Code(err) != "":
		return err
	case pebble.IsCorruptionError(err):
		return errs.StoreCorrupt.New("what", "a file fails its check").Wrap(firstLine(err))
	case vfs.IsNoSpaceError(err):
		return errs.DiskFull.New("free", 0, "needed", "more").Wrap(err)
	}
	return other.New("what", "an operation of its file system failed").Wrap(err)
}

// firstLine is an error of Pebble without the lines that only its own reports make sense of.
func firstLine(err error) error {
	line, _, more := strings.Cut(err.Error(), "\n")
	if !more {
		return err
	}
	return errors.New(line)
}

// logger passes Pebble's messages on. Its routine reports are for developers.
type logger struct {
	log *slog.Logger
	f   *failure
}

var _ pebble.Logger = logger{}

func (l logger) Infof(format string, args ...any) { l.log.Debug(fmt.Sprintf(format, args...)) }

func (l logger) Errorf(format string, args ...any) { l.log.Error(fmt.Sprintf(format, args...)) }

// Fatalf must not return: Pebble would go on as if the write had succeeded. Nor may the goroutine end, because Pebble
// calls this between an Unlock and a deferred one. So it waits for the end of the process, with Pebble's lock held.
func (l logger) Fatalf(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	l.log.Error("the store has failed", "error", err)
	_ = l.f.fail(err)
	select {}
}
