package pgwire

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// certificate makes a self-signed certificate for loopback.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tidemark"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, leaf, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func withTLS(t *testing.T, cfg Config) Config {
	cfg.TLS = &tls.Config{Certificates: []tls.Certificate{certificate(t)}, MinVersion: tls.VersionTLS12}
	return cfg
}

// scramOnly asks everybody for a password; only tm has one.
func scramOnly(t *testing.T) func(Login) Auth {
	v, err := NewVerifier("s3cret, with a comma")
	if err != nil {
		t.Fatal(err)
	}
	return func(l Login) Auth {
		if l.User != "tm" {
			return Auth{Method: SCRAM}
		}
		return Auth{Method: SCRAM, Verifier: v}
	}
}

func refused(t *testing.T, url, user, password string) *pgconn.PgError {
	t.Helper()
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	cfg.User, cfg.Password = user, password
	conn, err := pgx.ConnectConfig(limited(t), cfg)
	if err == nil {
		_ = conn.Close(context.Background())
		t.Fatalf("%s was let in", user)
	}
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		t.Fatalf("%s: %v", user, err)
	}
	return pgErr
}

func TestLogin(t *testing.T) {
	for _, secure := range []bool{false, true} {
		cfg, mode := Config{Authenticate: scramOnly(t)}, "sslmode=disable"
		if secure {
			cfg, mode = withTLS(t, cfg), "sslmode=require"
		}
		srv := start(t, cfg)
		conn := connect(t, srv.url(mode+"&password=s3cret%2C%20with%20a%20comma"))
		if _, err := conn.Exec(limited(t), "insert 1"); err != nil {
			t.Fatal(err)
		}
		if got := srv.log.starts[0].TLS; got != secure {
			t.Fatalf("TLS is %v", got)
		}
		for _, who := range [][2]string{{"tm", "wrong"}, {"nobody", "wrong"}} {
			e := refused(t, srv.url(mode), who[0], who[1])
			if want := `password authentication failed for user "` + who[0] + `"`; e.Code != "28P01" || e.Message != want {
				t.Fatalf("%v: %s %s", who, e.Code, e.Message)
			}
		}
	}
}

// TestChannelBinding makes pgx insist on it, which fails unless server and client hash the same certificate.
func TestChannelBinding(t *testing.T) {
	srv := start(t, withTLS(t, Config{Authenticate: scramOnly(t)}))
	connect(t, srv.url("sslmode=require&channel_binding=require&password=s3cret%2C%20with%20a%20comma"))
}

func TestRejected(t *testing.T) {
	onlyTLS := func(l Login) Auth {
		if l.TLS {
			return Auth{Method: Trust}
		}
		return Auth{}
	}
	srv := start(t, withTLS(t, Config{Authenticate: onlyTLS}))
	e := refused(t, srv.url("sslmode=disable"), "tm", "")
	if want := `connection rejected for host "127.0.0.1", user "tm", database "dev", no encryption`; e.Code != "28000" || e.Message != want {
		t.Fatalf("%s %s", e.Code, e.Message)
	}
	connect(t, srv.url("sslmode=require"))
}

func TestTrustLoopback(t *testing.T) {
	for _, c := range []struct {
		addr net.Addr
		want Method
	}{
		{&net.TCPAddr{IP: net.IPv4(127, 1, 2, 3)}, Trust},
		{&net.TCPAddr{IP: net.IPv6loopback}, Trust},
		{&net.UnixAddr{Name: "/run/s"}, Trust},
		{&net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}, Reject},
		{nil, Reject},
	} {
		if got := TrustLoopback(Login{Addr: c.addr}).Method; got != c.want {
			t.Errorf("%v: %v", c.addr, got)
		}
	}
}

// The vectors of RFC 7677, section 3.
func TestScramVectors(t *testing.T) {
	const (
		first    = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
		suffix   = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
		second   = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
		third    = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
		fourth   = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
		verifier = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$"
	)
	v, err := deriveVerifier("pencil", []byte("\x5b\x6d\x99\x68\x9d\x12\x35\x8e\xec\xa0\x4b\x14\x12\x36\xfa\x81"), 4096)
	if err != nil || !strings.HasPrefix(v.String(), verifier) {
		t.Fatal(v, err)
	}
	again, err := ParseVerifier(v.String())
	if err != nil || again.String() != v.String() {
		t.Fatal(again, err)
	}
	for _, c := range []struct{ name, mechanism, first, third, want string }{
		{"right", mechPlain, first, third, fourth},
		{"other mechanism", mechChannel, first, third, "no challenge"},
		{"unknown mechanism", "SCRAM-SHA-1", first, third, "no challenge"},
		{"other identity", mechPlain, "n,a=admin,n=user,r=rOprNGfwEbeRWgbNEkqO", third, "no challenge"},
		{"binding asked without TLS", mechPlain, "p=tls-unique,,n=user,r=rOprNGfwEbeRWgbNEkqO", third, "no challenge"},
		{"no nonce", mechPlain, "n,,n=user", third, "no challenge"},
		{"extension", mechPlain, "n,,m=x,n=user,r=rOprNGfwEbeRWgbNEkqO", third, "no challenge"},
		{"other proof", mechPlain, first, strings.Replace(third, "p=dH", "p=eH", 1), "no proof"},
		{"other nonce", mechPlain, first, strings.Replace(third, "r=rO", "r=rQ", 1), "no proof"},
		{"other header", mechPlain, first, strings.Replace(third, "c=biws", "c=eSws", 1), "no proof"},
		{"short proof", mechPlain, first, third[:len(third)-8], "no proof"},
		{"empty", mechPlain, first, "", "no proof"},
	} {
		if got := exchange(&scramExchange{verifier: v, nonce: suffix}, c.mechanism, c.first, second, c.third); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	mock := &scramExchange{verifier: v, nonce: suffix, mock: true}
	if got := exchange(mock, mechPlain, first, second, third); got != "no proof" {
		t.Errorf("a user who does not exist was let in: %s", got)
	}
	stripped := &scramExchange{verifier: v, nonce: suffix, binding: []byte("hash")}
	if got := exchange(stripped, mechPlain, "y,,"+first[3:], second, third); got != "no challenge" {
		t.Errorf("a removed offer of channel binding went unnoticed: %s", got)
	}
}

func exchange(x *scramExchange, mechanism, first, second, third string) string {
	got, ok := x.challenge(mechanism, first)
	if !ok {
		return "no challenge"
	}
	if got != second {
		return got
	}
	got, ok = x.verify(third)
	if !ok {
		return "no proof"
	}
	return got
}

func TestParseVerifierRefuses(t *testing.T) {
	for _, s := range []string{
		"", "md5abc", "SCRAM-SHA-256$", "SCRAM-SHA-256$4096:c2FsdA==", "SCRAM-SHA-256$x:c2FsdA==$a:b",
		"SCRAM-SHA-256$4096:c2FsdA==$c2hvcnQ=:c2hvcnQ=", "SCRAM-SHA-256$0:c2FsdA==$c2hvcnQ=:c2hvcnQ=",
	} {
		if v, err := ParseVerifier(s); err == nil {
			t.Errorf("%q was read as %v", s, v)
		}
	}
}

func TestSASLPrep(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "I\u00adX": "IX", "\u00aa": "a", "\u2168": "IX", "a\u00a0b": "a b", "a\tb": "a\tb", "\xff": "\xff", "\u00ad": "\u00ad",
	} {
		if got := saslPrep(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
