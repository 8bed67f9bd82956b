package capture

import (
	"reflect"
	"testing"

	"github.com/tidemark-db/tidemark/internal/meta"
)

func TestRereading(t *testing.T) {
	k := func(b byte) []byte { return []byte{b} }
	window := func(low, high []byte) meta.CaptureWindow {
		return meta.CaptureWindow{Low: low, High: high, Snapshot: "5:5:", Until: 9}
	}
	row := func(key []byte) meta.CaptureWindow {
		return meta.CaptureWindow{Key: key, Snapshot: "5:5:", Until: 9}
	}
	unplaced := func(w meta.CaptureWindow) meta.CaptureWindow { w.Until = 0; return w }
	torn := func(w meta.CaptureWindow) meta.CaptureWindow { w.Snapshot = "5:"; return w }
	for name, c := range map[string]struct{ from, want meta.CapturedTable }{
		"nothing is wrong": {
			meta.CapturedTable{Done: true, Windows: []meta.CaptureWindow{window(k(1), k(2)), row(k(7))}, Holes: [][]byte{k(4)}},
			meta.CapturedTable{Done: true, Windows: []meta.CaptureWindow{window(k(1), k(2)), row(k(7))}, Holes: [][]byte{k(4)}},
		},
		"the last range": {
			meta.CapturedTable{Cursor: k(6), Windows: []meta.CaptureWindow{window(k(1), k(3)), unplaced(window(k(3), k(6)))}},
			meta.CapturedTable{Cursor: k(3), Stale: true, Windows: []meta.CaptureWindow{window(k(1), k(3))}},
		},
		"one in the middle takes what follows with it": {
			meta.CapturedTable{Done: true, Windows: []meta.CaptureWindow{window(nil, k(1)), torn(window(k(1), k(3))), window(k(3), nil), row(k(2)), row(k(1))}, Holes: [][]byte{k(1), k(5)}},
			meta.CapturedTable{Cursor: k(1), Stale: true, Windows: []meta.CaptureWindow{window(nil, k(1)), row(k(1))}, Holes: [][]byte{k(1)}},
		},
		"the first range": {
			meta.CapturedTable{Done: true, Whole: true, Windows: []meta.CaptureWindow{unplaced(window(nil, k(1))), window(k(1), k(2))}},
			meta.CapturedTable{Whole: true, Stale: true},
		},
		"a row": {
			meta.CapturedTable{Done: true, Windows: []meta.CaptureWindow{unplaced(row(k(7))), row(k(8))}, Holes: [][]byte{k(4)}},
			meta.CapturedTable{Done: true, Windows: []meta.CaptureWindow{row(k(8))}, Holes: [][]byte{k(7), k(4)}},
		},
		"a row that its range is read again with": {
			meta.CapturedTable{Cursor: k(6), Windows: []meta.CaptureWindow{unplaced(window(k(3), k(6))), unplaced(row(k(5)))}},
			meta.CapturedTable{Cursor: k(3), Stale: true},
		},
	} {
		if got := rereading(&c.from); !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, *got, c.want)
		}
	}
}
