package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// frame binds a window frame; without one it is from the first row to the last peer of the current one.
func (b *Binder) frame(d *ast.WindowDef, order []aggOrder) (plan.Frame, error) {
	f := d.Frame
	out := plan.Frame{Start: plan.Bound{Kind: plan.UnboundedPreceding}, End: plan.Bound{Kind: plan.CurrentRow}}
	if f == nil {
		return out, nil
	}
	switch f.Unit {
	case ast.FrameRows:
		out.Mode = plan.FrameRows
	case ast.FrameGroups:
		if out.Mode = plan.FrameGroups; len(order) == 0 {
			return out, errs.FrameInvalid.New("what", "GROUPS mode requires an ORDER BY clause").At(int(f.Pos))
		}
	case ast.FrameSession:
		return b.session(f, order)
	}
	out.Exclude = map[string]plan.Exclusion{"CURRENT ROW": plan.ExcludeCurrentRow, "GROUP": plan.ExcludeGroup, "TIES": plan.ExcludeTies}[f.Exclude]
	var err error
	if out.Start, err = b.bound(f.Start, out.Mode, order, "starting"); err != nil {
		return out, err
	}
	if f.End != nil {
		if out.End, err = b.bound(*f.End, out.Mode, order, "ending"); err != nil {
			return out, err
		}
	}
	return out, checkFrame(out, f)
}

// session binds SESSION WITH GAP.
func (b *Binder) session(f *ast.Frame, order []aggOrder) (plan.Frame, error) {
	out := plan.Frame{Mode: plan.FrameSession, End: plan.Bound{Kind: plan.Following}}
	if len(order) != 1 {
		return out, errs.FrameInvalid.New("what", "SESSION mode requires exactly one ORDER BY column").At(int(f.Pos))
	}
	gap := ast.FrameBound{Pos: f.Pos, Kind: ast.Following, Offset: f.Gap}
	var err error
	out.Start, err = b.bound(gap, plan.FrameRange, order, "session")
	return out, err
}

// checkFrame refuses frames whose ends cannot be in order.
func checkFrame(out plan.Frame, f *ast.Frame) error {
	word := ""
	switch s, e := out.Start.Kind, out.End.Kind; {
	case s == plan.UnboundedFollowing:
		word = "frame start cannot be UNBOUNDED FOLLOWING"
	case e == plan.UnboundedPreceding:
		word = "frame end cannot be UNBOUNDED PRECEDING"
	case s == plan.CurrentRow && e == plan.Preceding:
		word = "frame starting from current row cannot have preceding rows"
	case s == plan.Following && (e == plan.Preceding || e == plan.CurrentRow):
		word = "frame starting from following row cannot have preceding rows"
	default:
		return nil
	}
	return errs.FrameInvalid.New("what", word).At(int(f.Pos))
}

var boundKinds = map[ast.BoundKind]plan.BoundKind{ast.UnboundedPreceding: plan.UnboundedPreceding, ast.Preceding: plan.Preceding,
	ast.CurrentRow: plan.CurrentRow, ast.Following: plan.Following, ast.UnboundedFollowing: plan.UnboundedFollowing}

// bound binds one end. The offset is a constant: a number of rows or groups, or a distance in the order column.
func (b *Binder) bound(f ast.FrameBound, mode plan.FrameMode, order []aggOrder, which string) (plan.Bound, error) {
	out := plan.Bound{Kind: boundKinds[f.Kind], T: types.Int8}
	if f.Offset == nil {
		return out, nil
	}
	if mode == plan.FrameRange {
		if len(order) != 1 {
			return out, errs.FrameInvalid.New("what", "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column").At(int(f.Pos))
		}
		var ok bool
		if out.T, ok = distance(order[0].e.Type()); !ok {
			return out, errs.RangeDistance.New("type", types.SQLName(order[0].e.Type())).At(int(f.Pos))
		}
	}
	x, err := b.expr(f.Offset, &scope{})
	if err == nil {
		x, err = b.cast(x, out.T, expr.CastAssignment)
	}
	if err != nil {
		return out, at(err, f.Offset.Position())
	}
	if out.Offset, err = expr.EvalConst(b.Ctx, x); err != nil {
		return out, at(err, f.Offset.Position())
	}
	if out.Offset.IsNull() {
		return out, errs.FrameOffset.New("which", which, "fault", "null").At(int(f.Offset.Position()))
	}
	if zero, err := types.Parse(out.T, "0", types.Ctx{}); err == nil && types.Compare(out.T, out.Offset, zero) < 0 {
		return out, errs.FrameOffset.New("which", which, "fault", "negative").At(int(f.Offset.Position()))
	}
	return out, nil
}

// distance is the type of differences of a type.
func distance(t types.T) (types.T, bool) {
	switch t.Kind {
	case types.KindInt2, types.KindInt4, types.KindInt8:
		return types.Int8, true
	case types.KindFloat4, types.KindFloat8:
		return types.Float8, true
	case types.KindNumeric:
		return types.Numeric, true
	case types.KindDate, types.KindTime, types.KindTimestamp, types.KindTimestamptz, types.KindInterval:
		return types.Interval, true
	}
	return t, false
}
