package types

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestArithmetic computes lines such as 1.5 | + | 2.25 and 1.25 | round 1.
func TestArithmetic(t *testing.T) {
	datadriven.RunTest(t, "testdata/arithmetic", func(t *testing.T, d *datadriven.TestData) string {
		typ := testType(t, d)
		return eachLine(d.Input, func(line string) (string, error) {
			parts := strings.Split(line, " | ")
			a, err := Parse(typ, parts[0], Ctx{})
			if err != nil {
				return "", err
			}
			switch {
			case d.Cmd == "scale":
				return scaleInterval(a.Interval(), parts[1], parts[2])
			case d.Cmd == "unary" && typ.Kind == KindNumeric:
				return unaryNumber(a.Num(), parts[1]).String(), nil
			case d.Cmd == "unary":
				return unaryInterval(a.Interval(), parts[1])
			}
			b, err := Parse(typ, parts[2], Ctx{})
			if err != nil {
				return "", err
			}
			if parts[1] == "<=>" {
				return strconv.Itoa(min(max(Compare(typ, a, b), -1), 1)), nil
			}
			if typ.Kind == KindNumeric {
				n, err := binaryNumber(a.Num(), parts[1], b.Num())
				return n.String(), err
			}
			v, err := binaryInterval(a.Interval(), parts[1], b.Interval())
			return v.String(), err
		})
	})
}

func binaryNumber(a Num, op string, b Num) (Num, error) {
	switch op {
	case "+":
		return a.Add(b), nil
	case "-":
		return a.Sub(b), nil
	case "*":
		return a.Mul(b), nil
	case "/":
		return a.Div(b)
	case "%":
		return a.Mod(b)
	case "div":
		return a.Quo(b)
	}
	return Num{}, fmt.Errorf("no operator %s", op)
}

func unaryNumber(n Num, fn string) Num {
	name, arg, _ := strings.Cut(fn, " ")
	digits, _ := strconv.Atoi(arg) // 0 for functions without it
	switch name {
	case "round":
		return n.Round(int32(digits))
	case "trunc":
		return n.Trunc(int32(digits))
	case "floor":
		return n.Floor()
	case "ceil":
		return n.Ceil()
	case "trim_scale":
		return n.TrimScale()
	case "abs":
		return n.Abs()
	}
	return n.Neg()
}

func binaryInterval(a Iv, op string, b Iv) (Iv, error) {
	if op == "+" {
		return a.Add(b)
	}
	return a.Sub(b)
}

func scaleInterval(v Iv, op, factor string) (string, error) {
	f, err := strconv.ParseFloat(factor, 64)
	if err != nil {
		return "", err
	}
	if op == "*" {
		v, err = v.Mul(f)
	} else {
		v, err = v.Div(f)
	}
	return v.String(), err
}

func unaryInterval(v Iv, fn string) (string, error) {
	var err error
	switch fn {
	case "justify_days":
		v, err = v.JustifyDays()
	case "justify_hours":
		v, err = v.JustifyHours()
	case "justify_interval":
		v, err = v.Justify()
	default:
		v, err = v.Neg()
	}
	return v.String(), err
}

// TestOrder sorts the lines; = marks a value that equals the one before.
func TestOrder(t *testing.T) {
	datadriven.RunTest(t, "testdata/order", func(t *testing.T, d *datadriven.TestData) string {
		typ := testType(t, d)
		type line struct {
			text  string
			value Datum
		}
		var lines []line
		for text := range strings.SplitSeq(d.Input, "\n") {
			v, err := Parse(typ, strings.ReplaceAll(text, blank, ""), Ctx{})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line{text, v})
		}
		slices.SortStableFunc(lines, func(a, b line) int { return Compare(typ, a.value, b.value) })
		var out strings.Builder
		for i, l := range lines {
			if i > 0 && Equal(typ, lines[i-1].value, l.value) {
				out.WriteString("= ")
			}
			out.WriteString(strings.TrimRight(l.text, " ") + "\n")
		}
		return out.String()
	})
}
