package pgtest

import (
	"fmt"
	"testing"
)

func TestServerSurvivesRestartAndCrash(t *testing.T) {
	s := Start(t, Options{Logical: true, Settings: map[string]string{"work_mem": "3MB"}})
	s.Exec("CREATE TABLE t (a int PRIMARY KEY, b text); INSERT INTO t VALUES (1, NULL)")
	s.Restart()
	s.Exec("INSERT INTO t VALUES (2, 'x')")
	s.Crash()
	if got := fmt.Sprint(s.Query("SELECT * FROM t ORDER BY a")); got != "[[1 NULL] [2 x]]" {
		t.Error(got)
	}
	got := fmt.Sprint(s.Query("SELECT current_setting('wal_level'), current_setting('TimeZone'), current_setting('work_mem'), current_setting('lc_collate')"))
	if got != "[[logical UTC 3MB C]]" {
		t.Error(got)
	}
	if _, err := s.Try("SELECT 1/0"); err == nil {
		t.Error("an error of the server must be returned")
	}
	s.Stop()
	if _, err := s.Try("SELECT 1"); err == nil {
		t.Error("a stopped server must not answer")
	}
	if s.Log() == "" {
		t.Error("the server's log is empty")
	}
}

func TestPasswordIsAsked(t *testing.T) {
	s := Start(t, Options{Password: "secret"})
	s.Exec("SELECT 1")
	s.Password = "wrong"
	if _, err := s.Try("SELECT 1"); err == nil {
		t.Error("a wrong password must be refused")
	}
}
