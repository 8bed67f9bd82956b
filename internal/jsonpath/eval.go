package jsonpath

import (
	"errors"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Query returns the items of a path. Vars is an object with the values of variables; empty for none.
func (p *Path) Query(doc, vars types.JSON) ([]types.JSON, error) {
	if vars != "" && vars.Kind() != types.JSONObject {
		return nil, errs.InvalidArgument.New("problem", "\"vars\" argument is not an object").
			WithDetail("Jsonpath parameters should be encoded as key-value pairs of \"vars\" object.")
	}
	e := &evaluator{strict: p.strict, vars: vars, root: doc, current: doc}
	return e.items(p.root)
}

// Forgiven reports whether an error is one of those that a silent caller does not hear of.
func Forgiven(err error) bool {
	e, ok := errs.As(err)
	return ok && e.Entry != errs.PathVariable && e.Entry != errs.InvalidArgument
}

// evaluator is one evaluation.
type evaluator struct {
	strict        bool
	lenient       bool // a step behind **, for which members that are missing are no error
	vars          types.JSON
	root, current types.JSON
	last          int // the last subscript of the array whose elements are taken
}

// items evaluates an expression.
func (e *evaluator) items(n node) ([]types.JSON, error) {
	switch n := n.(type) {
	case rootItem:
		return []types.JSON{e.root}, nil
	case currentItem:
		return []types.JSON{e.current}, nil
	case lastIndex:
		return []types.JSON{types.JSONNumberOf(types.NumFromInt(int64(e.last)))}, nil
	case literal:
		return []types.JSON{n.value}, nil
	case variable:
		v, ok := e.vars.Get(n.name)
		if !ok {
			return nil, errs.PathVariable.New("name", n.name)
		}
		return []types.JSON{v}, nil
	case chain:
		return e.chain(n)
	case sign:
		return e.signed(n)
	case arithmetic:
		return e.arithmetic(n)
	}
	t, err := e.truth(n)
	if err != nil {
		return nil, err
	}
	return []types.JSON{t.item()}, nil
}

// unwrapped evaluates an expression; in the lax mode arrays give their elements.
func (e *evaluator) unwrapped(n node) ([]types.JSON, error) {
	items, err := e.items(n)
	if err != nil || e.strict {
		return items, err
	}
	var out []types.JSON
	for _, v := range items {
		out = append(out, opened(v)...)
	}
	return out, nil
}

// opened is the elements of an array, or the item alone.
func opened(v types.JSON) []types.JSON {
	if v.Kind() != types.JSONArray {
		return []types.JSON{v}
	}
	var out []types.JSON
	for x := range v.Elements() {
		out = append(out, x)
	}
	return out
}

// itemsMax bounds the items that a step of a chain selects: a few of them may multiply those of a document.
const itemsMax = 1 << 20

func (e *evaluator) chain(n chain) ([]types.JSON, error) {
	items, err := e.items(n.from)
	if err != nil {
		return nil, err
	}
	outer := e.lenient
	defer func() { e.lenient = outer }()
	for _, s := range n.steps {
		var next []types.JSON
		for _, v := range items {
			if next, err = e.step(next, s, v); err != nil {
				return nil, err
			}
			if len(next) > itemsMax {
				return nil, errs.PathItems.New("limit", itemsMax)
			}
		}
		items = next
		e.lenient = outer || s.kind == descent
	}
	return items, nil
}

// step adds what a step makes of an item.
func (e *evaluator) step(out []types.JSON, s step, v types.JSON) ([]types.JSON, error) {
	switch s.kind {
	case elements:
		return e.elements(out, s, v)
	case allElements:
		if v.Kind() != types.JSONArray && e.strict && !e.lenient {
			return nil, errs.PathArray.New("what", "jsonpath wildcard array accessor")
		}
		return append(out, opened(v)...), nil
	case descent:
		return e.descend(out, s, v, 0), nil
	case method:
		if s.name == "type" || s.name == "size" {
			return e.method(out, s.name, v)
		}
	}
	targets := []types.JSON{v}
	if !e.strict {
		targets = opened(v)
	}
	var err error
	for _, t := range targets {
		if out, err = e.target(out, s, t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// target is step for an item that is opened, in the lax mode.
func (e *evaluator) target(out []types.JSON, s step, v types.JSON) ([]types.JSON, error) {
	must := e.strict && !e.lenient
	switch s.kind {
	case member:
		x, ok := v.Get(s.name)
		switch {
		case ok:
			return append(out, x), nil
		case !must:
			return out, nil
		case v.Kind() != types.JSONObject:
			return nil, errs.PathMember.New("problem", "jsonpath member accessor can only be applied to an object")
		}
		return nil, errs.PathMember.New("problem", "JSON object does not contain key \""+s.name+"\"")
	case allMembers:
		if must && v.Kind() != types.JSONObject {
			return nil, errs.PathObject.New()
		}
		for _, x := range v.Fields() {
			out = append(out, x)
		}
		return out, nil
	case filter:
		outer := e.current
		e.current = v
		t, err := e.truth(s.when)
		if e.current = outer; err != nil {
			return nil, err
		}
		if t == yes {
			out = append(out, v)
		}
		return out, nil
	}
	return e.method(out, s.name, v)
}

// descend adds the items at the levels of a step.
func (e *evaluator) descend(out []types.JSON, s step, v types.JSON, level int) []types.JSON {
	leaf := v.Kind() != types.JSONArray && v.Kind() != types.JSONObject
	if level >= s.from && level <= s.to || s.from == deepest && leaf {
		out = append(out, v)
	}
	if level >= s.to {
		return out
	}
	for x := range v.Elements() {
		out = e.descend(out, s, x, level+1)
	}
	for _, x := range v.Fields() {
		out = e.descend(out, s, x, level+1)
	}
	return out
}

// elements adds those at subscripts. In the lax mode an item is an array of itself, and what is outside is not there.
func (e *evaluator) elements(out []types.JSON, s step, v types.JSON) ([]types.JSON, error) {
	must := e.strict && !e.lenient
	if v.Kind() != types.JSONArray && must {
		return nil, errs.PathArray.New("what", "jsonpath array accessor")
	}
	all := opened(v)
	outer := e.last
	e.last = len(all) - 1
	defer func() { e.last = outer }()
	for _, i := range s.subs {
		from, err := e.subscript(i.from)
		if err != nil {
			return nil, err
		}
		to := from
		if i.to != nil {
			if to, err = e.subscript(i.to); err != nil {
				return nil, err
			}
		}
		if must && (from < 0 || from > to || to >= len(all)) {
			return nil, errs.PathSubscript.New("problem", "jsonpath array subscript is out of bounds")
		}
		if from, to = max(from, 0), min(to, len(all)-1); from <= to {
			out = append(out, all[from:to+1]...)
		}
	}
	return out, nil
}

func (e *evaluator) subscript(n node) (int, error) {
	items, err := e.items(n)
	if err != nil {
		return 0, err
	}
	if len(items) != 1 || items[0].Kind() != types.JSONNumber {
		return 0, errs.PathSubscript.New("problem", "jsonpath array subscript is not a single numeric value")
	}
	i, ok := items[0].Num().Trunc(0).Int()
	if !ok || i != int64(int32(i)) {
		return 0, errs.PathSubscript.New("problem", "jsonpath array subscript is out of integer range")
	}
	return int(i), nil
}

// forgiven is err unless a predicate takes it for unknown.
func forgiven(err error) (unknown bool, rest error) {
	if err == nil {
		return false, nil
	}
	var e *errs.Error
	if errors.As(err, &e) && Forgiven(err) {
		return true, nil
	}
	return false, err
}
