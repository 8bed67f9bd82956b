package catalog

import "slices"

// Public is the grantee that stands for everybody.
const Public = "public"

// Grant is a right that a user was given on an object.
type Grant struct {
	To, By    string
	Privilege string // SELECT, INSERT, ...
	Option    bool   // the user may give it to others
}

// DefaultGrant is a right on objects that will be made: of a kind, by a user, in a schema or in any.
type DefaultGrant struct {
	Owner  string
	Schema string // empty: any
	Kind   string // TABLE, VIEW, MATERIALIZED VIEW, ...
	Grant
}

// Grants are the rights on one object.
type Grants []Grant

// With returns the grants with one more, which takes the place of the same right from the same user.
func (g Grants) With(n Grant) Grants {
	for i, old := range g {
		if old.To == n.To && old.By == n.By && old.Privilege == n.Privilege {
			out := slices.Clone(g)
			out[i].Option = old.Option || n.Option
			return out
		}
	}
	return append(slices.Clone(g), n)
}

// Without returns the grants without a right of a user, or with optionOnly without the option to pass it on. By "" means
// whoever gave it.
func (g Grants) Without(n Grant, optionOnly bool) Grants {
	var out Grants
	for _, old := range g {
		if old.To == n.To && old.Privilege == n.Privilege && (n.By == "" || old.By == n.By) {
			if !optionOnly {
				continue
			}
			old.Option = false
		}
		out = append(out, old)
	}
	return out
}

// Have reports whether a user was given a right, or everybody was.
func (g Grants) Have(user, privilege string, option bool) bool {
	return slices.ContainsFunc(g, func(x Grant) bool {
		return (x.To == user || x.To == Public) && x.Privilege == privilege && (x.Option || !option)
	})
}

// Of reports whether a user is named in any grant.
func (g Grants) Of(user string) bool {
	return slices.ContainsFunc(g, func(x Grant) bool { return x.To == user || x.By == user })
}

// May reports whether a user has a right on an object: as a superuser, as its owner, or by a grant.
func (s *Snapshot) May(user, owner string, g Grants, privilege string, option bool) bool {
	u, ok := s.User(user)
	return ok && u.Super || user == owner || g.Have(user, privilege, option)
}

// Owns reports whether a user may change or drop an object.
func (s *Snapshot) Owns(user, owner string) bool {
	u, ok := s.User(user)
	return ok && u.Super || user == owner
}

// DefaultsFor are the rights that a new object gets.
func (s *Snapshot) DefaultsFor(owner, schema, kind string) Grants {
	var out Grants
	for _, d := range s.defaults {
		if d.Owner == owner && d.Kind == kind && (d.Schema == "" || d.Schema == schema) {
			out = out.With(d.Grant)
		}
	}
	return out
}

// Defaults returns all default grants; SetDefaults replaces them in a snapshot that is being edited.
func (s *Snapshot) Defaults() []DefaultGrant     { return s.defaults }
func (s *Snapshot) SetDefaults(d []DefaultGrant) { s.defaults = d }
