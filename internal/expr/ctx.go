package expr

import "time"

// zone is the session's time zone.
func (ctx *Ctx) zone() *time.Location {
	if ctx.Loc == nil {
		return time.UTC
	}
	return ctx.Loc
}
