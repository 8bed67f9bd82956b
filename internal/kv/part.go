package kv

// Part is some of the rows that a commit has to write. Parts are disjoint, in key order, and may be read at the same time.
type Part struct {
	tables     []pendingTable
	start, end []byte // of the keys, when it is a part of one table; nil is no bound
}

// Parts cuts the rows into parts of about so many bytes. A table that is larger has parts of its own, so that no part
// lies over the rows of other tables between two of its own.
func (p *Pending) Parts(bytes int) (parts []Part) {
	var small Part
	size := 0
	flush := func() {
		if len(small.tables) > 0 {
			parts = append(parts, small)
		}
		small, size = Part{}, 0
	}
	for _, t := range p.tables {
		if t.bytes >= bytes {
			flush()
			parts = append(parts, t.parts(t.bytes/bytes)...)
			continue
		}
		if size+t.bytes > bytes {
			flush()
		}
		small.tables = append(small.tables, t)
		size += t.bytes
	}
	flush()
	return parts
}

// parts cuts a table into at most n parts between vnodes, by the largest of its segments.
func (t pendingTable) parts(n int) (parts []Part) {
	large := t.segs[0]
	for _, s := range t.segs {
		if s.hi-s.lo > large.hi-large.lo {
			large = s
		}
	}
	var from []byte
	for i := 1; i < n; i++ {
		at := large.lo + (large.hi-large.lo)*i/n
		to := large.run.key(large.run.refs[at])[:TablePrefixLen]
		if string(to) > string(from) {
			parts = append(parts, Part{[]pendingTable{t}, from, to})
			from = to
		}
	}
	return append(parts, Part{[]pendingTable{t}, from, nil})
}

// Rows is Pending.Rows for the rows of the part.
func (p Part) Rows(fn func(key, value []byte) error) error {
	for _, t := range p.tables {
		if err := t.rows(p.start, p.end, fn); err != nil {
			return err
		}
	}
	return nil
}
