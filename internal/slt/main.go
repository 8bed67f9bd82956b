package slt

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Main runs the command: 0 when everything passed (or nothing is worse than the baseline), 1 when not, 2 when it could not
// run.
func Main(args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	var paths []string
	if err == nil {
		paths, err = collect(o)
	}
	if err == nil && len(paths) == 0 {
		err = errors.New("no files")
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	all := units(o, paths)
	if o.ways != "" {
		if all, err = inWays(all, splitList(o.ways)); err != nil {
			fmt.Fprintln(stderr, err)
			return 2
		}
	}
	if o.list {
		return list(o, all, stdout, stderr)
	}
	start := time.Now()
	results, err := execute(o, all, stdout)
	if err == nil {
		rep := Summarize(results)
		rep.Seconds, rep.DSN = time.Since(start).Seconds(), hidePassword(o.DSN)
		err = publish(o, rep, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	return verdict(o, results, stdout)
}

// execute runs the units on as many workers as asked for.
func execute(o *Options, all []Unit, stdout io.Writer) ([]*FileResult, error) {
	runners, err := newRunners(o, min(o.Jobs, max(len(all), 1)))
	defer func() {
		for _, r := range runners {
			if r.server != nil {
				r.server.stop()
			}
		}
	}()
	if err != nil {
		return nil, err
	}
	setEnv(o, runners[0].dsn)
	queue := make(chan Unit)
	var mu sync.Mutex
	var results []*FileResult
	var wg sync.WaitGroup
	for _, r := range runners {
		wg.Go(func() {
			for u := range queue {
				res := r.RunFile(u)
				mu.Lock()
				results = append(results, res)
				if o.Verbose || res.Status == "fail" && !o.summary {
					fmt.Fprintf(stdout, "%-12s %4d/%-4d %6dms %s  %s\n", res.Status, res.Passed, res.Total, res.Millis, res.key(), clip(res.First, 110))
				}
				mu.Unlock()
			}
		})
	}
	for _, u := range all {
		queue <- u
	}
	close(queue)
	wg.Wait()
	sort.Slice(results, func(i, j int) bool { return results[i].key() < results[j].key() })
	return results, nil
}

func newRunners(o *Options, n int) (out []*Runner, err error) {
	for i := range n {
		r := &Runner{opt: o, worker: i, dsn: strings.ReplaceAll(o.DSN, "{worker}", strconv.Itoa(i)), conns: map[string]*Conn{}}
		out = append(out, r)
		if o.Engine == "tidemark" {
			if r.server, err = startServer(o.Binary); err != nil {
				return out, err
			}
			r.dsn = r.server.dsn()
		}
	}
	return out, nil
}

// setEnv gives scripts the variables that the suite's own harness sets.
func setEnv(o *Options, dsn string) {
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return
	}
	o.Database = cfg.Database
	port := strconv.Itoa(int(cfg.Port))
	for k, v := range map[string]string{"SLT_HOST": cfg.Host, "SLT_PORT": port, "SLT_DB": cfg.Database, "RISEDEV_RW_FRONTEND_LISTEN_ADDRESS": cfg.Host, "RISEDEV_RW_FRONTEND_PORT": port} {
		if os.Getenv(k) == "" {
			os.Setenv(k, v)
		}
	}
}

func publish(o *Options, rep *Report, stdout io.Writer) error {
	if o.summary {
		rep.Print(stdout, o.top)
		rep.PrintFailures(stdout)
	}
	if o.out != "" {
		b, err := json.MarshalIndent(rep, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.out, append(b, '\n'), 0o644); err != nil {
			return err
		}
	}
	if o.newBase != "" {
		return WriteBaseline(o.newBase, rep.Results)
	}
	return nil
}

func verdict(o *Options, results []*FileResult, stdout io.Writer) int {
	if o.baseline != "" {
		return CheckBaseline(stdout, o.baseline, results, o.slack)
	}
	for _, r := range results {
		if r.Status == "fail" {
			return 1
		}
	}
	return 0
}

var passwordField = regexp.MustCompile(`password=\S+`)

func hidePassword(dsn string) string {
	if u, err := url.Parse(dsn); err == nil && u.User != nil {
		u.User = url.User(u.User.Username())
		return u.String()
	}
	return passwordField.ReplaceAllString(dsn, "password=xxx")
}
