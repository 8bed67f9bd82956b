package ast

// The precedences of the parser, for placing parentheses.
const (
	bindLoose = iota
	bindOr
	bindAnd
	bindNot
	bindIs
	bindCompare
	bindMatch
	bindOther
	bindAdd
	bindMul
	bindPower
	bindAt
	bindCollate
	bindSign
	bindCast
	bindAtom
)

// binding returns how tight the outermost operator of e binds.
func binding(e Expr) int {
	switch e := e.(type) {
	case *Lambda:
		return bindLoose
	case *Logic:
		if e.Op == Or {
			return bindOr
		}
		return bindAnd
	case *Not:
		return bindNot
	case *Test, *Distinct:
		return bindIs
	case *Match, *Between, *In:
		return bindMatch
	case *Quantified:
		return operatorBinding(e.Op)
	case *Binary:
		return operatorBinding(e.Op)
	case *Unary:
		if e.Op.Schema == "" && (e.Op.Name == "-" || e.Op.Name == "+") {
			return bindSign
		}
		return bindOther
	case *AtTimeZone:
		return bindAt
	case *Collate:
		return bindCollate
	case *Cast:
		if e.Style == CastColons {
			return bindCast
		}
	case *FuncCall:
		if e.Syntax == CallKeyword && e.Name.Last() == "overlaps" {
			return bindOther
		}
	}
	return bindAtom
}

func operatorBinding(op Operator) int {
	if op.Schema != "" {
		return bindOther
	}
	switch op.Name {
	case "=", "<", ">", "<=", ">=", "<>":
		return bindCompare
	case "+", "-":
		return bindAdd
	case "*", "/", "%":
		return bindMul
	case "^":
		return bindPower
	}
	return bindOther
}
