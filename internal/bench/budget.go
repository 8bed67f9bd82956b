package bench

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Program is a server to be run as a process. It takes the arguments of `tidemark serve`.
type Program struct {
	Name      string // empty: tidemark
	Path      string
	Directory string // for its store
}

// The budgets: what a server with views needs when nobody asks it anything.
const (
	budgetViews  = 20
	budgetSettle = 10 * time.Second // after the start
	budgetIdle   = 10 * time.Second // over which the CPU time is taken
	stopMax      = 5 * time.Minute

	rssLimitMB    = 150
	idleLimit     = 1 // per cent of one core
	readyLimitMS  = 1000
	binaryLimitMB = 70
)

// Budgets fills a store with rows and views, starts the server again, and measures it at rest.
func Budgets(ctx context.Context, p Program, rows int) ([]Measure, error) {
	info, err := os.Stat(p.Path)
	if err != nil {
		return nil, err
	}
	if err := p.fill(ctx, rows); err != nil {
		return nil, err
	}
	begun := time.Now()
	s, err := p.start(ctx)
	if err != nil {
		return nil, err
	}
	first := time.Since(begun)
	defer s.stop()
	if err := wait(ctx, budgetSettle); err != nil {
		return nil, err
	}
	rss, err := s.usage().Resident()
	if err != nil {
		return nil, err
	}
	before, err := s.usage().CPU()
	if err != nil {
		return nil, err
	}
	if err := wait(ctx, budgetIdle); err != nil {
		return nil, err
	}
	after, err := s.usage().CPU()
	if err != nil {
		return nil, err
	}
	return []Measure{
		{What: "binary", Value: float64(info.Size()) / (1 << 20), Unit: "MB", Limit: binaryLimitMB},
		{What: "start to first query", Value: float64(first.Milliseconds()), Unit: "ms", Limit: readyLimitMS},
		{What: fmt.Sprintf("resident, %d views over %d rows", budgetViews, rows), Value: rss, Unit: "MB", Limit: rssLimitMB},
		{What: "CPU at rest", Value: 100 * (after - before).Seconds() / budgetIdle.Seconds(), Unit: "% of a core", Limit: idleLimit},
	}, nil
}

// fill makes the store.
func (p Program) fill(ctx context.Context, rows int) error {
	s, err := p.start(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	c, err := s.system().connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, createT); err != nil {
		return err
	}
	if err := copyRows(ctx, []*pgx.Conn{c}, "COPY t FROM STDIN", rows, appendT); err != nil {
		return err
	}
	for i := range budgetViews {
		sql := fmt.Sprintf("CREATE MATERIALIZED VIEW v%d AS SELECT a %% %d AS k, count(*) AS n, sum(v) AS s FROM t GROUP BY a %% %d", i, i+2, i+2)
		if _, err := c.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// Serve runs the program until stop is called.
func (p Program) Serve(ctx context.Context) (s System, stop func() error, err error) {
	run, err := p.start(ctx)
	if err != nil {
		return s, nil, err
	}
	return run.system(), run.stop, nil
}

// process is a server that runs.
type process struct {
	name   string
	cmd    *exec.Cmd
	listen string
}

// start runs the server until it answers a query, at a port of its own choice.
func (p Program) start(ctx context.Context) (*process, error) {
	s := &process{name: cmp.Or(p.Name, "tidemark"), cmd: exec.Command(p.Path, "serve", "--data", p.Directory, "--listen", "127.0.0.1:0")}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	var log []string
	lines := bufio.NewScanner(stderr)
	for s.listen == "" && lines.Scan() {
		log = append(log, lines.Text())
		if _, at, ready := strings.Cut(lines.Text(), " listen="); ready {
			s.listen, _, _ = strings.Cut(at, " ")
		}
	}
	if s.listen == "" {
		return nil, errors.Join(fmt.Errorf("%s did not start:\n%s", s.name, strings.Join(log, "\n")), s.cmd.Wait())
	}
	go io.Copy(io.Discard, stderr) // the pipe must not fill
	if err := s.answers(ctx); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// answers runs a first query.
func (s *process) answers(ctx context.Context) error {
	c, err := s.system().connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	_, err = c.Exec(ctx, "SELECT 1")
	return err
}

// wait lets time pass.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *process) system() System {
	return System{Name: s.name, DSN: "postgres://root@" + s.listen + "/dev?sslmode=disable", Process: s.usage()}
}

func (s *process) usage() Process { return Process(s.cmd.Process.Pid) }

// kill ends the server as a crash does.
func (s *process) kill() error {
	if err := s.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = s.cmd.Wait() // tells of the signal
	return nil
}

// stop ends the server in an orderly way, by force when that takes too long.
func (s *process) stop() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	force := time.AfterFunc(stopMax, func() { _ = s.cmd.Process.Kill() })
	defer force.Stop()
	return s.cmd.Wait()
}
