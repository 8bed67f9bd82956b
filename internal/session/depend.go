package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// described is a relation as PostgreSQL names it in errors: its kind, and its schema where the path does not lead to it.
func described(c *catalog.Snapshot, path []string, r *catalog.Relation) string {
	name := r.Name
	if found, ok := c.Lookup(path, r.Name); !ok || found.ID != r.ID {
		name = r.Qualified()
	}
	return kindName(r.Kind) + " " + name
}

// dependError refuses to drop a relation that others read.
func dependError(c *catalog.Snapshot, path []string, what string, rel *catalog.Relation, deps []*catalog.Relation) error {
	return cannotDrop(what, dependLines(c, path, rel, deps))
}

// cannotDrop refuses to drop what others depend on, a line for each.
func cannotDrop(what string, lines []string) error {
	return errs.DependentObjects.New("what", what, "detail", strings.Join(lines, "\n")).WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
}

// dependLines tells for each of a relation's dependants, which come before what they read, on what it depends.
func dependLines(c *catalog.Snapshot, path []string, rel *catalog.Relation, deps []*catalog.Relation) []string {
	var lines []string
	for i, d := range slices.Backward(deps) {
		if line := dependLine(c, path, d, deps[i+1:]); d != rel && line != "" && !slices.Contains(lines, line) { // a shadow is called what it is the shadow of
			lines = append(lines, line)
		}
	}
	return lines
}

// dependLine tells on which of some relations another depends. What goes with its table by itself, an index or a sink into it,
// is no reason to keep the table: of that there is nothing to tell.
func dependLine(c *catalog.Snapshot, path []string, d *catalog.Relation, among []*catalog.Relation) string {
	at := slices.IndexFunc(among, func(r *catalog.Relation) bool { return slices.Contains(d.DependsOn, r.ID) })
	if at < 0 || goesWith(d, among[at]) {
		return ""
	}
	return described(c, path, d) + " depends on " + described(c, path, among[at])
}

// dropCascading drops all that find gives, and tells what of it was not named.
func (s *Session) dropCascading(ctx context.Context, find func(*catalog.Snapshot) (all, named []*catalog.Relation, err error)) error {
	var lines []string
	err := s.dropRelations(ctx, func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
		all, named, err := find(c)
		lines = nil
		for _, r := range slices.Backward(all) {
			if r.Shadow == 0 && !slices.Contains(named, r) && !slices.ContainsFunc(all, func(on *catalog.Relation) bool { return goesWith(r, on) }) {
				lines = append(lines, "drop cascades to "+described(c, s.path(), r))
			}
		}
		return all, err
	})
	switch {
	case err != nil || len(lines) == 0:
	case len(lines) == 1:
		s.notice("NOTICE", "%s", lines[0])
	default:
		s.send(Notice{Severity: "NOTICE", Message: fmt.Sprintf("drop cascades to %d other objects", len(lines)), Detail: strings.Join(lines, "\n")})
	}
	return err
}

// goesWith reports whether a relation goes with another one that it is on without being asked for.
func goesWith(r, on *catalog.Relation) bool {
	return follows(r, on) && (r.Into == on.ID || slices.Contains(r.DependsOn, on.ID))
}
