package slt

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Options are the settings of one run; README.md explains them.
type Options struct {
	DSN, Database, Root string
	Engine, Binary      string
	Jobs, MaxDetail     int
	Timeout             time.Duration // of one record
	FileTimeout         time.Duration
	Reconnect           time.Duration
	Continue, System    bool
	Extended, AnyError  bool
	SleepScale          float64
	Ignore              *regexp.Regexp
	Labels              map[string]bool
	Isolate             string
	ResetCmd, ResetPer  string
	Verbose             bool

	dirs, files, labels, classes string
	ignore, skip, only, protocol string
	ways                         string
	skipPath, onlyPath           *regexp.Regexp
	out, baseline, newBase       string
	list, summary, split, dedup  bool
	slack, top                   int
	globs                        []string
}

func (o *Options) register(fs *flag.FlagSet) {
	fs.StringVar(&o.DSN, "dsn", "postgres://root@127.0.0.1:4566/dev?sslmode=disable", "server to test; {worker} is replaced by the job number")
	fs.StringVar(&o.Engine, "engine", "postgres", "engine name, a label that is always set; tidemark also starts -binary for each job")
	fs.StringVar(&o.Binary, "binary", "bin/tidemark", "with -engine tidemark: the program to start")
	fs.StringVar(&o.dirs, "dir", "", "comma-separated folders; runs every *.slt and *.slt.serial below them")
	fs.StringVar(&o.files, "files", "", "comma-separated files or globs (** allowed); further arguments are taken as such too")
	fs.StringVar(&o.Root, "root", "", "folder that paths in reports are relative to (default: the first -dir)")
	fs.IntVar(&o.Jobs, "jobs", 1, "units run at the same time")
	fs.DurationVar(&o.Timeout, "timeout", 5*time.Minute, "limit for one record")
	fs.DurationVar(&o.FileTimeout, "file-timeout", 30*time.Minute, "limit for one unit")
	fs.DurationVar(&o.Reconnect, "reconnect", 2*time.Minute, "how long to wait for a server that went away")
	fs.BoolVar(&o.Continue, "record-continue", true, "go on in a unit after a failing record")
	fs.BoolVar(&o.System, "system", false, "run system commands (they are arbitrary shell!) instead of skipping them")
	fs.StringVar(&o.protocol, "protocol", "simple", "query protocol: simple or extended")
	fs.BoolVar(&o.AnyError, "any-error", false, "let any error text satisfy statement error / query error")
	fs.Float64Var(&o.SleepScale, "sleep-scale", 1, "factor on sleep and retry backoff")
	fs.StringVar(&o.ignore, "ignore-stmt", "", "regex; matching statements are neither sent nor counted")
	fs.StringVar(&o.labels, "label", "serial", "comma-separated labels for onlyif and skipif")
	fs.StringVar(&o.Isolate, "isolate", "drop", "between units: none, drop (what the unit left behind), database (one per unit)")
	fs.StringVar(&o.ResetCmd, "reset-cmd", "", "shell command that gives a fresh server; gets SLT_FILE and SLT_WORKER")
	fs.StringVar(&o.ResetPer, "reset-per", "file", "run -reset-cmd before each file or each dir")
	fs.StringVar(&o.classes, "class", "", "comma-separated classes to run (see -list); empty: all")
	fs.StringVar(&o.ways, "ways", "", "comma-separated ways to run each unit, with every view compared with its query: incremental, backfill, throttled, arranged, restarted, parallel")
	fs.StringVar(&o.skip, "skip", "", "regex; units with a matching path are left out")
	fs.StringVar(&o.only, "only", "", "regex; only units with a matching path are run")
	fs.StringVar(&o.out, "json", "", "write the whole result to this file")
	fs.IntVar(&o.MaxDetail, "max-detail", 5, "failures per unit kept in the JSON")
	fs.BoolVar(&o.summary, "summary", true, "print the tables by folder and the top reasons")
	fs.IntVar(&o.top, "top", 40, "reasons to print")
	fs.BoolVar(&o.Verbose, "v", false, "print a line for each unit")
	fs.StringVar(&o.baseline, "baseline", "", "fail only when a unit is worse than in this baseline")
	fs.StringVar(&o.newBase, "write-baseline", "", "write the outcome as a baseline")
	fs.BoolVar(&o.split, "split", true, "run each include of a file that only sets variables and includes as a unit of its own")
	fs.BoolVar(&o.dedup, "dedup", false, "run a unit that several files include only once")
	fs.IntVar(&o.slack, "slack", 0, "passing records a unit may lose against the baseline")
	fs.BoolVar(&o.list, "list", false, "parse only: print class, records, tags and path of each unit")
}

// parseOptions reads the command line and checks what belongs together.
func parseOptions(args []string, stderr io.Writer) (*Options, error) {
	o := &Options{}
	fs := flag.NewFlagSet("slt", flag.ContinueOnError)
	fs.SetOutput(stderr)
	o.register(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	o.globs = append(splitList(o.files), fs.Args()...)
	o.Extended = o.protocol == "extended"
	o.setLabels()
	for text, re := range map[*string]**regexp.Regexp{&o.ignore: &o.Ignore, &o.skip: &o.skipPath, &o.only: &o.onlyPath} {
		if *text == "" {
			continue
		}
		var err error
		if *re, err = regexp.Compile(*text); err != nil {
			return nil, err
		}
	}
	return o, o.validate()
}

// setLabels makes the labels that guards see. A script that is for any server of the PostgreSQL protocol says postgres, so
// Tidemark has both names.
func (o *Options) setLabels() {
	protocol := "postgres"
	if o.Extended {
		protocol = "postgres-extended"
	}
	o.Labels = map[string]bool{o.Engine: true}
	if o.Engine == "postgres" || o.Engine == "tidemark" {
		delete(o.Labels, "postgres")
		o.Labels[protocol] = true
	}
	for _, l := range splitList(o.labels) {
		o.Labels[l] = true
	}
}

func (o *Options) validate() error {
	switch {
	case !slices.Contains([]string{"none", "drop", "database"}, o.Isolate):
		return fmt.Errorf("-isolate %s: want none, drop or database", o.Isolate)
	case o.Jobs < 1:
		return fmt.Errorf("-jobs %d: want 1 or more", o.Jobs)
	case o.Jobs > 1 && o.Isolate == "drop" && o.Engine != "tidemark" && !strings.Contains(o.DSN, "{worker}"):
		return fmt.Errorf("-jobs above 1 needs -engine tidemark, -isolate database, -isolate none, or a -dsn with {worker}")
	}
	return nil
}

// rel is a path as reports show it.
func (o *Options) rel(p string) string {
	if r, err := filepath.Rel(o.Root, p); err == nil && !strings.HasPrefix(r, "..") {
		return filepath.ToSlash(r)
	}
	return filepath.ToSlash(p)
}

// dirOf gives the folder under which the summary counts a file: two levels at most.
func (o *Options) dirOf(p string) string {
	d := strings.Split(filepath.ToSlash(filepath.Dir(o.rel(p))), "/")
	if len(d) > 2 {
		d = d[:2]
	}
	return strings.Join(d, "/")
}

// splitList splits at commas and drops what is empty.
func splitList(s string) []string {
	var out []string
	for _, x := range strings.Split(s, ",") {
		if x = strings.TrimSpace(x); x != "" {
			out = append(out, x)
		}
	}
	return out
}
