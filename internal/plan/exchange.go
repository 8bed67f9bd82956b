package plan

import "github.com/tidemark-db/tidemark/internal/types"

// Exchange is where a fragment reads another one: its rows arrive hashed by Keys over the vnodes of the fragment that
// reads, all at one actor when Keys is nil. The fragmenter puts it in; the optimiser never sees one.
type Exchange struct {
	Fragment int // position of the fragment that is read
	Keys     []int
	Fields   []types.Field
}

func (e *Exchange) Schema() []types.Field  { return e.Fields }
func (e *Exchange) Inputs() []Node         { return nil }
func (e *Exchange) WithInputs([]Node) Node { return e }
