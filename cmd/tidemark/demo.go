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

	"github.com/tidemark-db/tidemark/internal/server"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/types"
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
func demo(ctx context.Context, w io.Writer, listen string, once bool) error {
	set := settings.NewServer(settings.NewRegistry())
	db, err := session.Open(session.Options{Settings: set, Verifier: server.Verifier})
	if err != nil {
		return err
	}
	srv, err := server.New(db, set, nil)
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", listen)
	if once && err != nil { // a report does not need the port
		ln, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return errors.Join(err, db.Close(context.Background()))
	}
	go srv.Serve(ln)
	d := &demoRun{db: db, w: w, rnd: rand.New(rand.NewPCG(demoSeed, demoSeed))}
	err = d.run(ctx, ln.Addr())
	stop, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return errors.Join(err, srv.Shutdown(stop), db.Close(stop))
}

// demoRun is a demo that is running.
type demoRun struct {
	db     *session.Database
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
	s, err := d.db.NewSession(session.Startup{})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := d.prepare(context.WithoutCancel(ctx), s); err != nil {
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
			return d.show(context.WithoutCancel(ctx), s, started, first)
		case <-show.C:
			if err := d.show(context.WithoutCancel(ctx), s, started, first); err != nil {
				return err
			}
		default:
			if err := d.order(context.WithoutCancel(ctx), s); err != nil {
				return err
			}
		}
	}
}

// prepare makes the tables, their history, and the views over it.
func (d *demoRun) prepare(ctx context.Context, s *session.Session) error {
	script := `CREATE TABLE customers (id int PRIMARY KEY, name text);
		CREATE TABLE orders (id bigint PRIMARY KEY, customer int, amount bigint);
		CREATE TABLE payments (order_id bigint PRIMARY KEY, amount bigint);`
	script += fmt.Sprintf("INSERT INTO customers SELECT g, 'customer ' || g FROM generate_series(1, %d) g;", demoCustomers)
	script += fmt.Sprintf("INSERT INTO orders SELECT g, g %% %d + 1, g * 7919 %% 1000 FROM generate_series(1, %d) g;", demoCustomers, demoHistory)
	script += fmt.Sprintf("INSERT INTO payments SELECT g, 1 FROM generate_series(1, %d) g WHERE g %% 3 <> 0;", demoHistory)
	d.orders = demoHistory
	if _, err := query(ctx, s, script); err != nil {
		return err
	}
	for _, v := range demoViews {
		begun := time.Now()
		if _, err := query(ctx, s, "CREATE MATERIALIZED VIEW "+v.name+" AS "+v.sql); err != nil {
			return err
		}
		fmt.Fprintf(d.w, "view %-10s over %d orders of history: ready in %s\n", v.name, demoHistory, time.Since(begun).Round(time.Millisecond))
	}
	return nil
}

// order adds an order, pays an older one, and measures how long the views take to show it.
func (d *demoRun) order(ctx context.Context, s *session.Session) error {
	d.orders++
	sql := fmt.Sprintf("INSERT INTO orders VALUES (%d, %d, %d); INSERT INTO payments VALUES (%d, 1) ON CONFLICT DO NOTHING",
		d.orders, d.rnd.IntN(demoCustomers)+1, d.rnd.IntN(1000), d.rnd.IntN(d.orders)+1)
	if _, err := query(ctx, s, sql); err != nil {
		return err
	}
	acknowledged := time.Now()
	if _, err := query(ctx, s, "SELECT count(*) FROM big_orders"); err != nil {
		return err
	}
	d.fresh = time.Since(acknowledged)
	return nil
}

// show prints the views.
func (d *demoRun) show(ctx context.Context, s *session.Session, started time.Time, first int) error {
	rate := float64(d.orders-first) / time.Since(started).Seconds()
	fmt.Fprintf(d.w, "%d orders, %.0f a second, last one visible %s after its acknowledgement\n", d.orders, rate, d.fresh.Round(100*time.Microsecond))
	for _, v := range demoViews {
		rows, err := query(ctx, s, v.show)
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

// query runs a text and returns the rows of its last statement, printed.
func query(ctx context.Context, s *session.Session, sql string) (rows []string, err error) {
	err = s.Simple(ctx, sql, func(r session.Result) error {
		rows = nil
		for {
			c, err := r.Next(ctx)
			if err != nil {
				return err
			}
			if c == nil {
				_, err := r.Finish(ctx)
				return err
			}
			for i := range c.Rows() {
				line := ""
				for j, v := range c.Cols {
					if !v.IsNull(i) {
						line += fmt.Sprintf("%-14s", types.Format(r.Columns()[j].Type, v.Datum(i), s.TextContext()))
					}
				}
				rows = append(rows, line)
			}
		}
	})
	if err != nil {
		s.Abort()
	}
	return rows, err
}
