package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark-db/tidemark"
)

// The demo's shape: history first, then a live stream.
const (
	demoCustomers = 20
	demoHistory   = 5000
	demoSeed      = 7
	demoOnce      = 2 * time.Second
)

func demoCommand() *cobra.Command {
	var once bool
	var listen string
	cmd := &cobra.Command{Use: "demo", Short: "Watch views follow a live stream of orders and payments", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			if once {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, demoOnce)
				defer cancel()
			}
			return demo(ctx, cmd.OutOrStdout(), listen, once)
		}}
	cmd.Flags().BoolVar(&once, "once", false, "run for two seconds, print a report and end")
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:4566", "address for psql")
	return cmd
}

// demo runs a database in memory, feeds it, and shows its views until the context ends.
func demo(ctx context.Context, w io.Writer, address string, once bool) error {
	db, err := tidemark.Open(tidemark.Memory, tidemark.Options{Dedicated: true})
	if err != nil {
		return err
	}
	_, at, err := listen(db, address)
	if once && err != nil { // a report does not need the port
		_, at, err = listen(db, "127.0.0.1:0")
	}
	if err == nil {
		d := &demoRun{db: db, w: w, rnd: rand.New(rand.NewPCG(demoSeed, demoSeed))}
		err = d.run(ctx, at)
	}
	return errors.Join(err, db.Close())
}

// demoRun is a demo that is running.
type demoRun struct {
	db     *tidemark.DB
	w      io.Writer
	rnd    *rand.Rand
	orders int
	fresh  time.Duration // of the last order: from acknowledged to visible in the views
}

// demoViews are the views that the demo shows.
var demoViews = []struct{ name, sql, show string }{
	{"big_orders", "SELECT id, customer, amount FROM orders WHERE amount >= 950",
		"SELECT id, customer, amount FROM big_orders ORDER BY id DESC LIMIT 3"},
	{"revenue", "SELECT c.name, count(*) AS orders, sum(o.amount) AS revenue FROM orders o JOIN customers c ON o.customer = c.id GROUP BY c.name",
		"SELECT name, orders, revenue FROM revenue ORDER BY revenue DESC LIMIT 3"},
	{"unpaid", "SELECT o.customer, count(*) AS open FROM orders o LEFT JOIN payments p ON p.order_id = o.id WHERE p.order_id IS NULL GROUP BY o.customer",
		"SELECT customer, open FROM unpaid ORDER BY open DESC LIMIT 3"},
}

func (d *demoRun) run(ctx context.Context, addr net.Addr) error {
	if err := d.prepare(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	host, port, _ := net.SplitHostPort(addr.String())
	fmt.Fprintf(d.w, "connect with: psql -h %s -p %s -U root -d dev\n\n", host, port)
	started, first := time.Now(), d.orders
	show := time.NewTicker(time.Second)
	defer show.Stop()
	for {
		select {
		case <-ctx.Done():
			return d.show(context.WithoutCancel(ctx), started, first)
		case <-show.C:
			if err := d.show(context.WithoutCancel(ctx), started, first); err != nil {
				return err
			}
		default:
			if err := d.order(context.WithoutCancel(ctx)); err != nil {
				return err
			}
		}
	}
}

// prepare makes the tables, their history, and the views over it.
func (d *demoRun) prepare(ctx context.Context) error {
	script := `CREATE TABLE customers (id int PRIMARY KEY, name text);
		CREATE TABLE orders (id bigint PRIMARY KEY, customer int, amount bigint);
		CREATE TABLE payments (order_id bigint PRIMARY KEY, amount bigint);`
	script += fmt.Sprintf("INSERT INTO customers SELECT g, 'customer ' || g FROM generate_series(1, %d) g;", demoCustomers)
	script += fmt.Sprintf("INSERT INTO orders SELECT g, g %% %d + 1, g * 7919 %% 1000 FROM generate_series(1, %d) g;", demoCustomers, demoHistory)
	script += fmt.Sprintf("INSERT INTO payments SELECT g, 1 FROM generate_series(1, %d) g WHERE g %% 3 <> 0;", demoHistory)
	d.orders = demoHistory
	if _, err := d.db.Exec(ctx, script); err != nil {
		return err
	}
	for _, v := range demoViews {
		begun := time.Now()
		if _, err := d.db.Exec(ctx, "CREATE MATERIALIZED VIEW "+v.name+" AS "+v.sql); err != nil {
			return err
		}
		fmt.Fprintf(d.w, "view %-10s over %d orders of history: ready in %s\n", v.name, demoHistory, time.Since(begun).Round(time.Millisecond))
	}
	return nil
}

// order adds an order, pays an older one, and measures how long the views take to show it.
func (d *demoRun) order(ctx context.Context) error {
	d.orders++
	sql := fmt.Sprintf("INSERT INTO orders VALUES (%d, %d, %d); INSERT INTO payments VALUES (%d, 1) ON CONFLICT DO NOTHING",
		d.orders, d.rnd.IntN(demoCustomers)+1, d.rnd.IntN(1000), d.rnd.IntN(d.orders)+1)
	if _, err := d.db.Exec(ctx, sql); err != nil {
		return err
	}
	acknowledged := time.Now()
	if _, err := d.db.Exec(ctx, "SELECT count(*) FROM big_orders"); err != nil {
		return err
	}
	d.fresh = time.Since(acknowledged)
	return nil
}

// show prints the views.
func (d *demoRun) show(ctx context.Context, started time.Time, first int) error {
	rate := float64(d.orders-first) / time.Since(started).Seconds()
	fmt.Fprintf(d.w, "%d orders, %.0f a second, last one visible %s after its acknowledgement\n", d.orders, rate, d.fresh.Round(100*time.Microsecond))
	for _, v := range demoViews {
		rows, err := d.rows(ctx, v.show)
		if err != nil {
			return err
		}
		fmt.Fprintf(d.w, "  %s\n", v.name)
		for _, r := range rows {
			fmt.Fprintf(d.w, "    %s\n", r)
		}
	}
	return nil
}

// rows returns the rows of a query, printed.
func (d *demoRun) rows(ctx context.Context, sql string) (out []string, err error) {
	rows, err := d.db.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return nil, err
		}
		line := ""
		for _, v := range values {
			line += fmt.Sprintf("%-14v", v)
		}
		out = append(out, line)
	}
	return out, rows.Err()
}
