package ast

// control prints the statements on jobs and on the engine.
func (p *printer) control(s Stmt) {
	switch s := s.(type) {
	case *Flush:
		p.w("FLUSH")
	case *Recover:
		p.w("RECOVER")
	case *Wait:
		p.w("WAIT")
		if s.Kind != "" {
			p.w(" ", string(s.Kind))
			p.namedClause(" ", s.Name)
		}
	case *CancelJobs:
		p.w("CANCEL JOBS ")
		commas(p, ", ", s.Jobs, p.integer)
	case *Kill:
		p.w("KILL ")
		p.str(s.Process)
	case *Verify:
		p.w("VERIFY ", string(s.Kind))
		p.namedClause(" ", s.Name)
		p.when(s.Percent != "", " SAMPLE ", s.Percent, " PERCENT")
	case *Recreate:
		p.w("RECREATE ", string(s.Kind))
		p.namedClause(" ", s.Name)
	case *Refresh:
		p.w("REFRESH ", string(s.Kind))
		p.when(s.Concurrently, " CONCURRENTLY")
		p.namedClause(" ", s.Name)
		p.when(s.WithNoData, " WITH NO DATA")
	case *Backfill:
		p.w(map[bool]string{true: "REPAIR", false: "CHECK"}[s.Repair], " BACKFILL")
		p.namedClause(" ", s.Name)
		p.vnodes(s.VNodes)
		p.when(s.FromScratch, " FROM SCRATCH")
	case *Lock:
		p.w("LOCK TABLE ")
		commas(p, ", ", s.Tables, p.tableRef)
		p.when(s.Mode != "", " IN ", s.Mode, " MODE")
		p.when(s.Nowait, " NOWAIT")
	case *Vacuum:
		p.vacuum(s)
	}
}

func (p *printer) vacuum(s *Vacuum) {
	p.w(map[bool]string{true: "ANALYZE", false: "VACUUM"}[s.Analyze])
	if s.Options != nil {
		p.w(" ")
		p.looseOptions(s.Options)
	}
	if s.Tables != nil {
		p.w(" ")
		p.names(s.Tables)
	}
}
