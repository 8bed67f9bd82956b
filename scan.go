package tidemark

import (
	"database/sql"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/types"
)

// scan reads a row into pointers.
func (s shape) scan(c *chunk.Chunk, row int, text types.Ctx, dest []any) error {
	if len(dest) != len(s) {
		return errs.ScanCount.New("want", len(s), "got", len(dest))
	}
	for i, col := range s {
		if err := scanValue(col, c.Cols[i].Datum(row), text, dest[i]); err != nil {
			return err
		}
	}
	return nil
}

// scanValue reads one value.
func scanValue(col session.Column, d types.Datum, text types.Ctx, dest any) error {
	v := goValue(col.Type, d, text)
	fault := func(why string) error {
		return errs.ScanTarget.New("column", col.Name, "sql", types.SQLName(col.Type), "go", fmt.Sprintf("%T", dest), "why", why)
	}
	if sc, ok := dest.(sql.Scanner); ok {
		if _, list := v.([]any); list {
			v = types.Format(col.Type, d, text)
		}
		if err := sc.Scan(v); err != nil {
			return fault(err.Error())
		}
		return nil
	}
	p := reflect.ValueOf(dest)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fault("the destination is no pointer")
	}
	if v != nil && wantsText(p.Elem(), v) {
		v = types.Format(col.Type, d, text)
	}
	if why := assign(p.Elem(), v); why != "" {
		return fault(why)
	}
	return nil
}

// wantsText reports whether the innermost destination is a string and the value is none.
func wantsText(to reflect.Value, v any) bool {
	t := to.Type()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, isText := v.(string)
	return t.Kind() == reflect.String && !isText
}

// assign stores a value; it returns why it can not.
func assign(to reflect.Value, v any) (why string) {
	if to.Kind() == reflect.Interface && to.NumMethod() == 0 {
		if v == nil {
			to.SetZero()
		} else {
			to.Set(reflect.ValueOf(v))
		}
		return ""
	}
	if to.Kind() == reflect.Pointer {
		if v == nil {
			to.SetZero()
			return ""
		}
		inner := reflect.New(to.Type().Elem())
		if why := assign(inner.Elem(), v); why != "" {
			return why
		}
		to.Set(inner)
		return ""
	}
	switch v := v.(type) {
	case nil:
		return "the value is NULL"
	case bool:
		if to.Kind() == reflect.Bool {
			to.SetBool(v)
			return ""
		}
	case int64:
		return assignInt(to, v)
	case float64:
		return assignFloat(to, v)
	case string:
		return assignText(to, v)
	case []byte:
		if to.Kind() == reflect.Slice && to.Type().Elem().Kind() == reflect.Uint8 {
			to.SetBytes(v)
			return ""
		}
	case time.Time:
		if at, ok := to.Addr().Interface().(*time.Time); ok {
			*at = v
			return ""
		}
	case []any:
		return assignList(to, v)
	}
	return "the types differ"
}

const outOfRange = "the value is out of range"

func assignInt(to reflect.Value, v int64) string {
	switch {
	case to.CanInt():
		if to.OverflowInt(v) {
			return outOfRange
		}
		to.SetInt(v)
	case to.CanUint():
		if v < 0 || to.OverflowUint(uint64(v)) {
			return outOfRange
		}
		to.SetUint(uint64(v))
	case to.CanFloat():
		to.SetFloat(float64(v))
	default:
		return "the types differ"
	}
	return ""
}

func assignFloat(to reflect.Value, v float64) string {
	if !to.CanFloat() {
		return "the types differ"
	}
	to.SetFloat(v)
	return ""
}

// assignText stores text, and what is only held as text, such as numeric, in numbers too.
func assignText(to reflect.Value, v string) string {
	switch {
	case to.Kind() == reflect.String:
		to.SetString(v)
	case to.Kind() == reflect.Slice && to.Type().Elem().Kind() == reflect.Uint8:
		to.SetBytes([]byte(v))
	case to.CanInt():
		n, err := strconv.ParseInt(v, 10, to.Type().Bits())
		if err != nil {
			return err.Error()
		}
		to.SetInt(n)
	case to.CanFloat():
		f, err := strconv.ParseFloat(v, to.Type().Bits())
		if err != nil {
			return err.Error()
		}
		to.SetFloat(f)
	default:
		return "the types differ"
	}
	return ""
}

func assignList(to reflect.Value, v []any) string {
	if to.Kind() != reflect.Slice {
		return "the types differ"
	}
	out := reflect.MakeSlice(to.Type(), len(v), len(v))
	for i, e := range v {
		if why := assign(out.Index(i), e); why != "" {
			return fmt.Sprintf("element %d: %s", i+1, why)
		}
	}
	to.Set(out)
	return ""
}
