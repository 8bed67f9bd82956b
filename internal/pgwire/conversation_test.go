package pgwire

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/jackc/pgx/v5/pgproto3"
)

// TestConversation replays message by message conversations. A script connects, then sends messages and prints the
// answers up to one that it names:
//
//	connect user=tm              send [until=ReadyForQuery] [times=1]
//	----                         Query "rows 1"
//
// until=EOF waits for the server to close; until=none reads nothing.
func TestConversation(t *testing.T) {
	datadriven.Walk(t, "testdata/conversation", func(t *testing.T, path string) {
		srv := start(t, Config{StatementBytesMax: 200, MessageBytesMax: 300})
		var c *conversation
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			until, times := "ReadyForQuery", 1
			d.MaybeScanArgs(t, "until", &until)
			d.MaybeScanArgs(t, "times", &times)
			switch d.Cmd {
			case "connect":
				c = dial(t, srv)
				c.startup(t, d)
			case "send":
				for line := range strings.SplitSeq(d.Input, "\n") {
					c.send(t, line)
				}
			case "session":
				return srv.log.describe()
			default:
				d.Fatalf(t, "unknown command")
			}
			return c.read(t, until, times)
		})
	})
}

func (l *fakeLog) describe() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.starts[len(l.starts)-1]
	return fmt.Sprintf("user=%s database=%s settings=%v\naborts=%d syncs=%d copied=%q\n", s.User, s.Database, s.Settings, l.aborts, l.syncs, l.copied)
}

// conversation is a client that shows every message.
type conversation struct {
	conn  net.Conn
	front *pgproto3.Frontend
}

func dial(t *testing.T, srv *testServer) *conversation {
	conn, err := net.Dial("tcp", srv.addr.String())
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.SetDeadline(time.Now().Add(patience))
	t.Cleanup(func() { _ = conn.Close() })
	return &conversation{conn: conn, front: pgproto3.NewFrontend(conn, conn)}
}

// startup sends a startup packet of the script's arguments.
func (c *conversation) startup(t *testing.T, d *datadriven.TestData) {
	version := uint32(version3)
	var body []byte
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "until":
		case "version":
			n, err := strconv.ParseUint(a.Vals[0], 0, 32)
			if err != nil {
				t.Fatal(err)
			}
			version = uint32(n)
		default:
			body = append(append(body, a.Key...), 0)
			body = append(append(body, strings.Join(a.Vals, ",")...), 0)
		}
	}
	if d.Input != "" { // options with blanks
		body = append(append(body, "options\x00"...), d.Input...)
		body = append(body, 0)
	}
	packet := binary.BigEndian.AppendUint32(nil, uint32(len(body)+9))
	packet = binary.BigEndian.AppendUint32(packet, version)
	c.write(t, append(append(packet, body...), 0))
}

func (c *conversation) write(t *testing.T, b []byte) {
	if _, err := c.conn.Write(b); err != nil {
		t.Fatal(err)
	}
}

// send sends the message of one script line.
func (c *conversation) send(t *testing.T, line string) {
	words := words(t, line)
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	if words[0] == "Raw" {
		b, err := hex.DecodeString(strings.Join(words[1:], ""))
		if err != nil {
			t.Fatal(err)
		}
		c.write(t, b)
		return
	}
	b, err := message(t, words, arg).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	c.write(t, b)
}

func message(t *testing.T, words []string, arg func(int) string) pgproto3.FrontendMessage {
	switch words[0] {
	case "Query":
		return &pgproto3.Query{String: arg(1)}
	case "Long": // a query of many bytes
		return &pgproto3.Query{String: strings.Repeat("x", number(t, arg(1)))}
	case "Parse":
		return &pgproto3.Parse{Name: arg(1), Query: arg(2)}
	case "Bind":
		return bindMessage(t, words)
	case "Describe":
		return &pgproto3.Describe{ObjectType: arg(1)[0], Name: arg(2)}
	case "Execute":
		return &pgproto3.Execute{Portal: arg(1), MaxRows: uint32(number(t, arg(2)))}
	case "Close":
		return &pgproto3.Close{ObjectType: arg(1)[0], Name: arg(2)}
	case "Sync":
		return &pgproto3.Sync{}
	case "Flush":
		return &pgproto3.Flush{}
	case "Terminate":
		return &pgproto3.Terminate{}
	case "CopyData":
		return &pgproto3.CopyData{Data: []byte(arg(1))}
	case "CopyDone":
		return &pgproto3.CopyDone{}
	case "CopyFail":
		return &pgproto3.CopyFail{Message: arg(1)}
	case "FunctionCall":
		return &pgproto3.FunctionCall{Function: 1}
	}
	t.Fatalf("unknown message %q", words)
	return nil
}

// bindMessage reads: Bind portal statement [pf=0,1] [rf=1] values, where NULL stands for itself.
func bindMessage(t *testing.T, words []string) *pgproto3.Bind {
	m := &pgproto3.Bind{DestinationPortal: words[1], PreparedStatement: words[2]}
	for _, w := range words[3:] {
		switch {
		case strings.HasPrefix(w, "pf="):
			m.ParameterFormatCodes = codes(t, w[3:])
		case strings.HasPrefix(w, "rf="):
			m.ResultFormatCodes = codes(t, w[3:])
		case w == "NULL":
			m.Parameters = append(m.Parameters, nil)
		default:
			m.Parameters = append(m.Parameters, []byte(w))
		}
	}
	return m
}

func codes(t *testing.T, s string) (out []int16) {
	for c := range strings.SplitSeq(s, ",") {
		out = append(out, int16(number(t, c)))
	}
	return out
}

func number(t *testing.T, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// words splits a line at blanks; quoted words are Go strings.
func words(t *testing.T, line string) (out []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' {
			q, err := strconv.QuotedPrefix(line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			w, _ := strconv.Unquote(q)
			out, line = append(out, w), line[len(q):]
			continue
		}
		w, rest, _ := strings.Cut(line, " ")
		out, line = append(out, w), rest
	}
	return out
}

// read prints the answers up to the given one of the named type.
func (c *conversation) read(t *testing.T, until string, times int) string {
	var b strings.Builder
	for until != "none" {
		m, err := c.front.Receive()
		if err != nil {
			if ne, ok := err.(net.Error); ok && ne.Timeout() {
				t.Fatalf("no %s came after:\n%s", until, b.String())
			}
			b.WriteString("EOF\n")
			break
		}
		name := strings.TrimPrefix(fmt.Sprintf("%T", m), "*pgproto3.")
		fmt.Fprintf(&b, "%s%s\n", name, show(m))
		if name == until {
			if times--; times == 0 {
				break
			}
		}
	}
	return b.String()
}

// show prints a message's fields.
func show(m pgproto3.BackendMessage) string {
	var b strings.Builder
	switch m := m.(type) {
	case *pgproto3.ParameterStatus:
		fmt.Fprintf(&b, " %s=%q", m.Name, m.Value)
	case *pgproto3.ReadyForQuery:
		fmt.Fprintf(&b, " %c", m.TxStatus)
	case *pgproto3.CommandComplete:
		fmt.Fprintf(&b, " %s", m.CommandTag)
	case *pgproto3.RowDescription:
		for _, f := range m.Fields {
			fmt.Fprintf(&b, " %s(type %d, size %d, typmod %d, table %d.%d, format %d)", f.Name, f.DataTypeOID, f.DataTypeSize, f.TypeModifier, f.TableOID, f.TableAttributeNumber, f.Format)
		}
	case *pgproto3.DataRow:
		for _, v := range m.Values {
			if v == nil {
				b.WriteString(" NULL")
			} else {
				fmt.Fprintf(&b, " %q", v)
			}
		}
	case *pgproto3.ParameterDescription:
		fmt.Fprintf(&b, " %v", m.ParameterOIDs)
	case *pgproto3.ErrorResponse:
		fmt.Fprintf(&b, " %s %s %q detail=%q hint=%q position=%d", m.Severity, m.Code, m.Message, m.Detail, m.Hint, m.Position)
	case *pgproto3.NoticeResponse:
		fmt.Fprintf(&b, " %s %s %q", m.Severity, m.Code, m.Message)
	case *pgproto3.CopyData:
		fmt.Fprintf(&b, " %q", m.Data)
	case *pgproto3.CopyInResponse:
		fmt.Fprintf(&b, " format=%d columns=%v", m.OverallFormat, m.ColumnFormatCodes)
	case *pgproto3.CopyOutResponse:
		fmt.Fprintf(&b, " format=%d columns=%v", m.OverallFormat, m.ColumnFormatCodes)
	case *pgproto3.NegotiateProtocolVersion:
		fmt.Fprintf(&b, " %d.%d unknown=%q", m.NewestMinorProtocol>>16, m.NewestMinorProtocol&0xffff, m.UnrecognizedOptions)
	}
	return b.String()
}
