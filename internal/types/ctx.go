package types

import "time"

// Ctx is what the text form of values may depend on. The zero value is UTC with PostgreSQL's default settings, save
// that now is the start of 1970; ISO is the only DateStyle and postgres the only IntervalStyle.
type Ctx struct {
	Loc             *time.Location // of timestamptz and of today; nil is UTC
	Now             time.Time      // what 'now' and 'today' mean
	RWCompat        bool           // print times as RisingWave does: zones with minutes, fractions of three or six digits
	FloatDigitsLess int            // 1 - extra_float_digits where that is below 1; 0 prints the shortest exact form
	ByteaEscape     bool           // bytea_output = escape
	DayBeforeMonth  bool           // DateStyle's DMY, for input such as 1/2/2024
	YearBeforeMonth bool           // DateStyle's YMD
	// Objects finds the number of an object by its name ("regclassin" and its like) and the name by the number
	// ("regclassout"); nil where there is no catalog to ask, so that objects are numbers.
	Objects func(fn string, arg Datum) (Datum, error)
}

// location returns the zone of the context.
func (c Ctx) location() *time.Location {
	if c.Loc == nil {
		return time.UTC
	}
	return c.Loc
}
