package sim

import (
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
)

// disk is the store of one life of the engine. A crash can fall before or after any of its writes: what would be found
// afterwards is kept in image, and what the doomed engine still does to the end of its step goes nowhere.
type disk struct {
	*memkv.Store
	trace func(what, format string, args ...any)
	fuse  int          // writes until the crash; 0: none is planned
	image *memkv.Store // set by the crash
}

func newDisk() *memkv.Store { return memkv.Open() }

// crash takes the image, once.
func (d *disk) crash() {
	if d.image == nil {
		d.image = d.Store.Crash()
	}
}

// burn lets the fuse burn down by one write, of which there are two ends.
func (d *disk) burn(what string) {
	if d.fuse == 0 {
		return
	}
	if d.fuse--; d.fuse == 0 {
		d.trace("crash", "at %s", what)
		d.crash()
	}
}

// write does one write between two points at which a crash may fall.
func (d *disk) write(what string, fn func() error) error {
	d.burn("before " + what)
	err := fn()
	d.burn("after " + what)
	return err
}

// Stage implements kv.Store.
func (d *disk) Stage(j id.Job, e epoch.Epoch, r *kv.Run) {
	_ = d.write("stage", func() error { d.Store.Stage(j, e, r); return nil })
}

// Publish implements kv.Store.
func (d *disk) Publish(e epoch.Epoch, jobs []id.Job) {
	_ = d.write("publish", func() error { d.Store.Publish(e, jobs); return nil })
}

// Discard implements kv.Store.
func (d *disk) Discard(j id.Job) {
	_ = d.write("discard", func() error { d.Store.Discard(j); return nil })
}

// Apply implements kv.Store.
func (d *disk) Apply(writes []kv.Write) error {
	return d.write("apply", func() error { return d.Store.Apply(writes) })
}

// Commit implements kv.Store.
func (d *disk) Commit(c kv.Commit) (stats kv.CommitStats, err error) {
	d.trace("commit", "%d", c.Epoch)
	for _, w := range c.Meta {
		d.trace("write", "%q %q", w.Key, w.New)
	}
	err = d.write("commit", func() error { stats, err = d.Store.Commit(c); return err })
	return stats, err
}

// DropTables implements kv.Store: a crash may fall between two tables.
func (d *disk) DropTables(tables []id.Table) error {
	for _, t := range tables {
		if err := d.write("drop", func() error { return d.Store.DropTables([]id.Table{t}) }); err != nil {
			return err
		}
	}
	return nil
}
