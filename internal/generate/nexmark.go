package generate

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// The auction site of Nexmark: of each 50 events the first tells of a person, the next three of auctions, the others of bids.
// Numbers of people and auctions follow from the number of the event, so that an auction's seller and a bid's auction and
// bidder have appeared before it. Some are hot: most bids go to the newest auctions, most people who act are few.
const (
	peopleOf, auctionsOf, bidsOf = 1, 3, 46
	roundOf                      = peopleOf + auctionsOf + bidsOf

	firstPerson, firstAuction = 1000, 1000
	peopleActive              = 1000 // how many of the newest people act
	auctionsOpen              = 100  // how many auctions there are bids for
	hotAuctions, hotPeople    = 100, 100
	hotSeller, hotAuction     = 4, 2 // one in so many is of another than the hot ones
	firstCategory, categories = 10, 5

	gapDefault  = 100_000 // nanoseconds between the times of two events
	gapMax      = int64(time.Hour)
	perSecondNS = int64(time.Second)
	microNS     = int64(time.Microsecond)
)

// nexmarkBase is when the first event happens.
var nexmarkBase = types.TimestampFromTime(time.Date(2015, 7, 15, 0, 0, 0, 0, time.UTC))

// nexmark makes events.
type nexmark struct{ gap int64 }

// newNexmark makes the rows of one kind of event, whose columns are its members, or events of all kinds, each of which fills
// the struct of its kind.
func newNexmark(o *optionReader, columns []types.Field) *Rule {
	o.text("nexmark.split.num", "") // one process has one generator
	gap := o.int("nexmark.min.event.gap.in.ns", gapDefault, 0, gapMax)
	r := &Rule{Rows: o.int("nexmark.event.num", Endless, 0, Endless)}
	x := &nexmark{gap: gap}
	if gap == 0 { // as many as are taken
		x.gap = gapDefault
	} else {
		r.PerSecond = max(perSecondNS/gap, 1)
	}
	r.row = x.rows(o, strings.ToLower(o.text("nexmark.table.type", "")), columns)
	return r
}

// rows returns what makes a row. The rows of one kind of event are numbered through.
func (x *nexmark) rows(o *optionReader, kind string, columns []types.Field) func(int64, time.Time) types.Row {
	for i, k := range kinds {
		if kind != k.name {
			continue
		}
		pick := membersOf(o, k, columns)
		return func(n int64, _ time.Time) types.Row { return pick(x.event(eventOf(i, n))) }
	}
	if kind != "" {
		o.fail("nexmark.table.type", "it is one of Person, Auction, Bid")
		return nil
	}
	parts := make([]func(event) types.Datum, len(columns))
	for i, c := range columns {
		parts[i] = anyKind(o, c)
	}
	return func(n int64, _ time.Time) types.Row {
		e := x.event(n)
		row := make(types.Row, len(parts))
		for i, p := range parts {
			row[i] = p(e)
		}
		return row
	}
}

// anyKind makes a column of events of all kinds: the kind as a number, or the members of an event of one kind.
func anyKind(o *optionReader, c types.Field) func(event) types.Datum {
	name := strings.ToLower(c.Name)
	if name == "event_type" && c.Type.Kind == types.KindInt8 {
		return func(e event) types.Datum { return types.NewInt(int64(e.kind)) }
	}
	for i, k := range kinds {
		if name != k.name || c.Type.Kind != types.KindStruct {
			continue
		}
		pick := membersOf(o, k, c.Type.Fields)
		return func(e event) types.Datum {
			if e.kind != i {
				return types.Null
			}
			return types.NewStruct(c.Type, pick(e))
		}
	}
	unknownColumn(o, c, "an event has event_type bigint, and person, auction and bid, which are structs")
	return nil
}

// membersOf finds the members of a kind that columns ask for, by name.
func membersOf(o *optionReader, k kind, columns []types.Field) func(event) types.Row {
	at := make([]int, len(columns))
	for i, c := range columns {
		at[i] = -1
		for m, f := range k.members {
			if strings.EqualFold(f.Name, c.Name) && f.Type.Kind == c.Type.Kind {
				at[i] = m
			}
		}
		if at[i] < 0 {
			unknownColumn(o, c, "a "+k.name+" has "+k.String())
		}
	}
	return func(e event) types.Row {
		out := make(types.Row, len(at))
		for i, m := range at {
			out[i] = e.values[m]
		}
		return out
	}
}

func unknownColumn(o *optionReader, c types.Field, has string) {
	if o.err == nil {
		o.err = errs.ColumnNotMade.New("column", c.Name, "type", types.SQLName(c.Type), "has", has)
	}
}

// eventOf is the number of the n-th event of a kind.
func eventOf(kind int, n int64) int64 {
	of, before := kinds[kind].of, int64(0)
	for _, k := range kinds[:kind] {
		before += k.of
	}
	return n/of*roundOf + before + n%of
}

// kind is a kind of event.
type kind struct {
	name    string
	of      int64 // events of a round
	members []types.Field
}

func (k kind) String() string {
	var out []string
	for _, m := range k.members {
		out = append(out, fmt.Sprintf("%s %s", m.Name, types.SQLName(m.Type)))
	}
	return strings.Join(out, ", ")
}

func member(name string, t types.T) types.Field { return types.Field{Name: name, Type: t} }

// kinds are numbered as event_type tells them.
var kinds = []kind{
	{"person", peopleOf, []types.Field{member("id", types.Int8), member("name", types.Varchar), member("email_address", types.Varchar),
		member("credit_card", types.Varchar), member("city", types.Varchar), member("state", types.Varchar),
		member("date_time", types.Timestamp), member("extra", types.Varchar)}},
	{"auction", auctionsOf, []types.Field{member("id", types.Int8), member("item_name", types.Varchar), member("description", types.Varchar),
		member("initial_bid", types.Int8), member("reserve", types.Int8), member("date_time", types.Timestamp),
		member("expires", types.Timestamp), member("seller", types.Int8), member("category", types.Int8), member("extra", types.Varchar)}},
	{"bid", bidsOf, []types.Field{member("auction", types.Int8), member("bidder", types.Int8), member("price", types.Int8),
		member("channel", types.Varchar), member("url", types.Varchar), member("date_time", types.Timestamp), member("extra", types.Varchar)}},
}
