package difftest

import "fmt"

// zone is the time zone of a history, "" for the server's: with changes of clocks in either half of the year, by half an hour,
// off by odd minutes, or none.
func (g *generator) zone() string {
	if g.chance(50) {
		return ""
	}
	return []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns"}[g.n(5)]
}

// here is a statement that only the database under test knows, after which all answers must be as they were.
func (g *generator) here() string {
	if len(g.views) == 0 || g.chance(25) {
		return fmt.Sprintf("ALTER TABLE %s SET PARALLELISM = %d", g.tables[g.n(len(g.tables))].name, 1+g.n(4))
	}
	v := g.views[g.n(len(g.views))]
	if g.chance(50) {
		return fmt.Sprintf("CREATE INDEX %s ON %s (%s)", g.fresh("i"), v.name, v.cols[g.n(len(v.cols))].Name)
	}
	return fmt.Sprintf("ALTER MATERIALIZED VIEW %s SET PARALLELISM = %d", v.name, 1+g.n(4))
}
