package server

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tidemark-db/tidemark/internal/pgserver"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// copyTypes are a table's columns and rows with what the binary format has to carry.
const copyTypes = `CREATE TABLE c (k int PRIMARY KEY, b bool, s smallint, l bigint, r real, d double precision, n numeric, x text, y bytea,
	at date, tm time, ts timestamp, tz timestamptz, i interval, u uuid, j jsonb, a int[], w text[]);
INSERT INTO c VALUES
	(1, true, -2, 9000000000, 1.5, -0.25, 12345.6700, 'a,"b"' || chr(9) || 'c', '\x00ff', '2024-02-29', '23:59:59.000001', '2024-02-29 12:00',
	 '2024-02-29 12:00+02', '1 mon -2 days 03:04:05', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{"a": [1, null]}', '{1,NULL,3}', '{"x y",""}'),
	(2, NULL, NULL, NULL, 'NaN', 'Infinity', 'NaN', '', '', NULL, NULL, 'infinity', '-infinity', NULL, NULL, 'null', '{}', NULL)`

// The binary format is PostgreSQL's to the byte, in both directions.
func TestCopyBinary(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{})
	theirs, err := pg.Dial()
	if err != nil {
		t.Fatal(err)
	}
	defer pgserver.CloseConn(theirs)
	ours := connect(t, serve(t), "").PgConn()
	for _, c := range []*pgconn.PgConn{ours, theirs} {
		if _, err := c.Exec(t.Context(), copyTypes).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	out := func(c *pgconn.PgConn) []byte {
		var b bytes.Buffer
		if _, err := c.CopyTo(t.Context(), &b, "COPY (SELECT * FROM c ORDER BY k) TO STDOUT (FORMAT binary)"); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	want := out(theirs)
	if got := out(ours); !bytes.Equal(got, want) {
		t.Fatalf("written:\n%q\nPostgreSQL:\n%q", got, want)
	}
	if _, err := ours.Exec(t.Context(), "DELETE FROM c").ReadAll(); err != nil {
		t.Fatal(err)
	}
	if tag, err := ours.CopyFrom(t.Context(), bytes.NewReader(want), "COPY c FROM STDIN BINARY"); err != nil || tag.String() != "COPY 2" {
		t.Fatal(tag, err)
	}
	if got := out(ours); !bytes.Equal(got, want) {
		t.Fatalf("read and written again:\n%q\nPostgreSQL:\n%q", got, want)
	}
	refused(t, ours, theirs, want)
}

// refused gives both servers data, or options, that they refuse in the same words; of a value we tell the type too.
func refused(t *testing.T, ours, theirs *pgconn.PgConn, data []byte) {
	const head = 19 // bytes before the first row
	edited := func(at int, with string) []byte {
		b := slices.Clone(data)
		copy(b[at:], with)
		return b
	}
	for name, c := range map[string]struct {
		sql  string
		data []byte
	}{
		"signature":     {"COPY c FROM STDIN BINARY", edited(3, "X")},
		"short":         {"COPY c FROM STDIN BINARY", data[:7]},
		"identifiers":   {"COPY c FROM STDIN BINARY", edited(11, "\x00\x01\x00\x00")},
		"flags":         {"COPY c FROM STDIN BINARY", edited(11, "\x80\x00\x00\x00")},
		"extension":     {"COPY c FROM STDIN BINARY", edited(15, "\x7f\xff\xff\xff")},
		"fields":        {"COPY c (k, b) FROM STDIN BINARY", data},
		"cut":           {"COPY c FROM STDIN BINARY", data[:head+9]},
		"size":          {"COPY c FROM STDIN BINARY", edited(head+2, "\xff\xff\xff\xfe")},
		"more":          {"COPY c FROM STDIN BINARY", append(slices.Clone(data), 0)},
		"value":         {"COPY c (k, tz) FROM STDIN BINARY", []byte(string(data[:head]) + "\x00\x02\x00\x00\x00\x04\x00\x00\x00\x09\x00\x00\x00\x09123456789")},
		"delimiter":     {"COPY c FROM STDIN (FORMAT binary, DELIMITER ',')", nil},
		"null":          {"COPY c FROM STDIN (FORMAT binary, NULL 'x')", nil},
		"header":        {"COPY c TO STDOUT (FORMAT binary, HEADER)", nil},
		"quote":         {"COPY c TO STDOUT (FORMAT binary, QUOTE 'x')", nil},
		"forced quotes": {"COPY c TO STDOUT (FORMAT binary, FORCE_QUOTE (k))", nil},
	} {
		fail := func(conn *pgconn.PgConn) (e *pgconn.PgError) {
			_, err := conn.CopyFrom(t.Context(), bytes.NewReader(c.data), c.sql)
			if !errors.As(err, &e) {
				t.Errorf("%s: %v", name, err)
				return &pgconn.PgError{}
			}
			return e
		}
		got, want := fail(ours), fail(theirs)
		if got.Code != want.Code || !strings.HasPrefix(got.Message, want.Message) || got.Where != want.Where {
			t.Errorf("%s: %s %s (%s), PostgreSQL: %s %s (%s)", name, got.Code, got.Message, got.Where, want.Code, want.Message, want.Where)
		}
	}
}

// The driver's own bulk load is COPY in the binary format.
func TestDriverCopies(t *testing.T) {
	conn := connect(t, serve(t), "")
	if _, err := conn.Exec(t.Context(), "CREATE TABLE t (k int PRIMARY KEY, name text, tags text[]); CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n, sum(k) AS s FROM t"); err != nil {
		t.Fatal(err)
	}
	const rows = 5000
	at := 0
	n, err := conn.CopyFrom(t.Context(), pgx.Identifier{"t"}, []string{"name", "k", "tags"}, pgx.CopyFromFunc(func() ([]any, error) {
		if at == rows {
			return nil, nil
		}
		at++
		return []any{strings.Repeat("x", at%50), int32(at), []string{"a", "b"}}, nil
	}))
	if err != nil || n != rows {
		t.Fatal(n, err)
	}
	var count, sum int64
	if err := conn.QueryRow(t.Context(), "SELECT n, s FROM m").Scan(&count, &sum); err != nil || count != rows || sum != rows*(rows+1)/2 {
		t.Fatal(count, sum, err)
	}
}
