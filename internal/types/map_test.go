package types

import "testing"

// Text, wire form and ordered bytes of maps read back as they were.
func TestMap(t *testing.T) {
	for _, c := range []struct {
		t        T
		in, want string
	}{
		{MapOf(Text, Int4), "{b:1, a:2}", "{a:2,b:1}"},
		{MapOf(Int4, Text), "{10:ten,9:NULL}", "{9:NULL,10:ten}"},
		{MapOf(Text, Text), `{"a:b":"x,y",c:"NULL",d:""}`, `{"a:b":"x,y",c:"NULL",d:""}`},
		{MapOf(Varchar, MapOf(Int4, ArrayOf(Text))), `{k:{1:{a,"b c"},2:{}}}`, `{k:{1:{a,"b c"},2:{}}}`},
		{MapOf(Text, Timestamp), "{t:2024-02-29 12:30:00}", "{t:2024-02-29 12:30:00}"},
		{ArrayOf(MapOf(Text, Int4)), `{"{a:1,b:2}","{}"}`, `{"{a:1,b:2}","{}"}`},
	} {
		d, err := Parse(c.t, c.in, Ctx{})
		if err != nil {
			t.Errorf("%s %s: %v", c.t, c.in, err)
			continue
		}
		if got := Format(c.t, d, Ctx{}); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.t, c.in, got, c.want)
		}
		if back, err := ParseBinary(c.t, AppendBinary(nil, c.t, d)); c.t.Kind == KindMap && (err != nil || back != d) {
			t.Errorf("%s %s: the wire form reads as %v, %v", c.t, c.in, back, err)
		}
		if back, rest, ok := DecodeOrdered(c.t, AppendOrdered(nil, c.t, d)); !ok || len(rest) > 0 || back != d {
			t.Errorf("%s %s: the ordered bytes read as %v, %v", c.t, c.in, back, ok)
		}
	}
	for _, bad := range []string{"", "{", "a:1", "{a}", "{a:1,a:2}", "{NULL:1}", "{a:x}"} {
		if _, err := Parse(MapOf(Text, Int4), bad, Ctx{}); err == nil {
			t.Errorf("%q is taken for a map", bad)
		}
	}
}
