// Command embed is a program with a database inside: a leaderboard that follows every game, without a server.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/tidemark-db/tidemark"
)

func main() {
	dir := tidemark.Memory
	if len(os.Args) > 1 {
		dir = os.Args[1] // the games of earlier runs are there, too
	}
	if err := run(context.Background(), dir, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

const schema = `
	CREATE TABLE IF NOT EXISTS games (id bigint PRIMARY KEY, player text NOT NULL, points bigint NOT NULL);
	CREATE MATERIALIZED VIEW IF NOT EXISTS leaders AS
		SELECT player, sum(points) AS points FROM games GROUP BY player HAVING sum(points) >= 10;`

// run plays a few games and prints what happens to the leaderboard.
func run(ctx context.Context, dir string, w io.Writer) (err error) {
	db, err := tidemark.Open(dir, tidemark.Options{})
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := db.Close(); err == nil {
			err = closeErr
		}
	}()
	if _, err := db.Exec(ctx, schema); err != nil {
		return err
	}
	sub, err := db.Subscribe(ctx, "leaders")
	if err != nil {
		return err
	}
	defer sub.Close()
	if err := follow(sub, w); err != nil { // the snapshot
		return err
	}
	for i, g := range []struct {
		player string
		points int
	}{{"ann", 12}, {"bob", 11}, {"ann", 5}, {"bob", -4}} {
		const play = "INSERT INTO games SELECT count(*), $1, $2 FROM games"
		if _, err := db.Exec(ctx, play, g.player, g.points); err != nil {
			return err
		}
		fmt.Fprintf(w, "game %d: %s %+d\n", i+1, g.player, g.points)
		if err := follow(sub, w); err != nil {
			return err
		}
	}
	return nil
}

// follow prints the events up to the next epoch that is complete.
func follow(sub *tidemark.Subscription, w io.Writer) error {
	for sub.Next() {
		e := sub.Event()
		if e.Op == tidemark.Progress {
			return nil
		}
		fmt.Fprintf(w, "  %c %v\n", e.Op, e.Row)
	}
	return sub.Err()
}
