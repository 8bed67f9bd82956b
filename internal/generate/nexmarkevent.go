package generate

import (
	"fmt"
	"math"

	"github.com/tidemark-db/tidemark/internal/types"
)

var (
	firstNames = []string{"ada", "bruno", "clara", "dario", "edda", "felix", "greta", "hugo", "ines", "jonas", "karla"}
	lastNames  = []string{"archer", "baker", "carter", "draper", "fisher", "glover", "hooper", "mason", "porter", "weaver"}
	cities     = []string{"phoenix", "los angeles", "san francisco", "boise", "portland", "bend", "redmond", "seattle", "kent", "cheyenne"}
	states     = []string{"az", "ca", "id", "or", "wa", "wy"}
	hotNames   = []string{"google", "facebook", "baidu", "apple"}
)

const (
	channels     = 10_000
	hotChannels  = 2 // one bid in so many comes through another channel
	priceDigits  = 6
	extraLength  = 20
	itemLength   = 20
	detailLength = 60
)

// event is an event with the members of its kind.
type event struct {
	kind   int
	values []types.Datum
}

// event makes event n.
func (x *nexmark) event(n int64) event {
	d := roll(0, n)
	at := nexmarkBase + n/microNS*x.gap + n%microNS*x.gap/microNS
	switch in := n % roundOf; {
	case in < peopleOf:
		return event{0, person(d, n, at)}
	case in < peopleOf+auctionsOf:
		return event{1, x.auction(d, n, at)}
	}
	return event{2, bid(d, n, at)}
}

// lastPerson and lastAuction are the newest that event n may speak of, counted from 0.
func lastPerson(n int64) int64 { return n / roundOf * peopleOf }

func lastAuction(n int64) int64 {
	return n/roundOf*auctionsOf + min(max(n%roundOf-peopleOf, 0), auctionsOf-1)
}

func text(s string) types.Datum { return types.NewBytes(s) }

func person(d *dice, n, at int64) []types.Datum {
	first, last := d.pick(firstNames), d.pick(lastNames)
	card := fmt.Sprintf("%04d %04d %04d %04d", d.below(10000), d.below(10000), d.below(10000), d.below(10000))
	return []types.Datum{types.NewInt(firstPerson + lastPerson(n)), text(first + " " + last),
		text(d.word(7) + "@" + d.word(5) + ".com"), text(card), text(d.pick(cities)), text(d.pick(states)),
		types.NewInt(at), text(d.word(extraLength))}
}

func (x *nexmark) auction(d *dice, n, at int64) []types.Datum {
	seller := someone(d, n, hotSeller)
	initial := price(d)
	// It is open while as many more auctions begin as are open at a time, twice as long at most.
	open := auctionsOpen * roundOf / auctionsOf * x.gap / microNS
	expires := at + 1 + d.below(max(2*open, 1))
	return []types.Datum{types.NewInt(firstAuction + lastAuction(n)), text(d.word(itemLength)), text(d.word(detailLength)),
		types.NewInt(initial), types.NewInt(initial + price(d)), types.NewInt(at), types.NewInt(expires),
		types.NewInt(seller), types.NewInt(firstCategory + d.below(categories)), text(d.word(extraLength))}
}

func bid(d *dice, n, at int64) []types.Datum {
	newest := lastAuction(n)
	auction := newest / hotAuctions * hotAuctions
	if d.below(hotAuction) == 0 {
		auction = newest - d.below(min(newest+1, auctionsOpen))
	}
	channel, site := d.pick(hotNames), "hot"
	if d.below(hotChannels) == 0 {
		c := d.below(channels)
		channel, site = fmt.Sprintf("channel-%d", c), fmt.Sprintf("%d", c)
	}
	url := "https://www.nexmark.com/" + d.word(4) + "/" + d.word(5) + "/item.htm?query=1&channel_id=" + site
	bidder := someone(d, n, hotSeller)
	return []types.Datum{types.NewInt(firstAuction + auction), types.NewInt(bidder), types.NewInt(price(d)),
		text(channel), text(url), types.NewInt(at), text(d.word(extraLength))}
}

// someone is a person who acts: a hot one, or one in so many times any of the newest.
func someone(d *dice, n, one int64) int64 {
	newest := lastPerson(n)
	p := newest / hotPeople * hotPeople
	if d.below(one) == 0 {
		p = newest - d.below(min(newest+1, peopleActive))
	}
	return firstPerson + p
}

// price is spread over powers of ten.
func price(d *dice) int64 { return int64(math.Pow(10, d.unit()*priceDigits) * 100) }
