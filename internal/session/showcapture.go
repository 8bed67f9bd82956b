package session

import (
	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/types"
)

// captureRows are the lines of SHOW JOBS for sources that are not in step with their upstream, and for tables whose history
// is being read, that have failed or whose columns differ upstream. Columns without a meaning here are NULL.
func (s *Session) captureRows(width int) (rows []types.Row) {
	line := func(id int64, sql string, state capture.State, read uint64, reason string) {
		row := make(types.Row, width)
		row[0], row[1], row[2], row[4] = types.NewInt(id), text(sql), text("BACKGROUND"), text(string(state))
		row[6], row[width-1] = types.NewInt(int64(read)), text(reason)
		rows = append(rows, row)
	}
	for _, st := range s.d.captures.Status() {
		if st.State != capture.Streaming {
			reason := ""
			if st.Err != nil {
				reason = st.Err.Error()
			}
			line(int64(st.Source.Job), st.Source.Definition, st.State, 0, reason)
		}
		for _, rel := range s.d.engine.Catalog().Relations() {
			if t, ok := st.Tables[rel.ID]; ok && t.State() != capture.Streaming {
				line(int64(rel.Job), rel.Definition, t.State(), t.Rows, t.Reason())
			}
		}
	}
	return rows
}
