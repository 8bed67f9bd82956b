package pgwire

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"testing"
	"testing/iotest"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// memoryConn is a client that has sent everything already and keeps what it gets.
type memoryConn struct {
	net.Conn
	in  io.Reader
	out bytes.Buffer
}

func (c *memoryConn) Read(p []byte) (int, error)       { return c.in.Read(p) }
func (c *memoryConn) Write(p []byte) (int, error)      { return c.out.Write(p) }
func (c *memoryConn) Close() error                     { return nil }
func (c *memoryConn) RemoteAddr() net.Addr             { return &net.UnixAddr{} }
func (c *memoryConn) SetDeadline(time.Time) error      { return nil }
func (c *memoryConn) SetReadDeadline(time.Time) error  { return nil }
func (c *memoryConn) SetWriteDeadline(time.Time) error { return nil }

// FuzzFrontend sends any bytes, in whole and byte by byte, logged in or not: the connection ends, nothing panics,
// everything is closed, and what comes back is messages.
func FuzzFrontend(f *testing.F) {
	encode := func(ms ...pgproto3.FrontendMessage) (b []byte) {
		for _, m := range ms {
			b, _ = m.Encode(b)
		}
		return b
	}
	f.Add(false, startupBytes("tm"))
	f.Add(false, []byte("\x00\x00\x00\x08\x04\xd2\x16\x2f"))
	f.Add(true, encode(&pgproto3.Query{String: "rows 5; fail"}, &pgproto3.Terminate{}))
	f.Add(true, encode(
		&pgproto3.Parse{Name: "s", Query: "echo int4,text", ParameterOIDs: []uint32{23}},
		&pgproto3.Bind{PreparedStatement: "s", Parameters: [][]byte{[]byte("1"), nil}, ResultFormatCodes: []int16{1, 0}},
		&pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{MaxRows: 1}, &pgproto3.Sync{}))
	f.Add(true, encode(&pgproto3.Query{String: "copyin"}, &pgproto3.CopyData{Data: []byte("1\n")}, &pgproto3.CopyDone{}))
	f.Add(true, encode(&pgproto3.Query{String: "copyin"}, &pgproto3.CopyFail{Message: "no"}))
	f.Add(true, encode(&pgproto3.Query{String: "wait"}, &pgproto3.Query{String: "begin; copyout 3"}))
	f.Fuzz(func(t *testing.T, loggedIn bool, input []byte) {
		if len(input) > inboxBytes/2 || bytes.Contains(input, []byte("crash")) {
			return // more is not read ahead, so that a wait would not end; crash is meant to panic
		}
		if loggedIn {
			input = append(startupBytes("tm"), input...)
		}
		talk(t, bytes.NewReader(input))
		talk(t, iotest.OneByteReader(bytes.NewReader(input)))
	})
}

func talk(t *testing.T, in io.Reader) {
	var bugs bytes.Buffer
	log := newFakeLog()
	log.rowsMax = 100
	srv, err := NewServer(Config{
		NewSession: log.session,
		Logger:     slog.New(slog.NewTextHandler(&bugs, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		t.Fatal(err)
	}
	conn := &memoryConn{in: in}
	hang := time.AfterFunc(patience, func() { panic("the connection does not end") }) // with the stacks of all goroutines
	srv.ServeConn(conn)
	hang.Stop()
	if bytes.Contains(bugs.Bytes(), []byte("panicked")) {
		t.Fatal(bugs.String())
	}
	if n := log.opened(); n != 0 {
		t.Fatalf("%d sessions or results are still open", n)
	}
	out := bytes.TrimLeft(conn.out.Bytes(), "N") // refusals of encryption are single bytes
	front := pgproto3.NewFrontend(bytes.NewReader(out), io.Discard)
	for {
		if _, err := front.Receive(); err == io.ErrUnexpectedEOF || err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("not a message: %v in %q", err, out)
		}
	}
}
