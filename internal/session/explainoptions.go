package session

import (
	"encoding/json"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// explainOptionsOf reads the options in parentheses.
func explainOptionsOf(opts []ast.Option) (o explainOptions, err error) {
	o.timing = true
	summary := ast.Option{}
	for _, opt := range opts {
		on := true
		switch key := strings.ToLower(opt.Key); key {
		case "format":
			if o.json, err = explainFormat(opt); err != nil {
				return o, err
			}
			continue
		case "json": // RisingWave's other spelling
			o.json = true
			continue
		default:
			var ok bool
			if on, ok = optionSwitch(opt); !ok {
				return o, errs.ExplainOption.New("problem", opt.Key+" requires a Boolean value").At(int(opt.Pos))
			}
			switch key {
			case "analyze", "analyse":
				o.analyze = on
			case "timing":
				o.timing = on
			case "summary":
				summary = opt
				o.summary = on
			case "logical":
				o.logical = on
			case "trace":
				o.trace = on
			case "verbose", "costs", "buffers", "wal", "settings", "physical", "distsql":
			default:
				return o, errs.ExplainOption.New("problem", "unrecognized EXPLAIN option \""+opt.Key+"\"").At(int(opt.Pos))
			}
		}
	}
	if summary.Key == "" {
		o.summary = o.analyze
	}
	return o, nil
}

// explainFormat reads FORMAT: text, or json.
func explainFormat(opt ast.Option) (asJSON bool, err error) {
	switch word := strings.ToLower(opt.Value.Text); word {
	case "text":
		return false, nil
	case "json":
		return true, nil
	case "xml", "yaml", "dot":
		return false, errs.Unsupported.New("feature", "EXPLAIN in the format "+word).At(int(opt.Pos))
	default:
		return false, errs.ExplainValue.New("option", "format", "value", word).At(int(opt.Pos))
	}
}

// jsonNode is an operator as EXPLAIN (FORMAT json) prints it, in PostgreSQL's words where it has them.
type jsonNode struct {
	Type   string      `json:"Node Type"`
	Detail string      `json:"Detail,omitempty"`
	Rows   *int64      `json:"Actual Rows,omitempty"`
	Time   json.Number `json:"Actual Total Time,omitempty"`
	Plans  []jsonNode  `json:"Plans,omitempty"`
}

func planJSON(x explained, o explainOptions, m *query.Measure, summary []string) string {
	root := nodeJSON(x.root, o, m)
	if x.head != "" {
		kind, detail, _ := strings.Cut(x.head, " ")
		root = jsonNode{Type: kind, Detail: detail, Plans: []jsonNode{root}}
	}
	doc := map[string]any{"Plan": root}
	for _, line := range summary {
		key, value, _ := strings.Cut(line, ": ")
		doc[key] = json.Number(strings.TrimSuffix(value, " ms"))
	}
	b, err := json.MarshalIndent([]any{doc}, "", "  ")
	if err != nil {
		return "" // strings and numbers always have a form
	}
	return string(b)
}

func nodeJSON(n plan.Node, o explainOptions, m *query.Measure) jsonNode {
	kind, detail, _ := strings.Cut(plan.Line(n), " ")
	out := jsonNode{Type: kind, Detail: detail}
	if t, ok := taken(m, n); ok {
		out.Rows = &t.Rows
		if o.timing {
			out.Time = json.Number(millis(t.Time))
		}
	}
	for _, in := range n.Inputs() {
		out.Plans = append(out.Plans, nodeJSON(in, o, m))
	}
	return out
}
