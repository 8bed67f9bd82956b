package expr

import "github.com/tidemark-db/tidemark/internal/types"

// CastContext says where a cast is allowed; a higher one includes the lower.
type CastContext uint8

const (
	CastNever      CastContext = iota
	CastExplicit               // only where it is written
	CastAssignment             // also when a value is stored in a column
	CastImplicit               // also where a function or operator needs it
)

// category groups types as PostgreSQL's typcategory does.
type category byte

const (
	catUser     category = 'U'
	catBool     category = 'B'
	catNumber   category = 'N'
	catString   category = 'S'
	catDatetime category = 'D'
	catTimespan category = 'T'
	catArray    category = 'A'
	catStruct   category = 'C'
	catUnknown  category = 'X'

	catPolymorphic category = 'P'
)

func categoryOf(t types.T) category {
	switch t.Kind {
	case types.KindBool:
		return catBool
	case types.KindInt2, types.KindInt4, types.KindInt8, types.KindFloat4, types.KindFloat8, types.KindNumeric,
		types.KindInt256, types.KindOid, types.KindRegclass, types.KindRegtype, types.KindRegproc, types.KindRegnamespace:
		return catNumber
	case types.KindText, types.KindVarchar, types.KindBpchar, types.KindName:
		return catString
	case types.KindDate, types.KindTime, types.KindTimestamp, types.KindTimestamptz:
		return catDatetime
	case types.KindInterval:
		return catTimespan
	case types.KindArray:
		return catArray
	case types.KindStruct:
		return catStruct
	case types.KindUnknown:
		return catUnknown
	}
	return catUser
}

// preferred tells the types that PostgreSQL prefers within their category.
func preferred(t types.T) bool {
	switch t.Kind {
	case types.KindBool, types.KindFloat8, types.KindOid, types.KindText, types.KindTimestamptz, types.KindInterval:
		return true
	}
	return false
}

// castRule lists what a type converts to beside itself and text.
type castRule struct{ implicit, assignment, explicit []types.Kind }

func kinds(ks ...types.Kind) []types.Kind { return ks }

var (
	regKinds = kinds(types.KindOid, types.KindRegclass, types.KindRegtype, types.KindRegproc, types.KindRegnamespace)
)

// castRules is pg_cast, without the casts that go by way of text.
var castRules = map[types.Kind]castRule{
	types.KindBool: {explicit: kinds(types.KindInt4), assignment: kinds(types.KindText, types.KindVarchar, types.KindBpchar)},
	types.KindInt2: {implicit: append(kinds(types.KindInt4, types.KindInt8, types.KindInt256, types.KindFloat4, types.KindFloat8, types.KindNumeric), regKinds...)},
	types.KindInt4: {
		implicit:   append(kinds(types.KindInt8, types.KindInt256, types.KindFloat4, types.KindFloat8, types.KindNumeric), regKinds...),
		assignment: kinds(types.KindInt2), explicit: kinds(types.KindBool, types.KindChar),
	},
	types.KindInt8: {
		implicit:   append(kinds(types.KindInt256, types.KindFloat4, types.KindFloat8, types.KindNumeric), regKinds...),
		assignment: kinds(types.KindInt2, types.KindInt4),
	},
	types.KindFloat4:  {implicit: kinds(types.KindFloat8), assignment: kinds(types.KindInt2, types.KindInt4, types.KindInt8, types.KindNumeric)},
	types.KindFloat8:  {assignment: kinds(types.KindInt2, types.KindInt4, types.KindInt8, types.KindFloat4, types.KindNumeric), explicit: kinds(types.KindInt256)},
	types.KindNumeric: {implicit: kinds(types.KindFloat4, types.KindFloat8), assignment: kinds(types.KindInt2, types.KindInt4, types.KindInt8), explicit: kinds(types.KindInt256)},
	types.KindInt256:  {implicit: kinds(types.KindFloat8), assignment: kinds(types.KindInt2, types.KindInt4, types.KindInt8, types.KindNumeric)},
	types.KindText: {
		implicit:   kinds(types.KindVarchar, types.KindBpchar, types.KindName, types.KindRegclass),
		assignment: kinds(types.KindChar),
	},
	types.KindVarchar: {
		implicit:   kinds(types.KindText, types.KindBpchar, types.KindName, types.KindRegclass),
		assignment: kinds(types.KindChar),
	},
	types.KindBpchar: {implicit: kinds(types.KindText, types.KindVarchar, types.KindName), assignment: kinds(types.KindChar)},
	types.KindName:   {implicit: kinds(types.KindText), assignment: kinds(types.KindVarchar, types.KindBpchar)},
	types.KindChar:   {implicit: kinds(types.KindText), assignment: kinds(types.KindVarchar, types.KindBpchar), explicit: kinds(types.KindInt4)},
	types.KindDate:   {implicit: kinds(types.KindTimestamp, types.KindTimestamptz)},
	types.KindTime:   {implicit: kinds(types.KindInterval)},
	types.KindTimestamp: {
		implicit: kinds(types.KindTimestamptz), assignment: kinds(types.KindDate, types.KindTime),
	},
	types.KindTimestamptz: {assignment: kinds(types.KindDate, types.KindTime, types.KindTimestamp)},
	types.KindInterval:    {assignment: kinds(types.KindTime)},
	types.KindJSONB: {explicit: kinds(types.KindBool, types.KindInt2, types.KindInt4, types.KindInt8, types.KindFloat4,
		types.KindFloat8, types.KindNumeric)},
	types.KindOid:          {implicit: regKinds, assignment: kinds(types.KindInt4, types.KindInt8)},
	types.KindRegclass:     {implicit: kinds(types.KindOid), assignment: kinds(types.KindInt4, types.KindInt8)},
	types.KindRegtype:      {implicit: kinds(types.KindOid), assignment: kinds(types.KindInt4, types.KindInt8)},
	types.KindRegproc:      {implicit: kinds(types.KindOid), assignment: kinds(types.KindInt4, types.KindInt8)},
	types.KindRegnamespace: {implicit: kinds(types.KindOid), assignment: kinds(types.KindInt4, types.KindInt8)},
}

// castContext is how freely values of from become values of to.
func castContext(from, to types.T) CastContext {
	switch {
	case from.SameKind(to), from.Kind == types.KindUnknown:
		return CastImplicit
	case to.Kind == types.KindUnknown || polymorphic(from) || polymorphic(to):
		return CastNever
	case from.Kind == types.KindArray && to.Kind == types.KindArray:
		return castContext(*from.Elem, *to.Elem)
	case from.Kind == types.KindStruct && to.Kind == types.KindStruct:
		return structContext(from, to)
	case from.Kind == types.KindMap && to.Kind == types.KindMap:
		return structContext(*from.Elem, *to.Elem)
	}
	rule := castRules[from.Kind]
	for _, r := range [...]struct {
		kinds   []types.Kind
		context CastContext
	}{{rule.implicit, CastImplicit}, {rule.assignment, CastAssignment}, {rule.explicit, CastExplicit}} {
		for _, k := range r.kinds {
			if k == to.Kind {
				return r.context
			}
		}
	}
	switch { // by way of text: into a string on assignment, out of one where it is written
	case categoryOf(to) == catString:
		return CastAssignment
	case categoryOf(from) == catString:
		return CastExplicit
	}
	return CastNever
}

// structContext is the least of the fields' contexts.
func structContext(from, to types.T) CastContext {
	if len(from.Fields) != len(to.Fields) {
		return CastNever
	}
	least := CastImplicit
	for i, f := range from.Fields {
		least = min(least, castContext(f.Type, to.Fields[i].Type))
	}
	return least
}

func implicit(from, to types.T) bool { return castContext(from, to) == CastImplicit }
