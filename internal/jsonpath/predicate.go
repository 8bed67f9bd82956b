package jsonpath

import (
	"cmp"
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

// truth is the value of a predicate.
type truth uint8

const (
	no truth = iota
	yes
	maybe
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) item() types.JSON {
	if t == maybe {
		return "null"
	}
	return types.JSONBoolOf(t == yes)
}

// truth evaluates a predicate. What fails within is unknown.
func (e *evaluator) truth(n node) (truth, error) {
	switch n := n.(type) {
	case logic:
		return e.logic(n)
	case negation:
		t, err := e.truth(n.x)
		if t != maybe {
			t = truthOf(t == no)
		}
		return t, err
	case unknown:
		t, err := e.truth(n.x)
		return truthOf(t == maybe), err
	case existence:
		items, err := e.items(n.x)
		if failed, err := forgiven(err); failed || err != nil {
			return maybe, err
		}
		return truthOf(len(items) > 0), nil
	case comparison:
		r, err := e.unwrapped(n.r)
		return e.pairs(n.l, r, err, func(a, b types.JSON) truth { return compared(n.op, a, b) })
	case beginsWith:
		r, err := e.items(n.prefix)
		return e.pairs(n.x, r, err, func(a, b types.JSON) truth {
			if a.Kind() != types.JSONString || b.Kind() != types.JSONString {
				return maybe
			}
			return truthOf(strings.HasPrefix(a.Text(), b.Text()))
		})
	case likeRegex:
		return e.pairs(n.x, []types.JSON{"null"}, nil, func(a, _ types.JSON) truth {
			if a.Kind() != types.JSONString {
				return maybe
			}
			return truthOf(n.re.MatchString(a.Text()))
		})
	}
	return maybe, nil
}

func (e *evaluator) logic(n logic) (truth, error) {
	decisive := truthOf(!n.and)
	l, err := e.truth(n.l)
	if err != nil || l == decisive {
		return l, err
	}
	r, err := e.truth(n.r)
	if err != nil || r == decisive || l != maybe {
		return r, err
	}
	return maybe, nil
}

// pairs is true when a pair of items is. In the strict mode all are looked at: one that cannot be told makes all unknown.
func (e *evaluator) pairs(left node, right []types.JSON, err error, test func(a, b types.JSON) truth) (truth, error) {
	var items []types.JSON
	if err == nil {
		items, err = e.unwrapped(left)
	}
	if failed, err := forgiven(err); failed || err != nil {
		return maybe, err
	}
	found, failed := false, false
	for _, a := range items {
		for _, b := range right {
			switch test(a, b) {
			case maybe:
				if e.strict {
					return maybe, nil
				}
				failed = true
			case yes:
				if !e.strict {
					return yes, nil
				}
				found = true
			}
		}
	}
	if failed && !found {
		return maybe, nil
	}
	return truthOf(found), nil
}

// compared compares two items; only scalars of one kind, and null, can be.
func compared(op string, a, b types.JSON) truth {
	if a.Kind() != b.Kind() {
		if a.Kind() == types.JSONNull || b.Kind() == types.JSONNull {
			return truthOf(op == "!=")
		}
		return maybe
	}
	c := 0
	switch a.Kind() {
	case types.JSONNull:
	case types.JSONString:
		c = cmp.Compare(a.Text(), b.Text())
	case types.JSONNumber:
		c = a.Num().Cmp(b.Num())
	case types.JSONBool:
		if a != b {
			c = -1
			if a.Bool() {
				c = 1
			}
		}
	default:
		return maybe
	}
	switch op {
	case "==":
		return truthOf(c == 0)
	case "!=":
		return truthOf(c != 0)
	case "<":
		return truthOf(c < 0)
	case "<=":
		return truthOf(c <= 0)
	case ">":
		return truthOf(c > 0)
	}
	return truthOf(c >= 0)
}
