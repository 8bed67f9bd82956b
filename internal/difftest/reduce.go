package difftest

import (
	"reflect"
	"slices"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// Smaller makes statements out of one by dropping or hoisting a part of its syntax tree, the largest parts first. Many
// make no sense, which PostgreSQL says.
func Smaller(sql string) []string {
	var out []string
	for n := 0; ; n++ {
		stmts, err := parser.ParseAll(sql, parser.Options{})
		if err != nil || len(stmts) != 1 {
			return nil
		}
		e := edit{at: n}
		e.walk(reflect.ValueOf(&stmts[0].Stmt).Elem())
		if e.at >= 0 { // there are fewer places
			break
		}
		if text := format(stmts[0].Stmt); e.done && readable(text) {
			out = append(out, text)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(a) - len(b) })
	return slices.Compact(slices.DeleteFunc(out, func(s string) bool { return len(s) >= len(sql) }))
}

// format prints a tree, "" if it lacks what no tree may lack.
func format(st ast.Stmt) (text string) {
	defer func() { _ = recover() }()
	return ast.Format(st)
}

// readable tells whether a text is one statement.
func readable(sql string) bool {
	stmts, err := parser.ParseAll(sql, parser.Options{})
	return err == nil && len(stmts) == 1
}

// edit carries out the n-th of the possible edits of a tree.
type edit struct {
	at   int // edits to pass over; negative once it is found
	done bool
}

// here tells whether this is the edit to carry out.
func (e *edit) here() bool {
	e.at--
	return e.at == -1
}

func (e *edit) walk(v reflect.Value) {
	if e.at < 0 {
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		e.optional(v)
	case reflect.Slice:
		e.list(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				e.walk(v.Field(i))
			}
		}
	}
}

// optional drops what a field holds, or puts one of its own parts in its place.
func (e *edit) optional(v reflect.Value) {
	if v.IsNil() {
		return
	}
	if !v.CanSet() { // what an interface holds; the interface itself had its turn
		e.walk(v.Elem())
		return
	}
	if e.here() {
		v.SetZero()
		e.done = true
		return
	}
	if v.Kind() == reflect.Interface {
		for _, part := range e.parts(v) {
			if e.at >= 0 && e.here() {
				v.Set(part)
				e.done = true
				return
			}
		}
	}
	e.walk(v.Elem())
}

// parts are the values below v that could stand in its place.
func (e *edit) parts(v reflect.Value) (out []reflect.Value) {
	var collect func(reflect.Value, int)
	collect = func(w reflect.Value, depth int) {
		switch {
		case depth > 3:
		case (w.Kind() == reflect.Interface || w.Kind() == reflect.Pointer) && !w.IsNil():
			if w.Type().AssignableTo(v.Type()) && w.CanInterface() {
				out = append(out, w)
			} else {
				collect(w.Elem(), depth+1)
			}
		case w.Kind() == reflect.Struct:
			for i := range w.NumField() {
				if w.Field(i).CanInterface() {
					collect(w.Field(i), depth+1)
				}
			}
		case w.Kind() == reflect.Slice:
			for i := range w.Len() {
				collect(w.Index(i), depth)
			}
		}
	}
	if node := v.Elem(); node.Kind() == reflect.Pointer && !node.IsNil() {
		collect(node.Elem(), 0)
	}
	return out
}

// list drops elements, then looks into those that stay. An order stays total, or the answer were a matter of chance.
func (e *edit) list(v reflect.Value) {
	if v.Type().Elem() == reflect.TypeFor[ast.OrderItem]() {
		return
	}
	if n := v.Len(); n > 4 && e.here() { // the second half, so that long lists go fast
		v.Set(v.Slice(0, n/2))
		e.done = true
		return
	}
	for i := range v.Len() {
		if e.at >= 0 && e.here() {
			rest := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v.Slice(0, i))
			v.Set(reflect.AppendSlice(rest, v.Slice(i+1, v.Len())))
			e.done = true
			return
		}
	}
	for i := range v.Len() {
		e.walk(v.Index(i))
	}
}
