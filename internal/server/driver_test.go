package server

import (
	"bytes"
	"testing"
)

// psycopg calls a list of lists int2[], the type that the protocol has for arrays of any number of dimensions.
func TestParameterTakesDimensions(t *testing.T) {
	conn := connect(t, serve(t), "").PgConn()
	if _, err := conn.Exec(t.Context(), "CREATE TABLE grid (cells int[][])").ReadAll(); err != nil {
		t.Fatal(err)
	}
	const int2Array = 1005
	value := [][]byte{[]byte("{{1,2},{3,4}}")}
	if r := conn.ExecParams(t.Context(), "INSERT INTO grid VALUES ($1)", value, []uint32{int2Array}, nil, nil).Read(); r.Err != nil {
		t.Fatal(r.Err)
	}
	r := conn.ExecParams(t.Context(), "SELECT cells[2][1], $1::int[][] FROM grid", value, []uint32{int2Array}, nil, nil).Read()
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	if got := string(bytes.Join(r.Rows[0], []byte(" "))); got != "3 {{1,2},{3,4}}" {
		t.Error(got)
	}
}

// messages keeps each write apart.
type messages [][]byte

func (m *messages) Write(b []byte) (int, error) {
	*m = append(*m, bytes.Clone(b))
	return len(b), nil
}

// psycopg takes the header off the first message of a binary COPY and reads a row from the rest of it.
func TestCopyHeaderSharesMessage(t *testing.T) {
	conn := connect(t, serve(t), "").PgConn()
	for sql, want := range map[string]int{
		"COPY (VALUES (1), (2)) TO STDOUT (FORMAT binary)":                3,
		"COPY (SELECT 1 WHERE false) TO STDOUT (FORMAT binary)":           1,
		"COPY (VALUES (1), (2)) TO STDOUT (FORMAT csv, HEADER)":           3,
		"COPY (SELECT 1 WHERE false) TO STDOUT (FORMAT csv)":              0,
		"COPY (SELECT 1 WHERE false) TO STDOUT WITH (FORMAT csv, HEADER)": 1,
	} {
		var got messages
		if _, err := conn.CopyTo(t.Context(), &got, sql); err != nil {
			t.Fatal(err)
		}
		if len(got) != want {
			t.Errorf("%s: %q", sql, got)
		}
	}
}
