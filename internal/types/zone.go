package types

import (
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// ParseZone finds a time zone: a name of the IANA database in any case, a usual abbreviation, or an offset in POSIX
// form, where a positive number lies west of UTC as in PostgreSQL (UTC+3, +03).
func ParseZone(name string) (*time.Location, error) {
	lower := strings.ToLower(strings.Trim(name, spaces))
	if hours, ok := zoneAbbreviations[lower]; ok {
		if hours == 0 {
			return time.UTC, nil
		}
		return time.FixedZone(strings.ToUpper(lower), int(hours*3600)), nil
	}
	if lower != "" && lower != "local" {
		if loc, ok := LoadZone(name); ok {
			return loc, nil
		}
		if i := strings.IndexAny(lower, "+-"); i >= 0 && strings.Trim(lower[:i], "abcdefghijklmnopqrstuvwxyz") == "" {
			if west, problem := parseOffset(lower[i:]); problem == numberOK {
				return time.FixedZone(name, int(-west)), nil
			}
		}
	}
	return nil, errs.UnknownTimeZone.New("name", name)
}

// LoadZone finds a zone of the IANA database, whatever the case of its name.
func LoadZone(name string) (*time.Location, bool) {
	lower := strings.ToLower(name)
	for _, candidate := range []string{name, zoneCase(lower), strings.ToUpper(lower)} {
		if loc, err := time.LoadLocation(candidate); err == nil {
			return loc, true
		}
	}
	return nil, false
}

// zoneCase writes a name as the IANA database does: words with a capital, small ones without.
func zoneCase(lower string) string {
	out := []byte(lower)
	for i := range out {
		start := i == 0 || strings.IndexByte("/_-", out[i-1]) >= 0
		if start && out[i] >= 'a' && out[i] <= 'z' {
			out[i] -= 'a' - 'A'
		}
	}
	if strings.HasPrefix(lower, "us/") {
		out[1] = 'S'
	}
	return strings.NewReplacer("_Of_", "_of_", "_Es_", "_es_", "-Au-", "-au-", "Etc/Gmt", "Etc/GMT", "Etc/Utc", "Etc/UTC").Replace(string(out))
}

// zoneAbbreviations has hours east of UTC, of the abbreviations that PostgreSQL's default list has and people use.
var zoneAbbreviations = map[string]float64{
	"utc": 0, "gmt": 0, "z": 0, "zulu": 0, "ut": 0, "uct": 0, "wet": 0,
	"west": 1, "cet": 1, "bst": 1, "met": 1, "mez": 1, "cest": 2, "mest": 2, "mesz": 2, "eet": 2, "ist": 2, "sast": 2,
	"eest": 3, "msk": 3, "idt": 3, "eat": 3, "msd": 4, "gst": 4, "pkt": 5, "cct": 8, "sgt": 8, "hkt": 8, "pht": 8,
	"awst": 8, "jst": 9, "kst": 9, "acst": 9.5, "aest": 10, "acdt": 10.5, "aedt": 11, "nzst": 12, "nzdt": 13,
	"nst": -3.5, "ndt": -2.5, "adt": -3, "ast": -4, "edt": -4, "est": -5, "cdt": -5, "cst": -6, "mdt": -6, "mst": -7,
	"pdt": -7, "pst": -8, "akdt": -8, "akst": -9, "hst": -10,
}
