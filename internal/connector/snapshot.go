package connector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Snapshot says which transactions a read has seen, as PostgreSQL's pg_snapshot does: those below Min, and those from Min
// up to Max that were not Active.
type Snapshot struct {
	Min, Max uint64
	Active   []uint64 // ascending
}

// Sees reports whether the read saw what a transaction did.
func (s Snapshot) Sees(xid uint64) bool {
	if xid < s.Min {
		return true
	}
	_, active := slices.BinarySearch(s.Active, xid)
	return xid < s.Max && !active
}

// String is min:max:active,...
func (s Snapshot) String() string {
	parts := make([]string, len(s.Active))
	for i, x := range s.Active {
		parts[i] = strconv.FormatUint(x, 10)
	}
	return fmt.Sprintf("%d:%d:%s", s.Min, s.Max, strings.Join(parts, ","))
}

// ParseSnapshot reads what String prints.
func ParseSnapshot(text string) (s Snapshot, err error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return s, fmt.Errorf("snapshot %q has not three parts", text)
	}
	if s.Min, err = strconv.ParseUint(parts[0], 10, 64); err != nil {
		return s, err
	}
	if s.Max, err = strconv.ParseUint(parts[1], 10, 64); err != nil {
		return s, err
	}
	for _, p := range strings.FieldsFunc(parts[2], func(r rune) bool { return r == ',' }) {
		x, err := strconv.ParseUint(p, 10, 64)
		if err != nil {
			return s, err
		}
		s.Active = append(s.Active, x)
	}
	slices.Sort(s.Active)
	return s, nil
}
