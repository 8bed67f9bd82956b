// Package nexmark is the Nexmark benchmark as text: the events of an auction site as lines of CSV, the same for every system,
// and queries over them in the dialects of Tidemark and PostgreSQL.
//
//	rows, err := nexmark.Bid.Rows()
//	for n := range nexmark.Bid.Count(events) {
//		csv = rows.Append(csv, n)
//	}
package nexmark

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/generate"
	"github.com/tidemark-db/tidemark/internal/types"
)

const (
	// Round is the number of events in which all kinds are: one person, three auctions, 46 bids.
	Round = 50
	// Batch is how many events are given to a system at once. It is a whole number of rounds.
	Batch = 10_000
	// gapNS is how far the times of two events are apart: a batch is a second.
	gapNS = 100_000
	// parts are the files of a kind: batches go into them in turns, so that as many readers get on in step.
	parts = 2
)

// Table is one kind of event.
type Table struct {
	Name    string
	Columns string // as CREATE TABLE has them
	share   int    // events of a round
}

// The kinds of events.
var (
	Person = Table{"person", "id bigint PRIMARY KEY, name varchar, email_address varchar, credit_card varchar, city varchar, " +
		"state varchar, date_time timestamp, extra varchar", 1}
	Auction = Table{"auction", "id bigint PRIMARY KEY, item_name varchar, description varchar, initial_bid bigint, reserve bigint, " +
		"date_time timestamp, expires timestamp, seller bigint, category bigint, extra varchar", 3}
	Bid = Table{"bid", "auction bigint, bidder bigint, price bigint, channel varchar, url varchar, date_time timestamp, extra varchar", 46}

	Tables = []Table{Person, Auction, Bid}
)

// Count is how many of the first events are of the kind; events are whole rounds.
func (t Table) Count(events int) int { return events / Round * t.share }

// fields are the columns.
func (t Table) fields() []types.Field {
	kinds := map[string]types.T{"bigint": types.Int8, "varchar": types.Varchar, "timestamp": types.Timestamp}
	var out []types.Field
	for c := range strings.SplitSeq(t.Columns, ", ") {
		words := strings.Fields(c)
		out = append(out, types.Field{Name: words[0], Type: kinds[words[1]]})
	}
	return out
}

// Rows makes the rows of a table. No value has a comma or a quote.
type Rows struct {
	rule   *generate.Rule
	fields []types.Field
}

// Rows starts with the first event.
func (t Table) Rows() (Rows, error) {
	fields := t.fields()
	rule, _, err := generate.New(generate.Nexmark, map[string]string{"nexmark.table.type": t.Name,
		"nexmark.min.event.gap.in.ns": strconv.Itoa(gapNS)}, fields)
	return Rows{rule, fields}, err
}

// Append adds row n as a line of CSV.
func (r Rows) Append(dst []byte, n int) []byte {
	for i, v := range r.rule.Row(int64(n), time.Time{}) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = types.Append(dst, r.fields[i].Type, v, types.Ctx{})
	}
	return append(dst, '\n')
}

// Write makes the files DIRECTORY/TABLE/PART.csv: batch b is in part b % 2.
func Write(directory string, events int) error {
	for _, t := range Tables {
		if err := t.write(filepath.Join(directory, t.Name), events); err != nil {
			return fmt.Errorf("write %s: %w", t.Name, err)
		}
	}
	return nil
}

func (t Table) write(directory string, events int) (err error) {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	rows, err := t.Rows()
	if err != nil {
		return err
	}
	var out [parts]*bufio.Writer
	for i := range out {
		f, err := os.Create(filepath.Join(directory, fmt.Sprintf("%d.csv", i)))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		out[i] = bufio.NewWriter(f)
	}
	var line []byte
	for n := range t.Count(events) {
		line = rows.Append(line[:0], n)
		if _, err := out[n/t.Count(Batch)%parts].Write(line); err != nil {
			return err
		}
	}
	for _, w := range out {
		err = errors.Join(err, w.Flush())
	}
	return err
}
