package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
)

// servingRounds is how often each system has its turn, after one to prepare statements and fill caches.
const servingRounds = 7

// serving measures S1, point look-ups by key with a prepared statement, on one connection and on 16. A round is so many
// look-ups on each connection.
func serving(ctx context.Context, p Pair, rows, count int) ([]Figure, error) {
	var out []Figure
	for _, conns := range []int{1, 16} {
		subject, peer, err := lookups(ctx, p, shape{rows, conns, count})
		if err != nil {
			return out, err
		}
		name := fmt.Sprintf("S1 %d look-ups, %d conn.", count*conns, conns)
		out = append(out, figure(name, subject, peer, 2))
	}
	return out, nil
}

// shape is the rows of the table, the connections, and the look-ups of each in a round.
type shape struct{ rows, conns, count int }

// lookups takes rounds in turns.
func lookups(ctx context.Context, p Pair, s shape) (subject, peer []cost, err error) {
	clients := map[string][]*pgx.Conn{}
	err = p.both(func(sys System) error {
		for range s.conns {
			c, err := sys.connect(ctx)
			if err != nil {
				return err
			}
			clients[sys.Name] = append(clients[sys.Name], c)
		}
		return nil
	})
	defer func() {
		for _, cs := range clients {
			for _, c := range cs {
				c.Close(ctx)
			}
		}
	}()
	if err != nil {
		return nil, nil, err
	}
	for round := range servingRounds + 1 {
		err = p.both(func(sys System) error {
			took, err := sys.measured(func() error { return lookupRound(ctx, clients[sys.Name], s) })
			switch {
			case err != nil:
				return err
			case round == 0: // not counted
			case sys == p.Subject:
				subject = append(subject, took)
			default:
				peer = append(peer, took)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return subject, peer, nil
}

// lookupRound runs the look-ups of all connections at a time and checks each answer.
func lookupRound(ctx context.Context, clients []*pgx.Conn, s shape) error {
	errs := make([]error, len(clients))
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() {
			for k := range s.count {
				n := (k*7919 + i*104729) % s.rows
				var v int64
				if errs[i] = c.QueryRow(ctx, "SELECT v FROM t WHERE id = $1", keyOf(n)).Scan(&v); errs[i] != nil {
					return
				}
				if v != int64(n) {
					errs[i] = fmt.Errorf("row %d holds %d", n, v)
					return
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
