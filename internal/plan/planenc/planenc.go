// Package planenc is the stored form of plans: JSON with a version, functions by name and argument types. Recovery reads
// it and never plans again, so what it cannot name exactly it refuses.
package planenc

import (
	"encoding/json"
	"fmt"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Version is the format of stored plans.
const Version = 1

// Resolver finds what a stored plan names.
type Resolver struct {
	Catalog *catalog.Snapshot
	Funcs   *expr.Registry
	Aggs    *agg.Registry
}

// node is the stored form of a plan node: Op names the kind, the other fields are those the kind has.
type node struct {
	Version int `json:",omitempty"` // of the root
	Op      string
	In      []*node `json:",omitempty"`

	Rel        id.Relation   `json:",omitempty"`
	Cols       []int         `json:",omitempty"`
	Fields     []types.Field `json:",omitempty"`
	Rows       [][]*scalar   `json:",omitempty"`
	Exprs      []*scalar     `json:",omitempty"`
	Bounds     []*scalar     `json:",omitempty"`
	Names      []string      `json:",omitempty"`
	Cond       *scalar       `json:",omitempty"`
	Kind       int           `json:",omitempty"`
	LeftKeys   []int         `json:",omitempty"`
	RightKeys  []int         `json:",omitempty"`
	NullSafe   []bool        `json:",omitempty"`
	Calls      []call        `json:",omitempty"`
	Sets       []setCall     `json:",omitempty"`
	Windows    []windowCall  `json:",omitempty"`
	All        bool          `json:",omitempty"`
	Intersect  bool          `json:",omitempty"`
	Ordinality bool          `json:",omitempty"`
	Outer      bool          `json:",omitempty"`
	Partition  []int         `json:",omitempty"`
	Order      []plan.Order  `json:",omitempty"`
	Limit      int64         `json:",omitempty"`
	Offset     int64         `json:",omitempty"`
	Ties       bool          `json:",omitempty"`
	Fragment   int           `json:",omitempty"`
	Keys       []int         `json:",omitempty"`
	HasKeys    bool          `json:",omitempty"`
}

// call is a stored aggregate: the overload and its columns.
type call struct {
	Fn       string
	Cols     []int
	Direct   []datum   `json:",omitempty"`
	DirectTs []types.T `json:",omitempty"`
	Distinct bool      `json:",omitempty"`
	Filter   int
	OrderBy  []agg.Order `json:",omitempty"`
	T        types.T
}

type setCall struct {
	Fn     string
	Args   []*scalar
	Fields []types.Field
}

type windowCall struct {
	Name  string
	Agg   *call `json:",omitempty"`
	Args  []int
	Frame frame
	T     types.T
	Field string

	IgnoreNulls bool `json:",omitempty"`
}

// frame is plan.Frame with stored offsets.
type frame struct {
	Mode       plan.FrameMode
	Start, End bound
	Exclude    plan.Exclusion
}

type bound struct {
	Kind   plan.BoundKind
	Offset datum
	T      types.T
}

// scalar is the stored form of an expression.
type scalar struct {
	Op    string
	Index int    `json:",omitempty"`
	Name  string `json:",omitempty"` // of a column, or the function's signature
	Value *datum `json:",omitempty"`
	T     types.T
	Args  []*scalar `json:",omitempty"`
	Or    bool      `json:",omitempty"`
	All   bool      `json:",omitempty"`
	Body  *scalar   `json:",omitempty"` // of a lambda
}

// datum is a value by physical class.
type datum struct {
	Null bool   `json:",omitempty"`
	I    int64  `json:",omitempty"`
	F    string `json:",omitempty"` // hexadecimal, so that every float comes back
	S    []byte `json:",omitempty"`
	B    bool   `json:",omitempty"`
}

// Encode stores a plan.
func Encode(n plan.Node) (json.RawMessage, error) {
	out, err := encodeNode(n)
	if err != nil {
		return nil, err
	}
	out.Version = Version
	return json.Marshal(out)
}

// Decode reads a stored plan. Its errors say what is missing; the caller knows the job.
func Decode(b json.RawMessage, r Resolver) (plan.Node, error) {
	var n node
	if err := json.Unmarshal(b, &n); err != nil {
		return nil, err
	}
	if n.Version != Version {
		return nil, fmt.Errorf("plan format %d is not known", n.Version)
	}
	return r.node(&n)
}
