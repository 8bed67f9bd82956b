package pgcatalog

import "fmt"

// sources are those of change data.
func (l *lookup) sources() []SourceInfo {
	if l.info.Sources == nil {
		return nil
	}
	return l.info.Sources()
}

// position is a place in the upstream's log as PostgreSQL prints it; 0 is none.
func position(p uint64) any {
	if p == 0 {
		return nil
	}
	return fmt.Sprintf("%X/%X", p>>32, uint32(p))
}

func sourceRows(s *scan) {
	for _, src := range s.sources() {
		rel, ok := s.info.Catalog.Relation(src.Relation)
		if !ok {
			continue
		}
		r := row{"source": int(src.Relation), "name": rel.Name, "job": int(src.Number), "state": src.State, "position": fmt.Sprintf("%X/%X", src.Position>>32, uint32(src.Position)),
			"upstream_position": position(src.End), "lag_bytes": int(src.LagBytes), "kept_bytes": int(src.Kept), "tables": len(src.Tables), "reason": orNull(src.Reason)}
		live := 0
		for _, t := range src.Tables {
			if t.Live {
				live++
			}
		}
		if r["tables_live"] = live; src.Lag > 0 || src.End != 0 {
			r["lag"] = src.Lag
		}
		s.add(r)
	}
}

func capturedRows(s *scan) {
	for _, src := range s.sources() {
		for _, t := range src.Tables {
			if rel, ok := s.info.Catalog.Relation(t.Relation); ok {
				s.add(row{"relation": int(t.Relation), "schema": rel.Schema, "name": rel.Name, "source": int(src.Relation), "job": int(t.Job), "state": t.State, "rows_read": int(t.Rows),
					"rows_total": int(t.Total), "progress": t.Progress, "ranges_read": int(t.Ranges), "ranges_passed": int(t.Passed), "reason": orNull(t.Reason)})
			}
		}
	}
}

// cdcProgressRows is what RisingWave calls the splits of a table: the ranges that its history is read in.
func cdcProgressRows(s *scan) {
	for _, src := range s.sources() {
		for _, t := range src.Tables {
			s.add(row{"job_id": int(t.Job), "split_total_count": int(t.ranges()), "split_backfilled_count": int(t.Ranges), "split_completed_count": int(t.Passed)})
		}
	}
}

// ranges is how many there will be, if the others are as large as those that were read.
func (t CapturedInfo) ranges() uint64 {
	switch {
	case t.Live || t.Rows >= t.Total:
		return t.Ranges
	case t.Rows == 0:
		return t.Ranges + 1
	}
	return t.Ranges + max(1, (t.Total-t.Rows)*t.Ranges/t.Rows)
}
