package server_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// load writes to the upstream until it is stopped; pause holds it between two transactions.
type load struct {
	mu     sync.RWMutex // held for reading by a transaction
	cancel context.CancelFunc
	wg     sync.WaitGroup
	counts [killWriters]int // transactions, by writer
}

func startLoad(dsn string) *load {
	l := &load{}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	for w := range killWriters {
		l.wg.Add(1)
		go func() {
			defer l.wg.Done()
			l.client(ctx, dsn, w)
		}()
	}
	return l
}

func (l *load) client(ctx context.Context, dsn string, w int) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return
	}
	defer conn.Close(context.Background())
	rnd := rand.New(rand.NewPCG(5, uint64(w)))
	for ctx.Err() == nil {
		l.mu.RLock()
		if _, err := conn.Exec(ctx, upstreamChange(rnd)); err == nil {
			l.counts[w]++
		}
		l.mu.RUnlock()
		time.Sleep(time.Millisecond) // the machine has other things to do
	}
}

// upstreamChange is one transaction that may find nothing to change. Two of them may also meet in a deadlock, which the
// upstream undoes.
func upstreamChange(rnd *rand.Rand) string {
	table := []string{"orders", "items"}[rnd.IntN(2)]
	id, other := rnd.IntN(killKeys), rnd.IntN(killKeys)
	switch rnd.IntN(5) {
	case 0:
		return fmt.Sprintf("insert into %s values (%d, %d, %d) on conflict do nothing", table, id, id%50, other)
	case 1:
		return fmt.Sprintf("delete from %s where id = %d", table, id)
	case 2: // the key moves
		return fmt.Sprintf("update %s set id = %d where id = %d and not exists (select from %s where id = %d)", table, other, id, table, other)
	case 3:
		return fmt.Sprintf("update orders set v = v + 1 where id between %d and %d; update items set v = v + 1 where id between %d and %d", id, id+5, id, id+5)
	}
	return fmt.Sprintf("update %s set v = v + 1, g = (g + 1) %% 50 where id = %d", table, id)
}

// pause waits for the transactions under way and holds the next ones until rest is called.
func (l *load) pause() (rest func()) {
	l.mu.Lock()
	return l.mu.Unlock
}

func (l *load) written() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.counts {
		n += c
	}
	return n
}

func (l *load) stop() {
	l.cancel()
	l.wg.Wait()
}
