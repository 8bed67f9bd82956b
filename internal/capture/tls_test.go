package capture_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testTLS connects to a server whose certificate is of its own authority.
func testTLS(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
	cert, key := certificate(t, pg.Host)
	for name, text := range map[string]string{"server.crt": cert, "server.key": key} {
		pg.Exec(fmt.Sprintf("COPY (SELECT unnest(string_to_array('%s', E'\\n'))) TO PROGRAM 'umask 077; cat > %s'", text, name))
	}
	pg.Exec("ALTER SYSTEM SET ssl = on")
	pg.Query("SELECT pg_reload_conf()")
	t.Cleanup(func() { pg.Exec("ALTER SYSTEM RESET ssl"); pg.Query("SELECT pg_reload_conf()") })
	root, other := filepath.Join(t.TempDir(), "root.crt"), filepath.Join(t.TempDir(), "other.crt")
	stranger, _ := certificate(t, pg.Host)
	for path, text := range map[string]string{root: cert, other: stranger} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.until(func() bool { // the server has read its settings again
		_, err := w.try("CREATE SOURCE up " + w.with("sslmode = 'verify-full'", "sslrootcert = '"+root+"'"))
		return err == nil
	})
	w.exec("CREATE TABLE t (*) FROM up TABLE 't'")
	w.same("SELECT * FROM t")
	if rows := w.upstream("SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_replication USING (pid)"); rows[0] != "t" {
		t.Errorf("the log is read without TLS: %v", rows)
	}
	if _, err := w.try("CREATE SOURCE bad " + w.with("sslmode = 'verify-ca'", "sslrootcert = '"+other+"'")); !errs.Of(err, errs.UpstreamTLS) {
		t.Error(err)
	}
}

// certificate makes a certificate for a host that is its own authority.
func certificate(t *testing.T, host string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, IPAddresses: []net.IP{net.ParseIP(host)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}))
}
