package errs

var WatermarkType = register(Entry{
	Code: "TM-WM-001", SQLState: "42804", Class: User,
	Message:  "The return value type of the watermark expression must be identical to the watermark column data type. Current data type of watermark return value: `{have}`, column `{want}`",
	Meaning:  "a watermark is compared with the column, so it has the column's type: a timestamp, a date or an integer",
	When:     "CREATE TABLE ... (WATERMARK FOR c AS e) and e is of another type than c",
	Remedies: []string{"subtract what fits the type: `CREATE TABLE t (at timestamp, WATERMARK FOR at AS at - INTERVAL '5 seconds');`"},
})

var WatermarkInvalid = register(Entry{
	Code: "TM-WM-002", SQLState: "42P16", Class: User,
	Message:  "the watermark of column \"{column}\" must grow with it",
	Meaning:  "a watermark is the greatest value of an expression over the column alone, such as the column less an interval; another expression says nothing of the rows to come",
	When:     "CREATE TABLE ... (WATERMARK FOR c AS e) and e names other columns, looks at the time, falls when c grows, or c is no timestamp, date or integer",
	Remedies: []string{"`CREATE TABLE t (at timestamp, WATERMARK FOR at AS at - INTERVAL '5 seconds');`"},
})

var EmitNeedsWatermark = register(Entry{
	Code: "TM-WM-003", SQLState: "0A000", Class: User,
	Message: "EMIT ON WINDOW CLOSE needs a watermark on what the query is grouped, partitioned or ordered by",
	Meaning: "rows are emitted once no later row can change them, which only a watermark tells; none reaches the columns that close the rows of this query",
	When:    "CREATE MATERIALIZED VIEW ... EMIT ON WINDOW CLOSE over a table without WATERMARK FOR, or a query that groups by, partitions by and orders by nothing made of its column",
	Remedies: []string{"declare one and group by a window of its column: `CREATE TABLE t (at timestamp, WATERMARK FOR at AS at - INTERVAL '5 seconds');`, then `CREATE MATERIALIZED VIEW v AS SELECT window_start, count(*) FROM tumble(t, at, INTERVAL '1 minute') GROUP BY window_start EMIT ON WINDOW CLOSE;`",
		"leave EMIT ON WINDOW CLOSE out: the view then shows each window as it is now"},
})

var EmitOpenFrame = register(Entry{
	Code: "TM-WM-004", SQLState: "0A000", Class: User,
	Message:  "EMIT ON WINDOW CLOSE with {what} would never emit a row",
	Meaning:  "the function looks at rows without a bound ahead of its own, so no watermark tells when its value is final",
	When:     "CREATE MATERIALIZED VIEW ... EMIT ON WINDOW CLOSE with a window function over UNBOUNDED FOLLOWING, or ntile, percent_rank, cume_dist, or a session",
	Remedies: []string{"bound the frame, as in `SELECT sum(n) OVER (ORDER BY at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t;`", "partition by a window of the watermark's column"},
})
