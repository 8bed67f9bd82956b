package tidemark

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// datums makes the values of $1, $2, ... of arguments.
func datums(ts []types.T, args []any, text types.Ctx) ([]types.Datum, error) {
	if len(ts) != len(args) {
		return nil, errs.ArgumentCount.New("want", len(ts), "got", len(args))
	}
	out := make([]types.Datum, len(args))
	for i, a := range args {
		var err error
		if out[i], err = datum(i+1, ts[i], a, text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// datum makes a value of parameter n. Bytes of bytea are taken as they are; everything else goes through the text form,
// so that an argument means what the same text means in SQL.
func datum(n int, t types.T, arg any, text types.Ctx) (types.Datum, error) {
	if v, ok := arg.(driver.Valuer); ok {
		var err error
		if arg, err = v.Value(); err != nil {
			return types.Null, err
		}
	}
	if b, ok := arg.([]byte); ok && b != nil && t.Kind == types.KindBytea {
		return types.NewBytes(string(b)), nil
	}
	s, ok := argumentText(arg, t)
	if !ok {
		return types.Null, errs.ArgumentType.New("n", n, "go", fmt.Sprintf("%T", arg), "sql", types.SQLName(t))
	}
	if s == nil {
		return types.Null, nil
	}
	if t.Kind == types.KindUnknown {
		t = types.Text
	}
	return types.Parse(t, *s, text)
}

// argumentText returns the text of an argument, nil for NULL.
func argumentText(arg any, t types.T) (*string, bool) {
	if at, ok := arg.(time.Time); ok {
		s := timeText(at, t)
		return &s, true
	}
	if d, ok := arg.(time.Duration); ok && t.Kind == types.KindInterval {
		s := strconv.FormatInt(d.Microseconds(), 10) + " microseconds"
		return &s, true
	}
	v := reflect.ValueOf(arg)
	var s string
	switch v.Kind() {
	case reflect.Invalid:
		return nil, true
	case reflect.Pointer:
		if v.IsNil() {
			return nil, true
		}
		return argumentText(v.Elem().Interface(), t)
	case reflect.String:
		s = v.String()
	case reflect.Bool:
		s = strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s = strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s = strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		s = strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case reflect.Slice, reflect.Array:
		return listText(v, t)
	default:
		if str, ok := arg.(fmt.Stringer); ok {
			s = str.String()
			return &s, true
		}
		return nil, false
	}
	return &s, true
}

// listText is the text of bytes or of an array.
func listText(v reflect.Value, t types.T) (*string, bool) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return nil, true
	}
	if v.Type().Elem().Kind() == reflect.Uint8 && t.Kind != types.KindArray {
		s := fmt.Sprintf("%s", v.Interface())
		return &s, true
	}
	elem := t
	if t.Kind == types.KindArray {
		elem = *t.Elem
	}
	parts := make([]string, v.Len())
	for i := range parts {
		p, ok := argumentText(v.Index(i).Interface(), elem)
		switch {
		case !ok:
			return nil, false
		case p == nil:
			parts[i] = "NULL"
		case v.Index(i).Kind() == reflect.Slice && elem.Kind == types.KindArray:
			parts[i] = *p
		default:
			parts[i] = quoteElement(*p)
		}
	}
	s := "{" + strings.Join(parts, ",") + "}"
	return &s, true
}

// quoteElement quotes an element of an array's text.
func quoteElement(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// timeText is a time as the type reads it. What has no zone takes the time that the argument's own zone shows.
func timeText(at time.Time, t types.T) string {
	switch t.Kind {
	case types.KindDate:
		return dateText(at)
	case types.KindTime:
		return at.Format("15:04:05.999999")
	case types.KindTimestamp:
		return clockText(at, " 15:04:05.999999")
	}
	return clockText(at.UTC(), " 15:04:05.999999Z07:00")
}

func dateText(at time.Time) string { return clockText(at, "") }

// clockText prints years before the first as SQL does: year 0 is 1 BC.
func clockText(at time.Time, layout string) string {
	year, era := at.Year(), ""
	if year <= 0 {
		year, era = 1-year, " BC"
	}
	return fmt.Sprintf("%04d", year) + at.Format("-01-02"+layout) + era
}
