package slt

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A way is one history by which a script's views come to be. The script says what the answers are; every way must give them.
type way struct {
	name    string
	rewrite func([]Record) []Record
}

// throttle is the rate in rows/s at which the throttled way builds views: slow enough that changes arrive meanwhile.
const throttle = 40

var ways = []way{
	{"incremental", func(recs []Record) []Record { return recs }},
	{"backfill", func(recs []Record) []Record { return holdViews(recs, 1) }},
	{"throttled", func(recs []Record) []Record {
		recs = waitBeforeQueries(holdViews(recs, 0.5))
		return slices.Concat(preludes("set background_ddl = true", fmt.Sprintf("set backfill_rate_limit = %d", throttle)), recs)
	}},
	{"arranged", func(recs []Record) []Record {
		recs = waitBeforeQueries(holdViews(recs, 0.5))
		return slices.Concat(preludes("set background_ddl = true", "set backfill_mode = 'arrangement'", fmt.Sprintf("set backfill_rate_limit = %d", 10*throttle)), recs)
	}},
	{"restarted", restartEverywhere},
	{"rescaled", rescaleViews},
	{"parallel", func(recs []Record) []Record { return slices.Concat(preludes("set streaming_parallelism = 4"), recs) }},
}

// inWays gives each unit once for each named way, with a check after each query that the views equal their own queries. A
// unit that is about how views come to be, which says so with control ways off, is given once, as written.
func inWays(all []Unit, names []string) (out []Unit, err error) {
	for _, name := range names {
		i := slices.IndexFunc(ways, func(w way) bool { return w.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-ways: there is no way %q", name)
		}
		for _, u := range all {
			if slices.ContainsFunc(u.Recs, func(r Record) bool { return r.Kind == Control && r.Ctl == "ways" }) {
				if name == names[0] {
					out = append(out, u)
				}
				continue
			}
			u.Way = name
			u.Recs = ways[i].rewrite(checkViews(slices.Clone(u.Recs)))
			out = append(out, u)
		}
	}
	return out, nil
}

var (
	reView  = regexp.MustCompile(`(?is)^\s*create\s+(?:or\s+replace\s+)?materialized\s+view\s+(?:if\s+not\s+exists\s+)?("[^"]+"|[\w.]+)\s*(\([^)]*\))?\s*as\s+(.*?);?\s*$`)
	reHeld  = regexp.MustCompile(`(?is)^\s*create\s+(materialized\s+view|view|index)\b`)
	reName  = regexp.MustCompile(`(?is)^\s*create\s+(?:materialized\s+view|view|index)\s+(?:if\s+not\s+exists\s+)?("[^"]+"|[\w.]+)`)
	rePath  = regexp.MustCompile(`(?is)^\s*(?:reset\s+(?:all|search_path)\b|set\s+(?:session\s+)?(?:search_path\s*(?:=|to\b)|schema\b)\s*(.*?);?\s*$)`)
	rePass  = regexp.MustCompile(`(?is)^\s*(create\s+table|insert|update|delete|flush)\b`)
	reClock = regexp.MustCompile(`(?is)\b(now\(\)|proctime|current_timestamp|random|emit\s+on)`)
	reGone  = regexp.MustCompile(`(?is)^\s*(drop|alter)\b`)
	reBack  = regexp.MustCompile(`(?is)^\s*set\s+(?:session\s+)?background_ddl\s*(?:=|to\b)\s*'?(?:true|on|1)\b`)
	reFore  = regexp.MustCompile(`(?is)^\s*(?:reset\s+(?:all|background_ddl)\b|set\s+(?:session\s+)?background_ddl\b)`)
	reOpen  = regexp.MustCompile(`(?is)^\s*(begin|start\s+transaction|declare|prepare|create\s+subscription)\b`)
)

// plain tells whether the record is a statement that is to succeed.
func plain(r *Record) bool {
	return r.Kind == Statement && (r.Want == WantOK || r.Want == WantCount)
}

// preludes are statements that run before the script and are not judged.
func preludes(sql ...string) (out []Record) {
	for _, s := range sql {
		out = append(out, Record{Kind: Statement, SQL: s, Prelude: true})
	}
	return out
}

// holdViews moves the creation of views behind the writes that follow it: behind the share of them that is given. A record that
// names the view, or that is more than a write, ends the wait.
func holdViews(recs []Record, share float64) (out []Record) {
	for i := 0; i < len(recs); {
		if !plain(&recs[i]) || !reHeld.MatchString(recs[i].SQL) {
			out = append(out, recs[i])
			i++
			continue
		}
		held, passed, end := holdFrom(recs, i)
		n := int(float64(len(passed)) * share)
		out = slices.Concat(out, passed[:n], held, passed[n:])
		i = end
	}
	return out
}

// holdFrom parts what follows position i into views to hold back and records that may go first, up to end.
func holdFrom(recs []Record, i int) (held, passed []Record, end int) {
	var names []string
	for end = i; end < len(recs); end++ {
		r := &recs[end]
		switch {
		case plain(r) && reHeld.MatchString(r.SQL):
			held = append(held, *r)
			if m := reName.FindStringSubmatch(r.SQL); m != nil {
				names = append(names, strings.ToLower(m[1]))
			}
		case r.Kind == Sleep || plain(r) && rePass.MatchString(r.SQL) && !mentions(r.SQL, names):
			passed = append(passed, *r)
		default:
			return held, passed, end
		}
	}
	return held, passed, end
}

func mentions(sql string, names []string) bool {
	sql = strings.ToLower(sql)
	return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(sql, n) })
}

// reads tells whether a record may read views: a query, or what opens a transaction, a cursor or the like.
func reads(r *Record) bool { return r.Kind == Query || plain(r) && reOpen.MatchString(r.SQL) }

func waitBeforeQueries(recs []Record) (out []Record) {
	for _, r := range recs {
		if reads(&r) {
			out = append(out, Record{Kind: Wait, SQL: "wait", File: r.File, Line: r.Line})
		}
		out = append(out, r)
	}
	return out
}

// restartEverywhere kills the server after each statement, and gives the session its variables again. Scripts whose sessions
// hold more than variables run until there.
func restartEverywhere(recs []Record) (out []Record) {
	var vars []Record
	fragile := false
	for _, r := range recs {
		out = append(out, r)
		if !plain(&r) {
			continue
		}
		if reSetStmt.MatchString(r.SQL) {
			r.Prelude = true
			vars = append(vars, r)
			continue
		}
		fragile = fragile || r.Conn != "" || reOpen.MatchString(r.SQL)
		if !fragile {
			out = append(out, Record{Kind: Restart, SQL: "restart", File: r.File, Line: r.Line})
			out = append(out, vars...)
		}
	}
	return out
}

// rescaleViews builds views while changes arrive, with one actor and from the first row on with four; before the first answer, and
// before each that follows more views, they have come to be and get two.
func rescaleViews(recs []Record) []Record {
	alter := func(r Record, name string, n int) Record {
		return Record{Kind: Statement, File: r.File, Line: r.Line, Conds: append(slices.Clone(r.Conds), Cond{Only: true, Label: "tidemark"}), Want: WantOK,
			SQL: fmt.Sprintf("alter materialized view %s set parallelism = %d", name, n)}
	}
	out := preludes("set background_ddl = true", "set streaming_parallelism = 1", fmt.Sprintf("set backfill_rate_limit = %d", 100*throttle))
	var built []string
	for _, r := range holdViews(recs, 0.5) {
		switch m := reView.FindStringSubmatch(r.SQL); {
		case reads(&r) && len(built) > 0:
			out = append(out, Record{Kind: Wait, SQL: "wait", File: r.File, Line: r.Line})
			for _, name := range built {
				out = append(out, alter(r, name, 2))
			}
			built = nil
		case reads(&r):
			out = append(out, Record{Kind: Wait, SQL: "wait", File: r.File, Line: r.Line})
		case plain(&r) && reGone.MatchString(r.SQL):
			built = nil
		case plain(&r) && m != nil && r.Conn == "":
			out = append(out, r, alter(r, m[1], 4))
			built = append(built, m[1])
			continue
		}
		out = append(out, r)
	}
	return out
}

// A checked view is compared with its query: by scripts that build it in the background from the first query on that reads it,
// since it has no answer before, and to wait for it would undo what the script is about.
type checked struct {
	name, query, path string
	unread            bool
}

// checkViews adds, after each query, the comparison of every view with its query, both ways: of those that were created
// under the search path of the query, since names mean something else under another.
func checkViews(recs []Record) (out []Record) {
	var live []checked
	path, background := "", false
	for _, r := range recs {
		out = append(out, r)
		if plain(&r) && r.Conn == "" && reFore.MatchString(r.SQL) {
			background = reBack.MatchString(r.SQL)
		}
		switch {
		case plain(&r) && reGone.MatchString(r.SQL):
			live = nil
		case plain(&r) && r.Conn == "" && rePath.MatchString(r.SQL):
			path = rePath.FindStringSubmatch(r.SQL)[1]
		case plain(&r) && reView.MatchString(r.SQL):
			m := reView.FindStringSubmatch(r.SQL)
			live = slices.DeleteFunc(live, func(v checked) bool { return v.name == m[1] }) // one that is replaced
			if !reClock.MatchString(m[3]) {
				live = append(live, checked{m[1], m[3], path, background})
			}
		case r.Kind == Query && r.HasRows && r.Conn == "":
			for i := range live {
				v := &live[i]
				v.unread = v.unread && !v.namedIn(r.SQL)
				if v.path == path && !v.unread {
					out = append(out, v.comparison(r))
				}
			}
		}
	}
	return out
}

// comparison counts the rows by which the view differs from its query, beside the query r.
func (v checked) comparison(r Record) Record {
	return Record{Kind: Query, File: r.File, Line: r.Line, Conds: append(slices.Clone(r.Conds), Cond{Only: true, Label: "tidemark"}), Want: WantRows, HasRows: true,
		SQL: fmt.Sprintf("select count(*) from ((select * from %[1]s except all (%[2]s)) union all ((%[2]s) except all select * from %[1]s)) difference", v.name, v.query), Rows: []string{"0"}, Retries: r.Retries, Backoff: r.Backoff}
}

// namedIn tells whether a text has the view's name as a word.
func (v checked) namedIn(sql string) bool {
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(strings.Trim(v.name, `"`)) + `\b`).MatchString(sql)
}
