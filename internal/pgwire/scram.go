package pgwire

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"crypto/x509"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
)

const (
	mechPlain   = "SCRAM-SHA-256"
	mechChannel = "SCRAM-SHA-256-PLUS"
	nonceBytes  = 18 // as in PostgreSQL
	bindingType = "tls-server-end-point"
)

// scram runs the exchange of RFC 5802 with the client. Over TLS it also offers channel binding, which finds a machine in
// the middle even when the client does not check certificates.
func (c *connection) scram(user string, v Verifier, deadline time.Time) error {
	failed := errs.PasswordFailed.New("user", user)
	x := &scramExchange{verifier: v, nonce: base64.StdEncoding.EncodeToString(randomBytes(nonceBytes)), binding: c.channelBinding()}
	if len(v.StoredKey) == 0 {
		x.verifier, x.mock = c.srv.mockVerifier(user), true
	}
	mechanisms := []string{mechPlain}
	if x.binding != nil {
		mechanisms = []string{mechChannel, mechPlain}
	}
	var first pgproto3.SASLInitialResponse
	if err := c.saslStep(&pgproto3.AuthenticationSASL{AuthMechanisms: mechanisms}, &first, deadline); err != nil {
		return err
	}
	challenge, ok := x.challenge(first.AuthMechanism, string(first.Data))
	if !ok {
		return violation("malformed SCRAM message")
	}
	var final pgproto3.SASLResponse
	if err := c.saslStep(&pgproto3.AuthenticationSASLContinue{Data: []byte(challenge)}, &final, deadline); err != nil {
		return err
	}
	signature, ok := x.verify(string(final.Data))
	if !ok {
		return failed
	}
	c.out.send(&pgproto3.AuthenticationSASLFinal{Data: []byte(signature)})
	return nil
}

// saslStep sends a message and decodes the client's answer.
func (c *connection) saslStep(m pgproto3.BackendMessage, answer pgproto3.FrontendMessage, deadline time.Time) error {
	c.out.send(m)
	if err := c.out.flush(); err != nil {
		return err
	}
	f, err := c.frames.next(c.ctx, max(time.Until(deadline), time.Nanosecond))
	if err == errPatience {
		return errs.StartupTimeout.New()
	}
	if err != nil {
		return err
	}
	return decode(answer, f.body)
}

// mockVerifier stands for a user that does not exist: the same salt each time, as a real one has.
func (s *Server) mockVerifier(user string) Verifier {
	salt := mac(s.mock, "salt "+user)[:scramSaltBytes]
	return Verifier{Iterations: scramIterations, Salt: salt, StoredKey: mac(s.mock, "stored"), ServerKey: mac(s.mock, "server")}
}

// channelBinding is the hash of the server's certificate, nil without TLS (RFC 5929).
func (c *connection) channelBinding() []byte {
	if !c.isTLS() || len(c.cfg.TLS.Certificates) != 1 {
		return nil // with several certificates it is not known here which one the client saw
	}
	leaf, err := x509.ParseCertificate(c.cfg.TLS.Certificates[0].Certificate[0])
	if err != nil {
		return nil
	}
	switch leaf.SignatureAlgorithm {
	case x509.SHA384WithRSA, x509.ECDSAWithSHA384, x509.SHA384WithRSAPSS:
		h := sha512.Sum384(leaf.Raw)
		return h[:]
	case x509.SHA512WithRSA, x509.ECDSAWithSHA512, x509.SHA512WithRSAPSS:
		h := sha512.Sum512(leaf.Raw)
		return h[:]
	case x509.PureEd25519:
		return nil // no hash belongs to its signature, so RFC 5929 defines no binding
	}
	h := sha256.Sum256(leaf.Raw)
	return h[:]
}

// scramExchange is the server's side of one exchange: pure, it takes the client's messages and returns the server's.
type scramExchange struct {
	verifier Verifier
	mock     bool // the proof is checked, then refused in any case
	nonce    string
	binding  []byte // nil: not offered

	gs2         string // the header that the client's last message must repeat
	bound       bool
	clientFirst string // bare
	serverFirst string
}

// challenge answers the client's first message.
func (x *scramExchange) challenge(mechanism, msg string) (string, bool) {
	flag, rest, ok := strings.Cut(msg, ",")
	authzid, bare, ok2 := strings.Cut(rest, ",")
	if !ok || !ok2 || authzid != "" {
		return "", false
	}
	switch mechanism {
	case mechPlain:
		// y: the client could bind and believes that the server can not. If it was offered, someone took it out.
		if flag != "n" && (flag != "y" || x.binding != nil) {
			return "", false
		}
	case mechChannel:
		if flag != "p="+bindingType || x.binding == nil {
			return "", false
		}
		x.bound = true
	default:
		return "", false
	}
	fields := strings.Split(bare, ",")
	if len(fields) < 2 || !strings.HasPrefix(fields[0], "n=") || len(fields[1]) < 3 || fields[1][:2] != "r=" {
		return "", false
	}
	x.gs2, x.clientFirst = flag+",,", bare
	x.nonce = fields[1][2:] + x.nonce
	salt := base64.StdEncoding.EncodeToString(x.verifier.Salt)
	x.serverFirst = "r=" + x.nonce + ",s=" + salt + ",i=" + strconv.Itoa(x.verifier.Iterations)
	return x.serverFirst, true
}

// verify checks the client's proof and returns the server's.
func (x *scramExchange) verify(msg string) (string, bool) {
	i := strings.LastIndex(msg, ",p=")
	if i < 0 {
		return "", false
	}
	proof, err := base64.StdEncoding.DecodeString(msg[i+3:])
	if err != nil || len(proof) != sha256.Size {
		return "", false
	}
	header := x.gs2
	if x.bound {
		header += string(x.binding)
	}
	want := "c=" + base64.StdEncoding.EncodeToString([]byte(header)) + ",r=" + x.nonce
	if msg[:i] != want && !strings.HasPrefix(msg[:i], want+",") {
		return "", false
	}
	auth := x.clientFirst + "," + x.serverFirst + "," + msg[:i]
	key := make([]byte, sha256.Size)
	subtle.XORBytes(key, proof, mac(x.verifier.StoredKey, auth))
	hash := sha256.Sum256(key)
	if !hmac.Equal(hash[:], x.verifier.StoredKey) || x.mock {
		return "", false
	}
	return "v=" + base64.StdEncoding.EncodeToString(mac(x.verifier.ServerKey, auth)), true
}
