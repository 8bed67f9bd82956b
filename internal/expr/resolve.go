package expr

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Overload resolution follows PostgreSQL's chapter 10.3 step by step: an exact match wins; else candidates that cannot
// take the arguments by implicit casts fall away, then those with fewer exact matches, then those with fewer preferred
// types; at last literals without a type take the category that is left.

// match is one candidate with its declared types made concrete for the call.
type match struct {
	index    int
	args     []types.T
	declared Signature
}

// category is that of argument i as declared: a polymorphic one has none of its own.
func (m match) category(i int) category {
	if t := m.declared.Arg(i); !polymorphic(t) {
		return categoryOf(t)
	}
	return catPolymorphic
}

// Pick chooses among signatures for the given argument types. It returns the index of the chosen one and the types
// that the arguments are to be coerced to. Otherwise ok is false, and several tells whether more than one fits.
func Pick(candidates []Signature, args []types.T, operator bool) (index int, coerced []types.T, several, ok bool) {
	var fits []match
	for i, s := range candidates {
		if !s.accepts(len(args)) {
			continue
		}
		bound, ok := s.bindPolymorphic(args)
		if !ok || !coercible(args, bound) {
			continue
		}
		if exactly(args, bound) && !s.polymorphic() {
			return i, bound, false, true
		}
		fits = append(fits, match{i, bound, s})
	}
	if operator && len(args) == 2 {
		if m, ok := literalOperand(fits, args); ok {
			return m.index, m.args, false, true
		}
	}
	fits = narrow(fits, args)
	if len(fits) != 1 {
		return 0, nil, len(fits) > 1, false
	}
	return fits[0].index, fits[0].args, false, true
}

func coercible(from, to []types.T) bool {
	for i := range from {
		if !implicit(from[i], to[i]) {
			return false
		}
	}
	return true
}

func exactly(from, to []types.T) bool {
	for i := range from {
		if !from[i].SameKind(to[i]) {
			return false
		}
	}
	return true
}

// literalOperand takes a literal without a type beside a typed operand for one of the same type, when that is exact.
func literalOperand(fits []match, args []types.T) (match, bool) {
	same := make([]types.T, 2)
	switch {
	case args[0].Kind == types.KindUnknown && args[1].Kind != types.KindUnknown:
		same[0], same[1] = args[1], args[1]
	case args[1].Kind == types.KindUnknown && args[0].Kind != types.KindUnknown:
		same[0], same[1] = args[0], args[0]
	default:
		return match{}, false
	}
	for _, m := range fits {
		if exactly(same, m.args) && !m.declared.polymorphic() {
			return m, true
		}
	}
	return match{}, false
}

// narrow applies the later steps until one candidate is left or none of them helps.
func narrow(fits []match, args []types.T) []match {
	if len(fits) <= 1 {
		return fits
	}
	fits = best(fits, func(m match) int { return m.count(args, exactKind) })
	fits = best(fits, func(m match) int { return m.count(args, exactOrPreferred) })
	if len(fits) == 1 || !hasUnknown(args) {
		return fits
	}
	if byCategory := literalCategory(fits, args); len(byCategory) == 1 {
		return byCategory
	} else if len(byCategory) > 0 {
		fits = byCategory
	}
	if one := literalLikeRest(fits, args); one != nil {
		return one
	}
	return fits
}

// best keeps the candidates of the highest score.
func best(fits []match, score func(match) int) []match {
	top, out := -1, []match(nil)
	for _, m := range fits {
		switch s := score(m); {
		case s > top:
			top, out = s, []match{m}
		case s == top:
			out = append(out, m)
		}
	}
	return out
}

// count is how many arguments are good; what fits a polymorphic type is not exact.
func (m match) count(from []types.T, good func(from, to types.T) bool) int {
	n := 0
	for i := range from {
		if from[i].Kind != types.KindUnknown && !polymorphic(m.declared.Arg(i)) && good(from[i], m.args[i]) {
			n++
		}
	}
	return n
}

func exactKind(from, to types.T) bool { return from.SameKind(to) || varcharAsText(from, to) }

// varcharAsText: varchar has no functions of its own, PostgreSQL takes it for text without a conversion.
func varcharAsText(from, to types.T) bool {
	return from.Kind == types.KindVarchar && to.Kind == types.KindText
}

func exactOrPreferred(from, to types.T) bool {
	return exactKind(from, to) || categoryOf(from) == categoryOf(to) && preferred(to)
}

func hasUnknown(args []types.T) bool {
	for _, a := range args {
		if a.Kind == types.KindUnknown {
			return true
		}
	}
	return false
}

// literalCategory chooses for each untyped literal a category: string where a candidate takes one, else the one that
// all candidates agree on; within it the preferred type, where a candidate has it.
func literalCategory(fits []match, args []types.T) []match {
	for i, a := range args {
		if a.Kind != types.KindUnknown {
			continue
		}
		want, ok := categoryAt(fits, i)
		if !ok {
			return nil
		}
		fits = keep(fits, func(m match) bool { return m.category(i) == want })
		if p := keep(fits, func(m match) bool { return preferred(m.args[i]) }); len(p) > 0 {
			fits = p
		}
	}
	return fits
}

func categoryAt(fits []match, i int) (category, bool) {
	first := fits[0].category(i)
	same := true
	for _, m := range fits {
		c := m.category(i)
		if c == catString {
			return catString, true
		}
		same = same && c == first
	}
	return first, same
}

func keep(fits []match, good func(match) bool) []match {
	var out []match
	for _, m := range fits {
		if good(m) {
			out = append(out, m)
		}
	}
	return out
}

// literalLikeRest assumes the literals to be of the one type that all other arguments have.
func literalLikeRest(fits []match, args []types.T) []match {
	known := types.Unknown
	for _, a := range args {
		switch {
		case a.Kind == types.KindUnknown:
		case known.Kind == types.KindUnknown:
			known = a
		case !known.SameKind(a):
			return nil
		}
	}
	if known.Kind == types.KindUnknown {
		return nil
	}
	all := make([]types.T, len(args))
	for i := range all {
		all[i] = known
	}
	out := keep(fits, func(m match) bool { return coercible(all, m.args) })
	if len(out) != 1 {
		return nil
	}
	return out
}

// noMatch is PostgreSQL's error for a call that no candidate, or more than one, can take.
func noMatch(name string, args []types.T, operator, several bool) error {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = typeName(a)
	}
	if !operator {
		sig := name + "(" + strings.Join(names, ", ") + ")"
		if several {
			return errs.AmbiguousFunction.New("signature", sig)
		}
		return errs.UndefinedFunction.New("signature", sig)
	}
	sig := name + " " + names[0]
	if len(names) == 2 {
		sig = names[0] + " " + name + " " + names[1]
	}
	if several {
		return errs.AmbiguousOperator.New("signature", sig)
	}
	return errs.UndefinedOperator.New("signature", sig)
}
