package difftest

import (
	"context"
	"fmt"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Shape is how a database under test is set up: no answer may depend on it.
type Shape struct {
	Parallelism int
	Vnodes      int
	// Commit is the time between commits: what a crash may take back.
	Commit time.Duration
	// Background creates views without waiting for them, so that changes come while they catch up.
	Background bool
}

// String names the shape in messages.
func (s Shape) String() string {
	out := fmt.Sprintf("parallelism %d, %d vnodes, commits every %v", s.Parallelism, s.Vnodes, s.Commit)
	if s.Background {
		out += ", views in the background"
	}
	return out
}

// Subject is a Tidemark in memory with one session.
type Subject struct {
	shape Shape
	store *memkv.Store
	db    *session.Database
	sess  *session.Session
	setup []string // statements that a session begins with
}

// answerMax is how long a statement may take; what takes longer hangs.
const answerMax = 5 * time.Minute

// OpenSubject opens an empty database.
func OpenSubject(shape Shape) (*Subject, error) {
	s := &Subject{shape: shape}
	return s, s.open(memkv.Open())
}

func (s *Subject) open(store *memkv.Store) error {
	set := settings.NewServer(settings.NewRegistry())
	for name, value := range map[string]string{
		"parallelism": fmt.Sprint(s.shape.Parallelism), "barrier_interval": "5ms", "checkpoint_interval": fmt.Sprint(s.shape.Commit.Milliseconds(), "ms"),
	} {
		if err := set.Configure(name, value, settings.FromFlag); err != nil {
			return err
		}
	}
	db, err := session.Open(session.Options{Store: store, Settings: set, Vnodes: s.shape.Vnodes})
	if err != nil {
		return err
	}
	sess, err := db.NewSession(session.Startup{})
	if err != nil {
		return err
	}
	s.store, s.db, s.sess = store, db, sess
	return nil
}

// Close ends the database.
func (s *Subject) Close(ctx context.Context) error {
	s.sess.Close()
	ctx, cancel := context.WithTimeout(ctx, answerMax)
	defer cancel()
	return s.db.Close(ctx)
}

// Crash opens what a power cut would have left now; the database before it goes on apart from it, to its end.
func (s *Subject) Crash(ctx context.Context) error {
	return s.restart(ctx, s.store.Crash())
}

// Restart closes the database and opens it again.
func (s *Subject) Restart(ctx context.Context) error {
	return s.restart(ctx, s.store)
}

// restart ends the database and opens what is left of it.
func (s *Subject) restart(ctx context.Context, left *memkv.Store) error {
	if err := s.Close(ctx); err != nil {
		return err
	}
	if err := s.open(left); err != nil {
		return err
	}
	for _, sql := range s.setup {
		if _, err := s.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// Settle waits until no view is being created.
func (s *Subject) Settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerMax)
	defer cancel()
	return s.db.Engine().WaitAll(ctx)
}

// Exec runs a text and returns the rows of its last statement.
func (s *Subject) Exec(ctx context.Context, sql string) (Rows, error) {
	ctx, cancel := context.WithTimeout(ctx, answerMax)
	defer cancel()
	var out Rows
	err := s.sess.Simple(ctx, sql, func(r session.Result) (err error) {
		out, err = s.read(ctx, r)
		return err
	})
	if err != nil {
		s.sess.Abort()
	}
	return out, err
}

func (s *Subject) read(ctx context.Context, r session.Result) (Rows, error) {
	var out Rows
	cols := r.Columns()
	for _, c := range cols {
		out.Types = append(out.Types, types.OID(c.Type))
	}
	text := s.sess.TextContext()
	for {
		c, err := r.Next(ctx)
		if err != nil {
			return Rows{}, err
		}
		if c == nil {
			break
		}
		for i := range c.Rows() {
			row := make([]string, len(cols))
			for j, d := range c.Row(i) {
				row[j] = nullText
				if !d.IsNull() {
					row[j] = types.Format(cols[j].Type, d, text)
				}
			}
			out.Rows = append(out.Rows, row)
		}
	}
	_, err := r.Finish(ctx)
	return out, err
}

// state is the SQLSTATE of an error of the subject, "" for what is none of the catalogue's.
func state(err error) string {
	if e, ok := errs.As(err); ok {
		return e.Entry.SQLState
	}
	return ""
}
