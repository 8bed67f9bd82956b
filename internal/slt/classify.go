package slt

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Classification says what a file needs besides a server that speaks SQL.
type Classification struct {
	Class string // the strongest need, see classOrder
	Tags  []string
	open  bool // uses a relation that it does not make
}

// Classes, the least demanding first:
//
//	pure        SQL on one node
//	introspect  also EXPLAIN text, rw_catalog, internal tables, fragments
//	builtin     also a built-in generator or sink: datagen, nexmark, blackhole
//	control     also RECOVER, ALTER SYSTEM, parallelism, resource groups, can-use-recover
//	udf         embedded UDF languages; udf-server: an external UDF server
//	local       files on disk, or shell commands that need no service
//	ext         an outside service; the tags name it
//	phased      relies on state that another file or a script made
//	template    not meant to run as it is
var classOrder = []string{"pure", "introspect", "builtin", "control", "udf", "udf-server", "local", "phased", "ext", "template"}

var (
	reConnector = regexp.MustCompile(`(?i)\bconnector\s*=\s*'?([a-z0-9_-]+)`)
	reLang      = regexp.MustCompile(`(?i)\blanguage\s+'?(javascript|python|rust|wasm|java)`)
	reLink      = regexp.MustCompile(`(?i)\busing\s+link\b`)
	reIntro     = regexp.MustCompile(`(?i)\brw_catalog\.|\brw_[a-z_]+\b|__internal_|^\s*(explain|describe\s+fragment|analyze)|\bshow\s+(internal|jobs|fragments|cluster|processlist)`)
	reCtl       = regexp.MustCompile(`(?i)^\s*(recover|alter\s+system|alter\s+(table|source|sink|index|materialized\s+view|fragment|subscription|database)\s+\S+\s+set\s+(backfill_)?(parallelism|resource_group|config|.*rate_limit)|alter\s+compaction|alter\s+fragment)\b`)
	reEngine    = regexp.MustCompile(`(?i)\bengine\s*=\s*'?iceberg`)
	reModel     = regexp.MustCompile(`(?i)openai_embedding|from\s+webhook|vault`)
	reCreate    = regexp.MustCompile(`(?i)\bcreate\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|background\s+)*(?:table|source|view|materialized\s+(?:view|source)|sink|index|schema|database|user|function|aggregate|connection|secret|subscription)\s+(?:if\s+not\s+exists\s+)?("?[\w.${}:]+"?)`)
	reUse       = regexp.MustCompile(`(?i)^\s*(?:insert\s+into|drop\s+(?:table|materialized\s+view|source|view|sink|index|subscription)(?:\s+if\s+exists)?|update|delete\s+from|select\b[^()]*?\bfrom)\s+("?[\w.${}]+"?)`)
)

var builtinConnector = map[string]bool{"datagen": true, "nexmark": true, "blackhole": true, "table": true, "invalid": true, "1": true, "": true}

// service names for the first word of a system command
var cmdService = map[string]string{
	"rpk": "kafka", "sr_register": "kafka", "mysql": "mysql", "sqlcmd": "sqlserver", "mongosh": "mongodb", "sparksql": "iceberg",
	"redis": "redis", "redis-cli": "redis", "search": "elasticsearch", "deltalake_prepare": "deltalake",
}

// classifier gathers what the records of one unit need.
type classifier struct {
	level int
	tags  map[string]bool
	made  map[string]bool // relations that the unit creates
	used  string          // the first that it uses without creating it
}

// Classify works out the class of one unit from its records.
func Classify(path string, recs []Record) Classification {
	c := &classifier{tags: map[string]bool{}, made: map[string]bool{}}
	slash := filepath.ToSlash(path)
	if strings.Contains(slash, "/templates/") || strings.Contains(slash, ".template") {
		c.raise("template")
	}
	for _, r := range recs {
		for _, g := range r.Conds {
			if g.Only && g.Label == "can-use-recover" {
				c.raise("control", "recover-label")
			}
		}
		switch r.Kind {
		case System:
			c.shell(r.SQL)
		case Statement, Query, Let:
			c.sql(stripComments(short(r.SQL)), r.Want)
		}
	}
	if c.used != "" {
		c.raise("phased", "needs:"+c.used)
	}
	for _, d := range scriptedDirs {
		if strings.HasPrefix(slash, d) {
			c.raise("phased", "script")
		}
	}
	return Classification{Class: classOrder[c.level], Tags: sortedKeys(c.tags), open: c.used != ""}
}

// scriptedDirs hold files that a shell script runs in an order of its own.
var scriptedDirs = []string{"backwards-compat-tests/", "backup_restore/", "backfill/runtime/", "backfill/sink/create", "backfill/sink/validate", "ldap/", "kafka-sasl/", "refill/", "session_init/", "s3/", "monitoring/"}

// raise makes the class at least as demanding as the one named.
func (c *classifier) raise(class string, tags ...string) {
	c.level = max(c.level, slices.Index(classOrder, class))
	for _, t := range tags {
		c.tags[t] = true
	}
}

// shell looks at a system command.
func (c *classifier) shell(cmd string) {
	words := strings.Fields(cmd)
	if len(words) == 0 {
		return
	}
	program, low := filepath.Base(words[0]), strings.ToLower(cmd)
	has := func(s string) bool { return strings.Contains(low, s) }
	self := has("slt_port") || has("4566") || has("risedev_rw_frontend")
	switch {
	case cmdService[program] != "":
		c.raise("ext", cmdService[program])
	case strings.Contains(program, "cqlsh"):
		c.raise("ext", "cassandra")
	case has("psql") && !self:
		c.raise("ext", "postgres")
	case has("risectl"), has("risedev"), program == "internal_table.mjs":
		c.raise("local", "risectl")
	case has("kafka"), has("rpk "):
		c.raise("ext", "kafka")
	case has("pulsar"):
		c.raise("ext", "pulsar")
	case has("remote_python"), has("remote_java"):
		c.raise("udf-server", "udf-server")
	case has("s3"), has("minio"):
		c.raise("ext", "s3")
	default:
		c.raise("local", "shell")
	}
	for _, s := range []string{"mysql", "sqlcmd", "mongosh"} {
		if has(s + " ") {
			c.raise("ext", s)
		}
	}
}

// sql looks at a statement without its comments.
func (c *classifier) sql(sql string, want Want) {
	for _, m := range reConnector.FindAllStringSubmatch(sql, -1) {
		c.connector(strings.ToLower(m[1]), want)
	}
	if reEngine.MatchString(sql) && want != WantError {
		c.raise("ext", "iceberg")
	}
	if m := reLang.FindStringSubmatch(sql); m != nil {
		c.raise("udf", "udf-"+strings.ToLower(m[1]))
	}
	if reLink.MatchString(sql) {
		c.raise("udf-server", "udf-server")
	}
	if reModel.MatchString(sql) {
		c.raise("ext", "http-service")
	}
	bare := blankStrings(sql)
	if !reSet.MatchString(bare) && reIntro.MatchString(bare) {
		c.raise("introspect", "introspect")
	}
	if reCtl.MatchString(bare) {
		c.raise("control", "control")
	}
	c.relations(bare, want)
}

func (c *classifier) connector(name string, want Want) {
	switch {
	case want == WantError && !builtinConnector[name]:
		c.tags["err-"+name] = true // refused anyway, so the service is not needed
	case name == "blackhole", name == "datagen", name == "nexmark":
		c.raise("builtin", name)
	case builtinConnector[name]:
	case name == "posix_fs", name == "fs", name == "file", name == "__for_testing_only_batch_posix_fs":
		c.raise("local", "fs")
	case name == "webhook":
		c.raise("local", "webhook")
	default:
		c.raise("ext", name)
	}
}

// relations notes what the statement creates, and what it uses that nothing before it created.
func (c *classifier) relations(bare string, want Want) {
	for _, m := range reCreate.FindAllStringSubmatch(bare, -1) {
		c.made[lastName(m[1])] = true
	}
	if m := reRename.FindStringSubmatch(bare); m != nil {
		c.made[strings.ToLower(m[1])] = true
	}
	m := reUse.FindStringSubmatch(bare)
	if m == nil || want == WantError || c.used != "" || c.made[lastName(m[1])] || knownSource(m[1]) {
		return
	}
	selects := strings.EqualFold(strings.TrimSpace(bare)[:6], "select")
	if strings.Contains(strings.ToLower(bare), "if exists") || selects && strings.Contains(bare, "(") {
		return
	}
	c.used = lastName(m[1])
}

// lastName is a relation's name without its schema and quotes.
func lastName(s string) string {
	s = strings.ToLower(strings.ReplaceAll(s, `"`, ""))
	return s[strings.LastIndex(s, ".")+1:]
}

func knownSource(s string) bool {
	s = strings.ToLower(s)
	return strings.HasPrefix(s, "pg_") || strings.HasPrefix(s, "rw_") || strings.HasPrefix(s, "information_schema") || strings.Contains(s, "$") ||
		slices.Contains([]string{"null", "true", "false", "generate_series", "values", "unnest", "lateral", "only"}, s) || strings.HasPrefix(s, "__internal")
}

var (
	reRename = regexp.MustCompile(`(?i)\brename\s+to\s+"?(\w+)`)
	reInsert = regexp.MustCompile(`(?i)^\s*insert\s`)
)

// short cuts long lists of inserted values, which hold nothing new.
func short(s string) string {
	if len(s) > 3000 && reInsert.MatchString(s) {
		return s[:3000]
	}
	return s
}

var reLineComment = regexp.MustCompile(`(?m)--.*$`)

func stripComments(s string) string { return reLineComment.ReplaceAllString(s, "") }

var reStr = regexp.MustCompile(`(?s)'(?:[^']|'')*'`)

func blankStrings(s string) string { return reStr.ReplaceAllString(s, "''") }

var reSet = regexp.MustCompile(`(?i)^\s*set\s+(?:session\s+|local\s+)?([a-z_][a-z0-9_.]*)\s*(?:=|\bto\b)`)
