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

// servingTarget is how long look-ups may take, in times of the peer's: 0.7 of its throughput.
const servingTarget = 1.43

// serving measures S1, point look-ups by key with a prepared statement, on one connection and on 16. A round is so many
// look-ups on each connection.
func serving(ctx context.Context, f Field, rows, count int) ([]Figure, error) {
	var out []Figure
	for _, conns := range []int{1, 16} {
		costs, err := lookups(ctx, []System{f.Peer, f.Subject}, shape{rows, conns, count})
		if err != nil {
			return out, err
		}
		figure := figure(fmt.Sprintf("S1 %d look-ups, %d conn.", count*conns, conns), costs[f.Subject])
		figure.Peer = figure.against(costs[f.Peer], servingTarget, 0)
		out = append(out, figure)
	}
	return out, nil
}

// shape is the rows of the table, the connections, and the look-ups of each in a round.
type shape struct{ rows, conns, count int }

// lookups takes rounds in turns.
func lookups(ctx context.Context, systems []System, s shape) (map[System][]cost, error) {
	clients := map[string][]*pgx.Conn{}
	err := each(systems, func(sys System) error {
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
		return nil, err
	}
	costs := map[System][]cost{}
	for round := range servingRounds + 1 {
		err = each(systems, func(sys System) error {
			took, err := sys.measured(func() error { return lookupRound(ctx, clients[sys.Name], s) })
			if err == nil && round > 0 { // the first one is not counted
				costs[sys] = append(costs[sys], took)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return costs, nil
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
