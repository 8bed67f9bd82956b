package pgwire

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
)

const (
	startupBytesMax = 10_000 // as in PostgreSQL
	startupRounds   = 3      // one request each for GSS encryption and TLS, then the startup packet

	codeCancel  = 80877102
	codeTLS     = 80877103
	codeGSS     = 80877104
	version3    = 3 << 16
	minorServed = 0
)

// errNotPostgres is a first packet that no PostgreSQL client sends: a port scan or another protocol. It gets no answer.
var errNotPostgres = errors.New("the first bytes are not PostgreSQL's protocol")

// hello is what a startup packet says.
type hello struct {
	minor    int
	user     string
	database string
	settings []Setting
	unknown  []string // protocol options of a later minor version
}

// greet answers the packets before the login: offers of encryption, a cancel request (then hello is nil), and the startup
// packet. Nothing is read beyond them, so that TLS starts with its first byte and nothing that was sent in the clear
// can pass for encrypted.
func (c *connection) greet() (*hello, error) {
	for range startupRounds {
		packet, err := c.startupPacket()
		if err != nil {
			return nil, err
		}
		switch code := binary.BigEndian.Uint32(packet); {
		case code == codeTLS:
			err = c.offerTLS()
		case code == codeGSS:
			_, err = c.conn.Write([]byte{'N'})
		case code == codeCancel:
			if len(packet) >= 12 {
				c.srv.cancel(binary.BigEndian.Uint32(packet[4:]), packet[8:])
			}
			return nil, nil
		case code>>16 == version3>>16:
			return parseStartup(int(code&0xffff), packet[4:])
		default:
			err = errs.ProtocolVersion.New("major", code>>16, "minor", code&0xffff)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, violation("invalid startup packet layout: expected a startup packet")
}

// startupPacket reads exactly one packet without type.
func (c *connection) startupPacket() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.conn, head[:]); err != nil {
		return nil, c.startupError(err)
	}
	n := int64(binary.BigEndian.Uint32(head[:])) - 4
	if n < 4 || n > startupBytesMax {
		return nil, errNotPostgres
	}
	packet := make([]byte, n)
	if _, err := io.ReadFull(c.conn, packet); err != nil {
		return nil, c.startupError(err)
	}
	return packet, nil
}

// startupError tells a timeout from a client that left.
func (c *connection) startupError(err error) error {
	if c.ctx.Err() != nil {
		return errShutdown
	}
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return errs.StartupTimeout.New()
	}
	return err
}

// offerTLS answers an SSLRequest.
func (c *connection) offerTLS() error {
	if c.isTLS() {
		return violation("invalid startup packet layout: the connection is encrypted already")
	}
	if c.cfg.TLS == nil {
		_, err := c.conn.Write([]byte{'N'})
		return err
	}
	if _, err := c.conn.Write([]byte{'S'}); err != nil {
		return err
	}
	t := tls.Server(c.conn, c.cfg.TLS)
	if err := t.HandshakeContext(c.ctx); err != nil {
		return err
	}
	c.conn = t
	return nil
}

func (c *connection) isTLS() bool {
	_, ok := c.conn.(*tls.Conn)
	return ok
}

// parseStartup reads the pairs of a startup packet.
func parseStartup(minor int, body []byte) (*hello, error) {
	if len(body) == 0 || body[len(body)-1] != 0 {
		return nil, violation("invalid startup packet layout: expected terminator as last byte")
	}
	if !utf8.Valid(body) {
		return nil, violation("invalid startup packet: it is not UTF-8 text")
	}
	h := &hello{minor: minor}
	rest := body[:len(body)-1]
	for len(rest) > 0 {
		var name, value string
		var ok bool
		if name, rest, ok = cutString(rest); ok {
			value, rest, ok = cutString(rest)
		}
		if !ok {
			return nil, violation("invalid startup packet layout: a name without value")
		}
		if err := h.set(name, value); err != nil {
			return nil, err
		}
	}
	if h.user == "" {
		return nil, errs.StartupPacket.New()
	}
	if h.database == "" {
		h.database = h.user
	}
	return h, nil
}

func cutString(b []byte) (string, []byte, bool) {
	i := bytes.IndexByte(b, 0)
	if i < 0 {
		return "", nil, false
	}
	return string(b[:i]), b[i+1:], true
}

// set takes one pair.
func (h *hello) set(name, value string) error {
	switch {
	case name == "user":
		h.user = value
	case name == "database":
		h.database = value
	case name == "options":
		return h.options(value)
	case name == "replication":
		if !isFalse(value) {
			return errs.Unsupported.New("feature", "a replication connection")
		}
	case strings.HasPrefix(name, "_pq_."):
		h.unknown = append(h.unknown, name)
	default:
		h.settings = append(h.settings, Setting{name, value})
	}
	return nil
}

func isFalse(value string) bool {
	switch strings.ToLower(value) {
	case "false", "off", "no", "0":
		return true
	}
	return false
}

// negotiate tells a client of a later minor version what is spoken here.
func (c *connection) negotiate(h *hello) {
	if h.minor > minorServed || len(h.unknown) > 0 {
		c.out.send(&pgproto3.NegotiateProtocolVersion{
			NewestMinorProtocol: version3 | minorServed,
			UnrecognizedOptions: h.unknown,
		})
	}
}
