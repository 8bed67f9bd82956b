package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// mayManageUsers refuses users without the right to make others.
func (s *Session) mayManageUsers(c *catalog.Snapshot, what string) error {
	if u, ok := c.User(s.startup.User); ok && (u.Super || u.CreateUser) {
		return nil
	}
	return errs.PermissionDenied.New("what", what)
}

// createUser runs CREATE USER and CREATE ROLE.
func (s *Session) createUser(ctx context.Context, st *ast.CreateUser) (Result, error) {
	return done("CREATE ROLE"), s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		if err := s.mayManageUsers(c, "to create role"); err != nil {
			return nil, err
		}
		if strings.HasPrefix(st.Name, "pg_") {
			return nil, errs.ReservedName.New("what", "role name \""+st.Name+"\" is reserved", "why", "Role names starting with \"pg_\" are reserved.")
		}
		if _, ok := c.User(st.Name); ok || st.Name == catalog.Public {
			if ok && st.IfNotExists {
				return nil, nil
			}
			return nil, errs.DuplicateUser.New("name", st.Name)
		}
		u := catalog.User{Name: st.Name, NoLogin: st.Role}
		if err := s.userOptions(c, &u, st.Options); err != nil {
			return nil, err
		}
		c.PutUser(u)
		return []kv.Write{meta.PutUser(u)}, nil
	})
}

// userOptions applies the options of CREATE USER and ALTER USER. Only a superuser makes superusers.
func (s *Session) userOptions(c *catalog.Snapshot, u *catalog.User, options []ast.UserOption) (err error) {
	was := u.Super
	for _, o := range options {
		switch o.Key {
		case "SUPERUSER", "NOSUPERUSER":
			u.Super = o.Key == "SUPERUSER"
		case "CREATEDB", "NOCREATEDB":
			u.CreateDB = o.Key == "CREATEDB"
		case "CREATEUSER", "NOCREATEUSER", "CREATEROLE", "NOCREATEROLE":
			u.CreateUser = !strings.HasPrefix(o.Key, "NO")
		case "LOGIN", "NOLOGIN":
			u.NoLogin = o.Key == "NOLOGIN"
		case "PASSWORD", "ENCRYPTED PASSWORD":
			u.Verifier = ""
			if o.Value.Text != "" && (o.Value.Kind != ast.OptWord || o.Value.Text != "null") {
				if u.Verifier, err = s.d.verifier(o.Value.Text); err != nil {
					return err
				}
			}
		}
	}
	if me, ok := c.User(s.startup.User); u.Super && !was && !(ok && me.Super) {
		return errs.PermissionDenied.New("what", "to make a superuser")
	}
	return nil
}

// alterUser runs ALTER USER and ALTER ROLE. A user may change their own password.
func (s *Session) alterUser(ctx context.Context, st *ast.Alter) error {
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		u, ok := c.User(st.Name.Last())
		if !ok {
			return nil, errs.UndefinedUser.New("name", st.Name.Last())
		}
		var writes []kv.Write
		for _, a := range st.Actions {
			switch a := a.(type) {
			case *ast.ChangeUser:
				if !onlyPassword(a.Options) || u.Name != s.startup.User {
					if err := s.mayManageUsers(c, "to alter role"); err != nil {
						return nil, err
					}
				}
				if err := s.userOptions(c, &u, a.Options); err != nil {
					return nil, err
				}
			case *ast.RenameTo:
				if err := s.mayManageUsers(c, "to rename role"); err != nil {
					return nil, err
				}
				more, err := renameUser(c, &u, a.Name)
				if err != nil {
					return nil, err
				}
				writes = append(writes, more...)
			default:
				return nil, errs.Unsupported.New("feature", "this form of ALTER USER").At(int(a.Position()))
			}
		}
		c.PutUser(u)
		return append(writes, meta.PutUser(u)), nil
	})
}

func onlyPassword(options []ast.UserOption) bool {
	for _, o := range options {
		if !strings.HasSuffix(o.Key, "PASSWORD") {
			return false
		}
	}
	return true
}

// renameUser gives a user another name, in all that the user owns and was given.
func renameUser(c *catalog.Snapshot, u *catalog.User, name string) ([]kv.Write, error) {
	if _, ok := c.User(name); ok {
		return nil, errs.DuplicateUser.New("name", name)
	}
	if u.Name == catalog.Root {
		return nil, errs.PermissionDenied.New("what", "to rename role "+catalog.Root)
	}
	old := u.Name
	owned := func(owner *string, g catalog.Grants) catalog.Grants {
		if *owner == old {
			*owner = name
		}
		return regranted(g, old, name)
	}
	writes := []kv.Write{meta.DropUser(old)}
	c.DropUser(old)
	for _, r := range c.Relations() {
		if r.Owner == old || r.Grants.Of(old) {
			next := *r
			next.Grants = owned(&next.Owner, r.Grants)
			c.Put(&next)
			writes = append(writes, meta.PutRelation(&next))
		}
	}
	for _, sc := range c.Schemas() {
		if sc.Owner == old || sc.Grants.Of(old) {
			sc.Grants = owned(&sc.Owner, sc.Grants)
			c.PutSchema(sc)
			writes = append(writes, meta.PutSchema(sc))
		}
	}
	for _, d := range c.Databases() {
		if d.Owner == old || d.Grants.Of(old) {
			d.Grants = owned(&d.Owner, d.Grants)
			c.PutDatabase(d)
			writes = append(writes, meta.PutDatabase(d))
		}
	}
	defaults := slices.Clone(c.Defaults())
	for i := range defaults {
		d := &defaults[i]
		d.Grant = owned(&d.Owner, catalog.Grants{d.Grant})[0]
	}
	c.SetDefaults(defaults)
	u.Name = name
	return append(writes, meta.PutDefaults(defaults)), nil
}

func regranted(g catalog.Grants, old, name string) catalog.Grants {
	out := make(catalog.Grants, len(g))
	for i, x := range g {
		if x.To == old {
			x.To = name
		}
		if x.By == old {
			x.By = name
		}
		out[i] = x
	}
	return out
}

// dropUsers runs DROP USER. A user who owns something or has rights on it stays.
func (s *Session) dropUsers(ctx context.Context, st *ast.Drop) error {
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		if err := s.mayManageUsers(c, "to drop role"); err != nil {
			return nil, err
		}
		var writes []kv.Write
		for _, n := range st.Names {
			name := n.Last()
			if _, ok := c.User(name); !ok {
				if st.IfExists {
					s.notice("NOTICE", "role \"%s\" does not exist, skipping", name)
					continue
				}
				return nil, errs.UndefinedUser.New("name", name)
			}
			if name == catalog.Root || name == s.startup.User {
				return nil, errs.PermissionDenied.New("what", "to drop role "+name)
			}
			if what := belongings(c, name); len(what) > 0 {
				return nil, errs.UserInUse.New("name", name, "detail", strings.Join(what, "\n"))
			}
			c.DropUser(name)
			writes = append(writes, meta.DropUser(name))
		}
		defaults := withoutUsers(c)
		c.SetDefaults(defaults)
		return append(writes, meta.PutDefaults(defaults)), nil
	})
}

// withoutUsers is the default grants of users that there are.
func withoutUsers(c *catalog.Snapshot) []catalog.DefaultGrant {
	var out []catalog.DefaultGrant
	for _, d := range c.Defaults() {
		_, owner := c.User(d.Owner)
		if _, to := c.User(d.To); owner && (to || d.To == catalog.Public) {
			out = append(out, d)
		}
	}
	return out
}

// belongings lists what a user owns or has rights on, as PostgreSQL words it.
func belongings(c *catalog.Snapshot, user string) []string {
	var out []string
	add := func(what, owner string, g catalog.Grants) {
		switch {
		case owner == user:
			out = append(out, "owner of "+what)
		case g.Of(user):
			out = append(out, "privileges for "+what)
		}
	}
	for _, d := range c.Databases() {
		add("database "+d.Name, d.Owner, d.Grants)
	}
	for _, sc := range c.Schemas() {
		add("schema "+sc.Name, sc.Owner, sc.Grants)
	}
	for _, r := range c.Relations() {
		add(fmt.Sprintf("%s %s", kindName(r.Kind), r.Name), r.Owner, r.Grants)
	}
	return out
}
