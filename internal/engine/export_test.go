package engine

import (
	"context"
	"fmt"
)

// CheckShare verifies E17 between two steps of the driver: what has replayed twice, or attaches, is kept to its share no more.
func (e *Engine) CheckShare(ctx context.Context) error {
	return e.do(ctx, func(d *driver) error {
		for _, s := range d.sets {
			for _, j := range s.jobs {
				if in := d.insts[j]; in != nil && in.behindOthers.Load() && (s.Replays > 1 || s.attachAt != 0) {
					return fmt.Errorf("job %d is kept to its share in replay %d", j, s.Replays)
				}
			}
		}
		return nil
	})
}
