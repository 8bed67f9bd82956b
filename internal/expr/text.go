package expr

import (
	"fmt"
	"strconv"
	"strings"
)

func twoDigits(v int64) string { return fmt.Sprintf("%02d", v) }

func floatText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// quoteLiteral writes text as a literal of SQL.
func quoteLiteral(s string) string {
	quoted := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
