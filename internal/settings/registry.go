package settings

import (
	"sort"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Registry is the list of settings that exist. It never changes after NewRegistry.
type Registry struct {
	defs   []*Def
	byName map[string]*Def
}

// NewRegistry makes the registry. Two engines in a process have one each.
func NewRegistry() *Registry {
	r := &Registry{byName: map[string]*Def{}}
	for _, group := range [][]Def{serverDefs(), sessionDefs(), clientDefs(), postgresDefs(), foreignDefs()} {
		for _, d := range group {
			r.defs = append(r.defs, &d)
			r.byName[strings.ToLower(d.Name)] = &d
		}
	}
	sort.Slice(r.defs, func(i, j int) bool { return strings.ToLower(r.defs[i].Name) < strings.ToLower(r.defs[j].Name) })
	return r
}

// aliases are other spellings; PostgreSQL's own are among them.
var aliases = map[string]string{"time zone": "timezone", "transaction isolation level": "transaction_isolation", "session authorization": "session_authorization", "names": "client_encoding"}

// All returns every setting in the order of names. The caller must not change them.
func (r *Registry) All() []*Def { return r.defs }

// Lookup finds a setting by its name in any case.
func (r *Registry) Lookup(name string) (*Def, bool) {
	name = strings.ToLower(name)
	if a, ok := aliases[name]; ok {
		name = a
	}
	for _, n := range []string{name, strings.TrimPrefix(name, risingwavePrefix), risingwavePrefix + name} {
		if d, ok := r.byName[n]; ok {
			return d, true
		}
	}
	return nil, false
}

// risingwavePrefix may be left out of a name or put before it.
const risingwavePrefix = "rw_"

// foreignPrefixes begin names that RisingWave uses or may come to use; scripts written for it must run.
var foreignPrefixes = []string{"rw_", "streaming_", "batch_", "backfill_", "source_", "sink_"}

// find is Lookup, which also makes a definition for a name that is accepted without being known: RisingWave's families,
// and PostgreSQL's custom settings with a dot, in which programs keep values of their own.
func (r *Registry) find(name string) (*Def, error) {
	if d, ok := r.Lookup(name); ok {
		return d, nil
	}
	lower := strings.ToLower(name)
	if i := strings.IndexByte(lower, '.'); i > 0 && i < len(lower)-1 {
		return &Def{Name: lower, Kind: String, Category: "Customized Options"}, nil
	}
	for _, p := range foreignPrefixes {
		if strings.HasPrefix(lower, p) {
			return &Def{Name: lower, Kind: String, Foreign: true, Category: categoryForeign}, nil
		}
	}
	return nil, errs.UnknownSetting.New("name", name)
}
