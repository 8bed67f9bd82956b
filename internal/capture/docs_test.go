package capture_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testDocs runs the examples of docs/sources.md against the server at hand.
func testDocs(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE orders (id int PRIMARY KEY, person int, amount int); INSERT INTO orders VALUES (1, 1, 5), (2, 1, 6); CREATE TABLE people (id int PRIMARY KEY, name text)")
	page, err := os.ReadFile("../../docs/sources.md")
	if err != nil {
		t.Fatal(err)
	}
	here := strings.NewReplacer("'localhost'", "'"+pg.Host+"'", "username = 'u'", fmt.Sprintf("port = '%d', username = 'postgres'", pg.Port),
		"port = '5432', ", "", "'shop'", "'postgres'")
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(block[1], "CREATE TABLE orders") {
			w.exec("DROP TABLE IF EXISTS orders CASCADE")
		}
		w.exec(here.Replace(block[1]))
		if strings.Contains(block[1], "CREATE SOURCE readings") {
			w.exec("DROP SOURCE readings; DROP SOURCE bids") // rows made by rule, which go on
		} else {
			w.same("SELECT * FROM orders")
		}
	}
}
