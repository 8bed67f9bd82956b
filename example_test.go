package tidemark_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"

	"github.com/tidemark-db/tidemark"
)

// A view is current as soon as a write is acknowledged.
func ExampleOpen() {
	ctx := context.Background()
	db, err := tidemark.Open(tidemark.Memory, tidemark.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(ctx, `
		CREATE TABLE orders (id int PRIMARY KEY, customer text, amount bigint);
		CREATE MATERIALIZED VIEW revenue AS SELECT customer, sum(amount) AS total FROM orders GROUP BY customer;`); err != nil {
		log.Fatal(err)
	}
	res, err := db.Exec(ctx, "INSERT INTO orders VALUES ($1, $2, $3), (2, $2, 30)", 1, "ann", 10)
	if err != nil {
		log.Fatal(err)
	}
	var total int64
	if err := db.QueryRow(ctx, "SELECT total FROM revenue WHERE customer = $1", "ann").Scan(&total); err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.RowsAffected, total)
	// Output: 2 40
}

func ExampleDB_Query() {
	ctx := context.Background()
	db, err := tidemark.Open(tidemark.Memory, tidemark.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(ctx, "SELECT g, g * 0.5 AS half, CASE WHEN g > 1 THEN 'many' END AS word FROM generate_series(1, $1) g", 2)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for _, c := range rows.Columns() {
		fmt.Println(c.Name, c.Type)
	}
	for rows.Next() {
		var g int
		var half float64
		var word *string // NULL is nil
		if err := rows.Scan(&g, &half, &word); err != nil {
			log.Fatal(err)
		}
		fmt.Println(g, half, word == nil)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// g integer
	// half numeric
	// word text
	// 1 0.5 true
	// 2 1 false
}

func ExampleDB_Subscribe() {
	ctx := context.Background()
	db, err := tidemark.Open(tidemark.Memory, tidemark.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(ctx, `
		CREATE TABLE t (id int PRIMARY KEY, v int);
		INSERT INTO t VALUES (1, 10);
		CREATE MATERIALIZED VIEW sums AS SELECT sum(v) AS s FROM t;`); err != nil {
		log.Fatal(err)
	}
	sub, err := db.Subscribe(ctx, "sums")
	if err != nil {
		log.Fatal(err)
	}
	defer sub.Close()
	for step := 0; step < 2 && sub.Next(); {
		e := sub.Event()
		if e.Op != tidemark.Progress {
			fmt.Printf("%c %v\n", e.Op, e.Row)
			continue
		}
		fmt.Println("complete") // what was printed so far adds up to the view
		if step++; step == 1 {
			if _, err := db.Exec(ctx, "INSERT INTO t VALUES (2, 5)"); err != nil {
				log.Fatal(err)
			}
		}
	}
	// Output:
	// + [10]
	// complete
	// - [10]
	// + [15]
	// complete
}

// An error tells what to do; its SQLSTATE is PostgreSQL's.
func ExampleError() {
	db, err := tidemark.Open(tidemark.Memory, tidemark.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(context.Background(), "SELECT * FROM nowhere")
	var e *tidemark.Error
	if errors.As(err, &e) {
		fmt.Println(e.State, e.Message, e.Position)
	}
	// Output: 42P01 relation "nowhere" does not exist 15
}

// The driver of database/sql.
func Example_databaseSQL() {
	db, err := sql.Open("tidemark", tidemark.Memory) // or a directory
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t (id int PRIMARY KEY, name text)"); err != nil {
		log.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := tx.Exec("INSERT INTO t VALUES ($1, $2)", 1, "x"); err != nil {
		log.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		log.Fatal(err)
	}
	var name string
	if err := db.QueryRow("SELECT name FROM t WHERE id = $1", 1).Scan(&name); err != nil {
		log.Fatal(err)
	}
	fmt.Println(name)
	// Output: x
}
