package session

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/pgcatalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// captureRows are the lines of SHOW JOBS for sources that are not in step with their upstream, and for tables whose history
// is being read, that have failed or whose columns differ upstream. Columns without a meaning here are NULL.
func (s *Session) captureRows(width int) (rows []types.Row) {
	line := func(rel *catalog.Relation, state capture.State, reason string) types.Row {
		row := make(types.Row, width)
		row[0], row[1], row[2], row[4] = types.NewInt(captureNumber(rel)), text(rel.Definition), text("BACKGROUND"), text(string(state))
		row[width-1] = text(reason)
		rows = append(rows, row)
		return row
	}
	for _, st := range s.d.captures.Status() {
		if st.State != capture.Streaming {
			row := line(st.Source, st.State, reasonOf(st.Err))
			row[6] = types.NewInt(0)
			if !st.Behind.IsZero() {
				row[10] = seconds(s.d.now().Sub(st.Behind))
			}
		}
		for _, rel := range s.d.engine.Catalog().Relations() {
			if t, ok := st.Tables[rel.ID]; ok && t.State() != capture.Streaming {
				row := line(rel, t.State(), t.Reason())
				row[3], row[6], row[7] = text(engine.Progress{Percent: t.Done(), Scanned: t.Rows, Total: t.Total}.String()), types.NewInt(int64(t.Rows)), types.NewInt(int64(t.Total))
			}
		}
	}
	return rows
}

// sourceInfo is the sources as the system relations show them.
func (s *Session) sourceInfo() (out []pgcatalog.SourceInfo) {
	for _, st := range s.d.captures.Status() {
		info := pgcatalog.SourceInfo{Relation: st.Source.ID, Number: captureNumber(st.Source), State: string(st.State), Position: uint64(st.Position), End: uint64(st.End),
			LagBytes: st.LagBytes(), Kept: st.Kept, Reason: reasonOf(st.Err)}
		if !st.Behind.IsZero() {
			info.Lag = max(s.d.now().Sub(st.Behind), time.Microsecond)
		}
		for _, rel := range s.d.engine.Catalog().Relations() {
			if t, ok := st.Tables[rel.ID]; ok {
				info.Tables = append(info.Tables, pgcatalog.CapturedInfo{Relation: rel.ID, Job: rel.Job, State: string(t.State()), Rows: t.Rows, Total: t.Total,
					Progress: t.Done(), Ranges: t.Ranges, Passed: t.Ranges - min(t.Open, t.Ranges), Live: t.Live, Reason: t.Reason()})
			}
		}
		out = append(out, info)
	}
	return out
}
