package tally

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/vnode"
	"pgregory.net/rapid"
)

const vnodes = 5

// change is n copies of a row that come or go.
type change struct {
	v   vnode.ID
	row []byte
	n   int64
}

func draw(r *rapid.T) []change {
	return rapid.SliceOfN(rapid.Custom(func(r *rapid.T) change {
		return change{vnode.ID(rapid.IntRange(0, vnodes-1).Draw(r, "vnode")), rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(r, "row"),
			rapid.Int64Range(-1<<40, 1<<40).Draw(r, "n")}
	}), 0, 20).Draw(r, "changes")
}

// added is the table of changes, taken after every few of them.
func added(changes []change, every int) *Table {
	t, c := NewTable(vnodes), NewCounter(7, vnodes)
	for i, ch := range changes {
		c.Add(ch.v, ch.row, ch.n)
		if i%every == 0 {
			t.Merge(c.Take())
		}
	}
	t.Merge(c.Take())
	return t
}

// The sums depend on nothing but the multiset: not on the order of changes, nor on who counts which, nor on copies coming
// one by one or at once.
func TestSumsAreOfTheMultiset(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		changes := draw(r)
		whole := added(changes, 1000)
		parts := []change{}
		for _, ch := range rapid.Permutation(changes).Draw(r, "order") {
			k := rapid.Int64Range(-1<<40, 1<<40).Draw(r, "part")
			parts = append(parts, change{ch.v, ch.row, k}, change{ch.v, ch.row, ch.n - k})
		}
		apart := added(parts, rapid.IntRange(1, 4).Draw(r, "every"))
		if d := whole.Less(apart); len(d) != 0 {
			r.Fatalf("%+v and %+v differ by %+v", whole, apart, d)
		}
		for i := range changes {
			changes[i].n = -changes[i].n
		}
		whole.Merge(added(changes, 3).Less(NewTable(0)))
		if d := whole.Less(NewTable(vnodes)); len(d) != 0 {
			r.Fatalf("what came and went has left %+v", d)
		}
	})
}

// A row more, a row less, another row, another vnode and another key give other sums, and the vnodes are told.
func TestSumsDiffer(t *testing.T) {
	base := []change{{1, []byte("a"), 2}, {3, []byte("b"), 1}}
	for name, c := range map[string]struct {
		with change
		want []vnode.ID
	}{
		"a copy more":   {change{1, []byte("a"), 1}, []vnode.ID{1}},
		"a row less":    {change{3, []byte("b"), -1}, []vnode.ID{3}},
		"another row":   {change{3, []byte("c"), 1}, []vnode.ID{3}},
		"nothing":       {change{3, []byte("c"), 0}, nil},
		"an empty row":  {change{0, nil, 1}, []vnode.ID{0}},
		"a vnode apart": {change{4, []byte("b"), 1}, []vnode.ID{4}},
	} {
		var got []vnode.ID
		for _, d := range added(append(slices.Clone(base), c.with), 1).Less(added(base, 1)) {
			got = append(got, d.Vnode)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: vnodes %v, want %v", name, got, c.want)
		}
	}
	if Hash([]byte("a"), 1) == Hash([]byte("a"), 2) {
		t.Error("the key changes nothing")
	}
}

func TestEncode(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		table := added(draw(r), 1)
		b := table.Encode()
		got, err := Decode(b)
		if err != nil || !slices.Equal(got.Sums, table.Sums) {
			r.Fatalf("%+v, want %+v: %v", got, table, err)
		}
		bad := bytes.Clone(b)
		if at := rapid.IntRange(0, 8*len(b)-1).Draw(r, "bit"); at >= 0 {
			bad[at/8] ^= 1 << (at % 8)
		}
		for what, b := range map[string][]byte{"a flipped bit": bad, "a cut": b[:rapid.IntRange(0, len(b)-1).Draw(r, "cut")]} {
			if _, err := Decode(b); !errs.Of(err, errs.StateHashUnread) {
				r.Fatalf("%s is read: %v", what, err)
			}
		}
	})
}

// A record that is whole and not of this format is refused, never read as another.
func TestDecodeRefuses(t *testing.T) {
	for name, body := range map[string][]byte{
		"another version":        {2, 0, 0},
		"more vnodes than bytes": {formatVersion, 200, 1},
		"bytes after the last":   append(NewTable(1).body(), 0),
		"one vnode too many":     append([]byte{formatVersion, 2}, NewTable(1).body()[2:]...),
	} {
		if _, err := Decode(sealed(body)); !errs.Of(err, errs.StateHashUnread) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(added([]change{{1, []byte("a"), 2}}, 1).Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if table, err := Decode(sealed(b)); err == nil {
			if again, err := Decode(table.Encode()); err != nil || !slices.Equal(again.Sums, table.Sums) {
				t.Fatal(table, again, err)
			}
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	c, row := NewCounter(7, 64), bytes.Repeat([]byte("r"), 40)
	b.SetBytes(int64(len(row)))
	for i := 0; b.Loop(); i++ {
		c.Add(vnode.ID(i%64), row, 1)
	}
}
