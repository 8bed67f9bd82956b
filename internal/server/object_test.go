package server

import "testing"

// SQLAlchemy asks for a table's columns with its name as a parameter of type regclass.
func TestObjectsAreParametersByName(t *testing.T) {
	for _, mode := range []string{"cache_statement", "cache_describe", "describe_exec", "exec", "simple_protocol"} {
		conn := connect(t, serve(t), "default_query_exec_mode="+mode)
		if _, err := conn.Exec(t.Context(), "CREATE TABLE crew (id int PRIMARY KEY, name text)"); err != nil {
			t.Fatal(mode, err)
		}
		var columns int
		var name string
		err := conn.QueryRow(t.Context(), "SELECT count(*), min(attrelid::regclass::text) FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0", "crew").Scan(&columns, &name)
		if err != nil || columns != 2 || name != "crew" {
			t.Errorf("%s: %d columns of %q, %v", mode, columns, name, err)
		}
		if err := conn.QueryRow(t.Context(), "SELECT $1::regclass::text", "crow").Scan(&name); err == nil {
			t.Errorf("%s: a table that is not there is %q", mode, name)
		}
	}
}

// JDBC passes the OUT parameters of a function as values of type void, which are no arguments.
func TestOutParametersAreNoArguments(t *testing.T) {
	conn := connect(t, serve(t), "").PgConn()
	const void, text = 2278, 25
	got := conn.ExecParams(t.Context(), "SELECT * FROM upper($1, $2) AS result", [][]byte{nil, []byte("abc")}, []uint32{void, text}, nil, nil).Read()
	if got.Err != nil || len(got.Rows) != 1 || string(got.Rows[0][0]) != "ABC" {
		t.Errorf("%q, %v", got.Rows, got.Err)
	}
}
