package session

import (
	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/types"
)

// captureRows are the lines of SHOW JOBS for sources that are not in step with their upstream, and for tables whose history
// is being read. Columns without a meaning here are NULL.
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
			t, ok := st.Tables[rel.ID]
			if !ok || t.Live {
				continue
			}
			reason := t.Wait
			if t.Err != nil {
				reason = t.Err.Error()
			}
			line(int64(rel.Job), rel.Definition, capture.Scanning, t.Rows, reason)
		}
	}
	return rows
}
