package session

import (
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// copied feeds a COPY and returns what the table then holds, or the error with its context.
func copied(t *testing.T, s *Session, sql, data string) string {
	t.Helper()
	exec(t, s, "DELETE FROM c")
	err := s.Simple(t.Context(), sql, func(r Result) error {
		if err := Unwrap(r).(CopyIn).CopyIn(t.Context(), strings.NewReader(data)); err != nil {
			return err
		}
		_, err := r.Finish(t.Context())
		return err
	})
	if err != nil {
		s.Abort()
		e, _ := errs.As(err)
		return e.Message + " / " + e.Context
	}
	return exec(t, s, "SELECT k, v, v IS NULL FROM c ORDER BY k")
}

// What PostgreSQL 15 makes of the same input.
func TestCopyIn(t *testing.T) {
	_, s := opened(t, Options{})
	exec(t, s, "CREATE TABLE c (k int PRIMARY KEY, v text)")
	for _, c := range []struct{ sql, data, want string }{
		{"COPY c FROM STDIN (FORMAT csv)", "1,plain\n2,\"a, b\"\n", "+ 1 plain f\n+ 2 \"a, b\" f\n"},
		{"COPY c FROM STDIN CSV", "1,\"say \"\"yes\"\"\"\r\n2,pre\"mid\"post\n", "+ 1 \"say \\\"yes\\\"\" f\n+ 2 premidpost f\n"},
		{"COPY c FROM STDIN CSV", "1,\"two\nlines\"\n2,x", "+ 1 \"two\\nlines\" f\n+ 2 x f\n"},
		{"COPY c FROM STDIN CSV", "1,\n2,\"\"\n", "+ 1 NULL t\n+ 2 \"\" f\n"},
		{"COPY c FROM STDIN (FORMAT csv, NULL 'nil')", "1,nil\n2,\"nil\"\n", "+ 1 NULL t\n+ 2 nil f\n"},
		{"COPY c FROM STDIN (FORMAT csv, FORCE_NULL (v))", "1,\"\"\n", "+ 1 NULL t\n"},
		{"COPY c FROM STDIN (FORMAT csv, FORCE_NOT_NULL (v))", "1,\n", "+ 1 \"\" f\n"},
		{"COPY c FROM STDIN (FORMAT csv, QUOTE '''', DELIMITER ';')", "1;'a;b'\n", "+ 1 a;b f\n"},
		{"COPY c FROM STDIN (FORMAT csv, ESCAPE '@')", "1,\"a@\"b\"\n", "+ 1 \"a\\\"b\" f\n"},
		{"COPY c (v, k) FROM STDIN (FORMAT csv, HEADER)", "anything\nx,1\n", "+ 1 x f\n"},
		{"COPY c (v, k) FROM STDIN (FORMAT csv, HEADER match)", "v,k\nx,1\n", "+ 1 x f\n"},
		{"COPY c FROM STDIN (FORMAT csv, HEADER)", "k,\"v\nand more\"\n1,x\n2,y\n", "+ 1 x f\n+ 2 y f\n"},
		{"COPY c FROM STDIN", "1\ttwo\\\nlines\n2\tback\\\\\n3\tx\n", "+ 1 \"two\\nlines\" f\n+ 2 \"back\\\\\" f\n+ 3 x f\n"},
		{"COPY c FROM STDIN CSV", "1,x\n\\.\n2,y\n", "+ 1 x f\n"},
		{"COPY c FROM STDIN", "1\t\\x41\\102\\t\\q\n2\t\\N\n", "+ 1 \"AB\\tq\" f\n+ 2 NULL t\n"},
		{"COPY c (v, k) FROM STDIN (FORMAT csv, HEADER match)", "k,v\n", `column name mismatch in header line field 1: got "k", expected "v" / COPY c, line 1: "k,v"`},
		{"COPY c FROM STDIN (FORMAT csv, HEADER match)", "k\n", `wrong number of fields in header line: got 1, expected 2 / COPY c, line 1: "k"`},
		{"COPY c FROM STDIN CSV", "1,x\n2x,y\n", `invalid input syntax for type integer: "2x" / COPY c, line 2, column k: "2x"`},
		{"COPY c FROM STDIN CSV", "1\n", `missing data for column "v" / COPY c, line 1: "1"`},
		{"COPY c FROM STDIN CSV", "1,2,3\n", `extra data after last expected column / COPY c, line 1: "1,2,3"`},
		{"COPY c FROM STDIN CSV", "1,\"x\n", `unterminated CSV quoted field / COPY c, line 1: "1,"x"`},
		{"COPY c FROM STDIN", "1\t\\xff\n", `invalid byte sequence for encoding "UTF8": 0xff / COPY c, line 1, column v`},
	} {
		if got := copied(t, s, c.sql, c.data); got != c.want {
			t.Errorf("%s of %q\n got %q\nwant %q", c.sql, c.data, got, c.want)
		}
	}
}

func TestCopyOut(t *testing.T) {
	_, s := opened(t, Options{})
	const rows = `(SELECT * FROM (VALUES (1, 'a,b'), (2, NULL), (3, ''), (4, 'say "x"'), (5, E'l1\nl2')) t(k, v) ORDER BY k)`
	for _, c := range []struct{ sql, want string }{
		{"COPY " + rows + " TO STDOUT CSV HEADER", "k,v\n1,\"a,b\"\n2,\n3,\"\"\n4,\"say \"\"x\"\"\"\n5,\"l1\nl2\"\n"},
		{"COPY " + rows + " TO STDOUT (FORMAT csv, FORCE_QUOTE (k), NULL 'nil', DELIMITER ';')",
			"\"1\";a,b\n\"2\";nil\n\"3\";\n\"4\";\"say \"\"x\"\"\"\n\"5\";\"l1\nl2\"\n"},
		{"COPY " + rows + " TO STDOUT (FORMAT csv, QUOTE '''', ESCAPE '@')", "1,'a,b'\n2,\n3,''\n4,say \"x\"\n5,'l1\nl2'\n"},
		{"COPY " + rows + " TO STDOUT (HEADER, DELIMITER '|')", "k|v\n1|a,b\n2|\\N\n3|\n4|say \"x\"\n5|l1\\nl2\n"},
		{`COPY (SELECT E'\\.') TO STDOUT CSV`, "\"\\.\"\n"},
	} {
		var out strings.Builder
		err := s.Simple(t.Context(), c.sql, func(r Result) error { return Unwrap(r).(CopyOut).CopyOut(t.Context(), &out) })
		if err != nil || out.String() != c.want {
			t.Errorf("%s: %v\n got %q\nwant %q", c.sql, err, out.String(), c.want)
		}
	}
}
