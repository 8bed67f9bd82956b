package settings

import "testing"

func TestActors(t *testing.T) {
	for _, c := range []struct {
		text, shown string
		of          [3]int // on servers with a parallelism of 1, 8 and 100
	}{
		{"adaptive", "adaptive", [3]int{1, 8, 100}}, {"default", "bounded(64)", [3]int{1, 8, 64}}, {"3", "3", [3]int{3, 3, 3}},
		{"ratio(0.5)", "ratio(0.5)", [3]int{1, 4, 50}}, {"Ratio( 1 )", "ratio(1)", [3]int{1, 8, 100}}, {"bounded(4)", "bounded(4)", [3]int{1, 4, 4}},
	} {
		a, err := ParseActors("p", c.text)
		if got := [3]int{a.Of(1), a.Of(8), a.Of(100)}; err != nil || a.String() != c.shown || got != c.of {
			t.Errorf("%s: %s, %v, %v", c.text, a, got, err)
		}
	}
	for _, text := range []string{"ratio(0)", "ratio(1.5)", "ratio(x)", "ratio(0.5", "bounded(0)", "bounded(2000)", "-1", "many"} {
		if a, err := ParseActors("p", text); err == nil {
			t.Errorf("%s is %s", text, a)
		}
	}
}
