// Package jsonpath reads and evaluates paths of SQL/JSON over jsonb values, as PostgreSQL 15 has them, but for datetime() and
// keyvalue().
//
// Source: PostgreSQL 15, 9.16.2, "The SQL/JSON Path Language".
package jsonpath

import (
	"regexp"

	"github.com/tidemark-db/tidemark/internal/types"
)

// Path is a path that was read. It may be used by many at once.
type Path struct {
	strict bool
	root   node
}

// Compile makes a regular expression of a pattern with PostgreSQL's flags.
type Compile func(pattern, flags string) (*regexp.Regexp, error)

// node is an expression or a predicate.
type node interface{}

// The expressions: each gives a sequence of items.
type (
	rootItem    struct{} // $
	currentItem struct{} // @
	lastIndex   struct{} // last
	literal     struct{ value types.JSON }
	variable    struct{ name string }
	chain       struct {
		from  node
		steps []step
	}
	sign struct {
		minus bool
		x     node
	}
	arithmetic struct {
		op   string
		l, r node
	}
)

// The predicates: each is true, false or unknown. As items they are true, false and null.
type (
	logic struct {
		and  bool
		l, r node
	}
	negation   struct{ x node }
	comparison struct {
		op   string
		l, r node
	}
	existence  struct{ x node }
	unknown    struct{ x node }
	beginsWith struct{ x, prefix node }
	likeRegex  struct {
		x  node
		re *regexp.Regexp
	}
)

// step is an accessor behind an expression.
type step struct {
	kind stepKind
	name string  // of a member or a method
	subs []index // of elements
	// Levels of a descent; deepest is the level of items without members.
	from, to int
	when     node // of a filter
}

type stepKind uint8

const (
	member     stepKind = iota // .key
	allMembers                 // .*
	elements                   // [i, j to k]
	allElements
	descent // .**
	filter  // ?(predicate)
	method  // .size()
)

// deepest is beyond any level.
const deepest = 1 << 30

// index is one subscript, or a range of them.
type index struct{ from, to node }

func predicate(n node) bool {
	switch n.(type) {
	case logic, negation, comparison, existence, unknown, beginsWith, likeRegex:
		return true
	}
	return false
}
