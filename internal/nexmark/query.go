package nexmark

import (
	"fmt"
	"slices"
	"strings"
)

// Query is one of the benchmark's queries.
type Query struct {
	Name   string
	Tables []Table // whose events it is given, in this order
	SQL    string
	Peer   string // PostgreSQL's text where it differs, which has no windows in time
}

// Oracle is the text for PostgreSQL.
func (q Query) Oracle() string {
	if q.Peer != "" {
		return q.Peer
	}
	return q.SQL
}

// Names are those of all queries, in order.
func Names() (out []string) {
	for _, q := range Queries {
		out = append(out, q.Name)
	}
	return out
}

// Pick finds queries by name, in the order of Queries; no names: all.
func Pick(names []string) (out []Query, err error) {
	for _, n := range names {
		if !slices.Contains(Names(), n) {
			return nil, fmt.Errorf("there is no query %q: %s", n, strings.Join(Names(), ", "))
		}
	}
	for _, q := range Queries {
		if len(names) == 0 || slices.Contains(names, q.Name) {
			out = append(out, q)
		}
	}
	return out, nil
}

var (
	bids  = []Table{Bid}
	sites = []Table{Auction, Bid}
	sales = []Table{Person, Auction}
)

// Queries are those that Tidemark runs. Where Nexmark leaves open which of equal rows wins, the earlier one does. Averages are whole
// numbers, cut, since systems differ in how they print others.
var Queries = []Query{
	{Name: "q0", Tables: bids, SQL: "SELECT auction, bidder, price, date_time, extra FROM bid"},
	{Name: "q1", Tables: bids, SQL: "SELECT auction, bidder, 0.908 * price AS price, date_time, extra FROM bid"},
	{Name: "q2", Tables: bids, SQL: "SELECT auction, price FROM bid WHERE auction % 123 = 0"},
	{Name: "q3", Tables: sales, SQL: `
SELECT p.name, p.city, p.state, a.id FROM auction a JOIN person p ON a.seller = p.id
WHERE a.category = 10 AND p.state IN ('or', 'id', 'ca')`},
	{Name: "q4", Tables: sites, SQL: `
SELECT category, trunc(avg(final))::bigint AS average FROM (
	SELECT a.id, a.category, max(b.price) AS final FROM auction a
	JOIN bid b ON a.id = b.auction AND b.date_time BETWEEN a.date_time AND a.expires GROUP BY a.id, a.category) w
GROUP BY category`},
	{Name: "q5", Tables: bids, SQL: `
WITH n AS (
	SELECT auction, window_start, count(*) AS bids FROM HOP(bid, date_time, INTERVAL '2 seconds', INTERVAL '10 seconds')
	GROUP BY auction, window_start)
SELECT n.window_start, n.auction, n.bids FROM n JOIN (SELECT window_start, max(bids) AS most FROM n GROUP BY window_start) m
ON n.window_start = m.window_start AND n.bids = m.most`, Peer: `
WITH n AS (
	SELECT auction, date_bin('2 seconds', date_time, '2000-01-01') - back * INTERVAL '2 seconds' AS window_start, count(*) AS bids
	FROM bid, generate_series(0, 4) back GROUP BY 1, 2)
SELECT window_start, auction, bids FROM (SELECT *, max(bids) OVER (PARTITION BY window_start) AS most FROM n) r WHERE bids = most`},
	{Name: "q7", Tables: bids, SQL: `
WITH w AS (SELECT * FROM TUMBLE(bid, date_time, INTERVAL '10 seconds'))
SELECT w.auction, w.bidder, w.price, w.date_time, w.extra FROM w
JOIN (SELECT window_start, max(price) AS most FROM w GROUP BY window_start) m ON w.window_start = m.window_start AND w.price = m.most`,
		Peer: `
SELECT auction, bidder, price, date_time, extra FROM (
	SELECT *, max(price) OVER (PARTITION BY date_bin('10 seconds', date_time, '2000-01-01')) AS most FROM bid) r
WHERE price = most`},
	{Name: "q8", Tables: sales, SQL: `
SELECT p.id, p.name, p.window_start FROM TUMBLE(person, date_time, INTERVAL '10 seconds') p
JOIN (SELECT seller, window_start FROM TUMBLE(auction, date_time, INTERVAL '10 seconds') GROUP BY seller, window_start) s
ON p.id = s.seller AND p.window_start = s.window_start`, Peer: `
SELECT p.id, p.name, date_bin('10 seconds', p.date_time, '2000-01-01') FROM person p WHERE EXISTS (
	SELECT FROM auction a WHERE a.seller = p.id
	AND date_bin('10 seconds', a.date_time, '2000-01-01') = date_bin('10 seconds', p.date_time, '2000-01-01'))`},
	{Name: "q9", Tables: sites, SQL: `
SELECT id, item_name, description, initial_bid, reserve, date_time, expires, seller, category, extra, bidder, price, bid_time, bid_extra
FROM (
	SELECT a.*, b.bidder, b.price, b.date_time AS bid_time, b.extra AS bid_extra,
		row_number() OVER (PARTITION BY a.id ORDER BY b.price DESC, b.date_time) AS place
	FROM auction a JOIN bid b ON a.id = b.auction AND b.date_time BETWEEN a.date_time AND a.expires) r
WHERE place = 1`},
	{Name: "q15", Tables: bids, SQL: "SELECT date_time::date AS day, " + counts + " FROM bid GROUP BY date_time::date"},
	{Name: "q16", Tables: bids, SQL: "SELECT channel, date_time::date AS day, max(to_char(date_time, 'HH24:MI')) AS minute, " + counts +
		" FROM bid GROUP BY channel, date_time::date"},
	{Name: "q17", Tables: bids, SQL: `
SELECT auction, date_time::date AS day, count(*) AS bids, count(*) FILTER (WHERE price < 10000) AS low,
	count(*) FILTER (WHERE price >= 10000 AND price < 1000000) AS middle, count(*) FILTER (WHERE price >= 1000000) AS high,
	min(price) AS lowest, max(price) AS highest, trunc(avg(price))::bigint AS average, sum(price) AS total
FROM bid GROUP BY auction, date_time::date`},
	{Name: "q18", Tables: bids, SQL: `
SELECT auction, bidder, price, channel, url, date_time, extra FROM (
	SELECT *, row_number() OVER (PARTITION BY bidder, auction ORDER BY date_time DESC) AS place FROM bid) r
WHERE place = 1`},
	{Name: "q19", Tables: bids, SQL: `
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY auction ORDER BY price DESC, date_time) AS place FROM bid) r
WHERE place <= 10`},
	{Name: "q20", Tables: sites, SQL: `
SELECT b.auction, b.bidder, b.price, b.channel, b.url, b.date_time, b.extra, a.item_name, a.description, a.initial_bid, a.reserve,
	a.date_time AS opened, a.expires, a.seller, a.category, a.extra AS auction_extra
FROM bid b JOIN auction a ON b.auction = a.id WHERE a.category = 10`},
}

// counts are what q15 and q16 count: bids, bidders and auctions, of all prices and of three classes of them.
const counts = `count(*) AS bids, count(*) FILTER (WHERE price < 10000) AS low,
	count(*) FILTER (WHERE price >= 10000 AND price < 1000000) AS middle, count(*) FILTER (WHERE price >= 1000000) AS high,
	count(DISTINCT bidder) AS bidders, count(DISTINCT bidder) FILTER (WHERE price < 10000) AS low_bidders,
	count(DISTINCT bidder) FILTER (WHERE price >= 10000 AND price < 1000000) AS middle_bidders,
	count(DISTINCT bidder) FILTER (WHERE price >= 1000000) AS high_bidders,
	count(DISTINCT auction) AS auctions, count(DISTINCT auction) FILTER (WHERE price < 10000) AS low_auctions,
	count(DISTINCT auction) FILTER (WHERE price >= 10000 AND price < 1000000) AS middle_auctions,
	count(DISTINCT auction) FILTER (WHERE price >= 1000000) AS high_auctions`
