package slt

import (
	"regexp"
	"strings"
)

var (
	reQuoted = regexp.MustCompile("\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
	reNumber = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?\b`)
	reNear   = regexp.MustCompile(`near "[^"]*"`)
	reSpace  = regexp.MustCompile(`\s+`)
	reFunc   = regexp.MustCompile(`(function|operator|type|table|relation|schema|column) "?[^ "]+"?(\([^)]*\))? (does not exist|not found)`)
)

// NormalizeReason makes messages that differ only in names and numbers equal.
// The first line of a message stands for it; a numbered list of causes is kept to its last entry.
func NormalizeReason(s string) string {
	l := strings.Split(strings.TrimSpace(s), "\n")
	first := strings.TrimPrefix(l[0], "db error: ")
	for i := len(l) - 1; i > 0; i-- {
		t := strings.TrimSpace(l[i])
		if len(t) > 3 && t[0] >= '1' && t[0] <= '9' && t[1] == ':' {
			first += " / " + t[3:]
			break
		}
	}
	first = reNear.ReplaceAllStringFunc(first, strings.ToLower)
	// Which function or operator is missing matters more than any other name.
	if !strings.Contains(first, "function") && !strings.Contains(first, "operator") && !strings.Contains(first, "type") && !strings.Contains(first, "syntax") {
		first = reFunc.ReplaceAllString(first, `$1 "?" $3`)
		first = reQuoted.ReplaceAllString(first, `"?"`)
	}
	first = reNumber.ReplaceAllString(first, "N")
	return clip(strings.TrimSpace(reSpace.ReplaceAllString(first, " ")), 160)
}
