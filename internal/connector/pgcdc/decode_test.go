package pgcdc

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestDecode assembles transactions from messages, over a capture of table 1, public.t (id int4 key, x text).
func TestDecode(t *testing.T) {
	datadriven.Walk(t, "testdata/decode", func(t *testing.T, path string) {
		captures := []connector.Capture{{ID: 9, Number: 1, Table: "public.t", Key: []int{0}, Shape: columnShape("id", "0", "0") + columnShape("x", "0", "0"),
			Columns: []connector.Column{{Name: "id", Type: types.Int4}, {Name: "x", Type: types.Text}}}}
		a := newAssembler(func() []connector.Capture { return captures }, 0, 1<<32+5, nil)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "part":
				_, err := fmt.Sscan(d.Input, &a.part)
				return fmt.Sprint("parts of bytes: ", a.part, " ", err)
			case "from":
				_, err := fmt.Sscan(d.Input, &a.from)
				return fmt.Sprint("from ", a.from, " ", err)
			case "drop":
				captures = nil
				return "ok"
			case "messages":
				return messages(a, d.Input)
			}
			return "unknown command"
		})
	})
}

// messages feeds one message a line and prints what comes of it.
func messages(a *assembler, input string) string {
	var out strings.Builder
	for _, line := range strings.Split(input, "\n") {
		m, err := decode(encode(strings.Fields(line)))
		if err != nil {
			fmt.Fprintf(&out, "%s: %s\n", errs.Code(err), err)
			continue
		}
		ev, err := a.add(m)
		switch {
		case err != nil:
			fmt.Fprintf(&out, "%s: %s\n", errs.Code(err), err)
		case ev != nil:
			if n := len(ev.Txn.Changes); ev.Txn.More {
				fmt.Fprintf(&out, "part of transaction %d: changes %d to %d\n", ev.Txn.XID, ev.Txn.Changes[0].At, ev.Txn.Changes[n-1].At)
			} else if n > 0 && ev.Txn.Changes[0].At > 1 {
				fmt.Fprintf(&out, "rest of transaction %d from change %d up to %d\n", ev.Txn.XID, ev.Txn.Changes[0].At, ev.Position)
			} else {
				fmt.Fprintf(&out, "transaction %d up to %d\n", ev.Txn.XID, ev.Position)
			}
			if ev.Altered != nil {
				fmt.Fprintf(&out, "  altered %d\n", ev.Altered)
			}
			for _, c := range ev.Txn.Changes {
				if c.Err != nil {
					fmt.Fprintf(&out, "  change %d of %d: %s\n", c.At, c.Table, errs.Code(c.Err))
					continue
				}
				fmt.Fprintf(&out, "  %s %d: old %s whole %t, new %s, unchanged %v\n", [...]string{"", "insert", "update", "delete", "truncate"}[c.Op], c.Table,
					rowText(c.Old), c.Whole, rowText(c.New), c.Unchanged)
			}
		}
	}
	if out.Len() == 0 {
		return "ok"
	}
	return out.String()
}

func rowText(r types.Row) string {
	if r == nil {
		return "-"
	}
	parts := make([]string, len(r))
	for i, d := range r {
		parts[i] = "NULL"
		if !d.IsNull() {
			parts[i] = types.Format([]types.T{types.Int4, types.Text}[i], d, types.Ctx{})
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// encode writes a message as the server would: begin XID, commit END, relation NUMBER NAME COLUMN... (those with a star are its
// identity, id when there is none), a row's op with its tuples as K, O or N followed by values (\N is NULL, ~ unchanged), truncate NUMBER..., or raw bytes.
func encode(words []string) []byte {
	u32 := func(b []byte, s string) []byte {
		var n uint32
		fmt.Sscan(s, &n)
		return binary.BigEndian.AppendUint32(b, n)
	}
	u64 := func(b []byte, s string) []byte { return u32(binary.BigEndian.AppendUint32(b, 0), s) }
	switch words[0] {
	case "begin":
		return u32(u64(u64([]byte("B"), "1"), "0"), words[1])
	case "commit":
		return u64(u64(u64([]byte{'C', 0}, "1"), words[1]), "0")
	case "relation":
		b := append(append(u32([]byte("R"), words[1]), "public\x00"+words[2]+"\x00d"...), 0, byte(len(words)-3))
		stars := strings.Contains(strings.Join(words[3:], ""), "*")
		for _, c := range words[3:] {
			name, flags := strings.TrimSuffix(c, "*"), byte(0)
			if name != c || !stars && name == "id" {
				flags = partOfKey
			}
			b = append(append(append(b, flags), name+"\x00"...), make([]byte, 8)...)
		}
		return b
	case "truncate":
		b := append(binary.BigEndian.AppendUint32([]byte("T"), uint32(len(words)-1)), 0)
		for _, w := range words[1:] {
			b = u32(b, w)
		}
		return b
	case "message":
		return []byte("M anything")
	case "raw":
		return []byte(strings.Join(words[1:], " "))
	}
	b := u32([]byte(words[0][:1]), words[1])
	for i := 2; i < len(words); {
		end := i + 1
		for end < len(words) && !(len(words[end]) == 1 && strings.Contains("KON", words[end])) {
			end++
		}
		b = append(b, words[i][0], 0, byte(end-i-1))
		for _, v := range words[i+1 : end] {
			switch v {
			case `\N`:
				b = append(b, 'n')
			case "~":
				b = append(b, 'u')
			default:
				b = append(binary.BigEndian.AppendUint32(append(b, 't'), uint32(len(v))), v...)
			}
		}
		i = end
	}
	return b
}

// FuzzDecode: no bytes make it panic or take more memory than they have.
func FuzzDecode(f *testing.F) {
	for _, line := range []string{"begin 5", "commit 9", "relation 1 t id x", "I 1 N 1 a", `U 1 O 1 \N N 1 ~`, "D 1 K 1", "truncate 1 2", "message", "raw Z"} {
		f.Add(encode(strings.Fields(line)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decode(b)
		if err != nil && m != nil {
			t.Error("a message and an error")
		}
	})
}
