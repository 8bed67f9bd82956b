package types

import (
	"slices"
	"strings"
)

// intervalQualifier is what may stand behind INTERVAL: the fields that count.
type intervalQualifier struct {
	name string
	mask int32 // of the fields in PostgreSQL's typmod
}

// The bits of the fields in PostgreSQL's typmod.
const (
	maskMonth  = 1 << 1
	maskYear   = 1 << 2
	maskDay    = 1 << 3
	maskHour   = 1 << 10
	maskMinute = 1 << 11
	maskSecond = 1 << 12
	maskAll    = 0x7fff

	typmodNoDigits = 0xffff // the precision's part of a typmod without one
)

// intervalQualifiers is in the order of T.Width, from 1.
var intervalQualifiers = []intervalQualifier{
	{"year", maskYear}, {"month", maskMonth}, {"day", maskDay}, {"hour", maskHour}, {"minute", maskMinute}, {"second", maskSecond},
	{"year to month", maskYear | maskMonth},
	{"day to hour", maskDay | maskHour},
	{"day to minute", maskDay | maskHour | maskMinute},
	{"day to second", maskDay | maskHour | maskMinute | maskSecond},
	{"hour to minute", maskHour | maskMinute},
	{"hour to second", maskHour | maskMinute | maskSecond},
	{"minute to second", maskMinute | maskSecond},
}

// WithIntervalFields returns the interval type restricted by a qualifier such as "day to minute"; others are no
// restriction.
func WithIntervalFields(t T, qualifier string) T {
	t.Width = int32(1 + slices.IndexFunc(intervalQualifiers, func(q intervalQualifier) bool { return q.name == qualifier }))
	return t
}

// intervalFields is the qualifier of an interval type, "" when there is none.
func intervalFields(t T) string {
	if t.Width < 1 || int(t.Width) > len(intervalQualifiers) {
		return ""
	}
	return intervalQualifiers[t.Width-1].name
}

// lastIntervalField is the last field of the qualifier: what a number without a unit counts.
func lastIntervalField(t T) string {
	fields := intervalFields(t)
	return fields[strings.LastIndexByte(fields, ' ')+1:]
}

func intervalName(t T) string {
	name := strings.TrimRight("interval "+intervalFields(t), " ")
	if t.Scale > 0 {
		name += "(" + string(rune('0'+t.Scale-1)) + ")"
	}
	return name
}

func intervalTypmod(t T) int32 {
	if t.Width == 0 && t.Scale == 0 {
		return -1
	}
	mask, digits := int32(maskAll), int32(typmodNoDigits)
	if t.Width > 0 {
		mask = intervalQualifiers[t.Width-1].mask
	}
	if t.Scale > 0 {
		digits = t.Scale - 1
	}
	return mask<<16 | digits
}

func withIntervalTypmod(t T, typmod int32) T {
	t.Width, t.Scale = 0, 0
	if typmod < 0 {
		return t
	}
	mask, digits := typmod>>16, typmod&typmodNoDigits
	t.Width = int32(1 + slices.IndexFunc(intervalQualifiers, func(q intervalQualifier) bool { return q.mask == mask }))
	if digits <= timeDigitsMax {
		t.Scale = digits + 1
	}
	return t
}
