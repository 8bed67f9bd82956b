package pgwire

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Verifier is what a server keeps of a password for SCRAM-SHA-256 (RFC 7677): enough to check a proof, not to log in.
type Verifier struct {
	Iterations int
	Salt       []byte
	StoredKey  []byte
	ServerKey  []byte
}

const (
	scramIterations = 4096 // PostgreSQL's, so that logins cost the same
	scramSaltBytes  = 16
	verifierPrefix  = "SCRAM-SHA-256$"
)

// NewVerifier makes the verifier of a password with a fresh salt.
func NewVerifier(password string) (Verifier, error) {
	return deriveVerifier(password, randomBytes(scramSaltBytes), scramIterations)
}

func deriveVerifier(password string, salt []byte, iterations int) (Verifier, error) {
	salted, err := pbkdf2.Key(sha256.New, saslPrep(password), salt, iterations, sha256.Size)
	if err != nil {
		return Verifier{}, err
	}
	stored := sha256.Sum256(mac(salted, "Client Key"))
	return Verifier{Iterations: iterations, Salt: salt, StoredKey: stored[:], ServerKey: mac(salted, "Server Key")}, nil
}

// String is the form that PostgreSQL keeps in pg_authid: SCRAM-SHA-256$4096:salt$StoredKey:ServerKey.
func (v Verifier) String() string {
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s%d:%s$%s:%s", verifierPrefix, v.Iterations, b64(v.Salt), b64(v.StoredKey), b64(v.ServerKey))
}

// ParseVerifier reads what String writes.
func ParseVerifier(s string) (Verifier, error) {
	bad := errors.New("not a SCRAM-SHA-256 verifier") // without the text, which is a secret
	rest, ok := strings.CutPrefix(s, verifierPrefix)
	head, keys, ok2 := strings.Cut(rest, "$")
	count, salt, ok3 := strings.Cut(head, ":")
	stored, server, ok4 := strings.Cut(keys, ":")
	if !ok || !ok2 || !ok3 || !ok4 {
		return Verifier{}, bad
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 {
		return Verifier{}, bad
	}
	v := Verifier{Iterations: n}
	for _, part := range []struct {
		text string
		to   *[]byte
	}{{salt, &v.Salt}, {stored, &v.StoredKey}, {server, &v.ServerKey}} {
		if *part.to, err = base64.StdEncoding.DecodeString(part.text); err != nil {
			return Verifier{}, bad
		}
	}
	if len(v.Salt) == 0 || len(v.StoredKey) != sha256.Size || len(v.ServerKey) != sha256.Size {
		return Verifier{}, bad
	}
	return v, nil
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// saslPrep prepares a password as RFC 4013 says: other blanks become spaces, soft hyphens and joiners vanish, the rest is
// NFKC. A password with characters that the RFC forbids is used as it is, as PostgreSQL does.
func saslPrep(password string) string {
	if !utf8.ValidString(password) {
		return password
	}
	var b strings.Builder
	for _, r := range password {
		switch {
		case r == '\u00ad' || r == '\u034f' || r == '\u1806' || r >= '\u180b' && r <= '\u180d' ||
			r >= '\u200b' && r <= '\u200d' || r == '\u2060' || r >= '\ufe00' && r <= '\ufe0f' || r == '\ufeff':
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case unicode.IsControl(r):
			return password
		default:
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return password
	}
	return norm.NFKC.String(b.String())
}
