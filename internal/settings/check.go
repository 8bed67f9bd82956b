package settings

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// checkEncoding knows the names by which clients ask for UTF-8, the only encoding. As in PostgreSQL only letters and digits of
// a name count: asyncpg sends it within quotes.
func checkEncoding(text string) (string, error) {
	name := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' {
			return -1
		}
		return r
	}, text)
	switch strings.ToLower(name) {
	case "utf8", "unicode":
		return "UTF8", nil
	}
	return "", errs.SettingValue.New("name", "client_encoding", "value", text, "why", "Text is always UTF8.")
}

// checkDateStyle accepts ISO with any order of fields; the order only matters for input that is not ISO.
func checkDateStyle(text string) (string, error) {
	order := "MDY"
	for _, w := range strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return r == ',' || r == ' ' }) {
		switch w {
		case "ISO", "DEFAULT":
		case "MDY", "DMY", "YMD":
			order = w
		case "US", "NONEURO", "NONEUROPEAN":
			order = "MDY"
		case "EURO", "EUROPEAN":
			order = "DMY"
		case "POSTGRES", "SQL", "GERMAN":
			return "", errs.Unsupported.New("feature", "DateStyle "+w)
		default:
			return "", errs.SettingValue.New("name", "DateStyle", "value", text, "why", fmt.Sprintf("Unrecognized key word: \"%s\".", strings.ToLower(w)))
		}
	}
	return "ISO, " + order, nil
}

// checkTimeZone accepts what Location can find and returns the zone's canonical name.
func checkTimeZone(text string) (string, error) {
	if _, name, ok := zone(text); ok {
		return name, nil
	}
	return "", errs.SettingValue.New("name", "TimeZone", "value", text, "why", "")
}

// Location is the time zone of a canonical value of TimeZone.
func Location(value string) *time.Location {
	if loc, _, ok := zone(value); ok {
		return loc
	}
	return time.UTC
}

// zone finds a zone by its IANA name, or by an offset: SET TIME ZONE takes hours east of Greenwich, while a POSIX name
// such as <+02>-02, which is how such a zone is printed, counts west.
func zone(text string) (*time.Location, string, bool) {
	t := strings.TrimSpace(text)
	switch strings.ToUpper(t) {
	case "UTC", "GMT", "Z", "ZULU", "DEFAULT", "LOCAL":
		return time.UTC, "UTC", true
	case "":
		return nil, "", false
	}
	if i := strings.IndexByte(t, '>'); t[0] == '<' && i > 0 {
		t = t[1:i]
	}
	if seconds, ok := parseOffset(t); ok {
		loc := time.FixedZone("", seconds)
		return loc, posixName(seconds), true
	}
	if loc, ok := types.LoadZone(t); ok {
		return loc, loc.String(), true
	}
	return nil, "", false
}

// offsetMax is PostgreSQL's bound on how far a zone may be from Greenwich, in seconds.
const offsetMax = 168 * 3600

func parseOffset(t string) (seconds int, ok bool) {
	sign := 1
	switch t[0] {
	case '-':
		sign, t = -1, t[1:]
	case '+':
		t = t[1:]
	}
	if t == "" || t[0] < '0' || t[0] > '9' {
		return 0, false
	}
	if h, m, colon := strings.Cut(t, ":"); colon {
		var hours, minutes int
		if n, err := fmt.Sscanf(h+" "+m, "%d %d", &hours, &minutes); n != 2 || err != nil || minutes > 59 {
			return 0, false
		}
		seconds = hours*3600 + minutes*60
	} else {
		var hours float64
		var rest string
		if n, _ := fmt.Sscanf(t+" .", "%g %s", &hours, &rest); n != 2 || rest != "." {
			return 0, false
		}
		seconds = int(hours * 3600)
	}
	return sign * seconds, seconds <= offsetMax
}

func posixName(seconds int) string {
	east, west := "+", "-"
	if seconds < 0 {
		east, west, seconds = "-", "+", -seconds
	}
	hm := fmt.Sprintf("%02d", seconds/3600)
	if m := seconds / 60 % 60; m != 0 {
		hm += fmt.Sprintf(":%02d", m)
	}
	return "<" + east + hm + ">" + west + hm
}
