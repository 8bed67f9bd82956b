package settings

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// ActorsMax bounds the actors of a fragment.
const ActorsMax = 1024

// actorsDefault is the rule of jobs that are created without one.
const actorsDefault = "bounded(64)"

// Actors is how many actors a fragment of a job has: a number, a share of the server's parallelism, or as many as that up to a
// bound. The zero value is the server's parallelism.
type Actors struct {
	Count int
	Share float64
	Bound int
}

// ParseActors reads n, adaptive, default, ratio(share) or bounded(n), for a parameter.
func ParseActors(name, text string) (Actors, error) {
	t := strings.ToLower(strings.TrimSpace(text))
	switch t {
	case "default":
		t = actorsDefault
	case "adaptive", "auto", "0", "":
		return Actors{}, nil
	}
	if arg, ok := argument(t, "ratio"); ok {
		share, err := strconv.ParseFloat(arg, 64)
		if err != nil || !(share > 0 && share <= 1) {
			return Actors{}, errs.SettingValue.New("name", name, "value", text, "why", "A ratio is above 0 and at most 1.")
		}
		return Actors{Share: share}, nil
	}
	arg, bounded := argument(t, "bounded")
	if bounded {
		t = arg
	}
	n, err := (&Def{Name: name, Kind: Int, Min: 1, Max: ActorsMax}).Parse(t)
	if err != nil {
		return Actors{}, err
	}
	count, err := strconv.Atoi(n)
	if bounded {
		return Actors{Bound: count}, err
	}
	return Actors{Count: count}, err
}

// argument is what stands in the parentheses of a rule.
func argument(text, rule string) (string, bool) {
	arg, ok := strings.CutPrefix(text, rule+"(")
	if !ok {
		return "", false
	}
	arg, ok = strings.CutSuffix(arg, ")")
	return strings.TrimSpace(arg), ok
}

func (a Actors) String() string {
	switch {
	case a.Count > 0:
		return strconv.Itoa(a.Count)
	case a.Share > 0:
		return "ratio(" + strconv.FormatFloat(a.Share, 'g', -1, 64) + ")"
	case a.Bound > 0:
		return "bounded(" + strconv.Itoa(a.Bound) + ")"
	}
	return "adaptive"
}

// Of is the number on a server with a parallelism.
func (a Actors) Of(server int) int {
	switch {
	case a.Count > 0:
		return a.Count
	case a.Share > 0:
		return max(int(math.Round(a.Share*float64(server))), 1)
	case a.Bound > 0:
		return min(a.Bound, server)
	}
	return server
}

// checkParallelism accepts what ParseActors does.
func checkParallelism(text string) (string, error) {
	if strings.EqualFold(strings.TrimSpace(text), "default") {
		return "default", nil
	}
	a, err := ParseActors("streaming_parallelism", text)
	return a.String(), err
}
