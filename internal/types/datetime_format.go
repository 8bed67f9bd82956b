package types

import (
	"bytes"
	"time"
)

// appendDate adds YYYY-MM-DD[ BC].
func appendDate(dst []byte, days int64) []byte {
	switch days {
	case DateInfinity:
		return append(dst, "infinity"...)
	case DateNegInfinity:
		return append(dst, "-infinity"...)
	}
	dst, bc := appendCivil(dst, days)
	return appendEra(dst, bc)
}

func appendCivil(dst []byte, days int64) (out []byte, bc bool) {
	y, m, d := CivilDate(days)
	if bc = y <= 0; bc {
		y = 1 - y
	}
	dst = append(appendPadded(dst, uint64(y), 4), '-')
	dst = append(appendPadded(dst, uint64(m), 2), '-')
	return appendPadded(dst, uint64(d), 2), bc
}

func appendEra(dst []byte, bc bool) []byte {
	if bc {
		return append(dst, " BC"...)
	}
	return dst
}

// appendTimestamp adds YYYY-MM-DD HH:MM:SS[.ffffff][+ZZ][ BC]; a nil zone prints no offset.
func (c Ctx) appendTimestamp(dst []byte, ts int64, loc *time.Location) []byte {
	switch ts {
	case TimestampInfinity:
		return append(dst, "infinity"...)
	case TimestampNegInfinity:
		return append(dst, "-infinity"...)
	}
	var offset int64
	if loc != nil {
		offset = offsetAt(ts, loc)
	}
	days, micros := SplitTimestamp(ts + offset*microsSecond)
	dst, bc := appendCivil(dst, days)
	dst = c.appendClock(append(dst, ' '), uint64(micros))
	if loc != nil {
		dst = c.appendOffset(dst, offset)
	}
	return appendEra(dst, bc)
}

// appendClock adds HH:MM:SS[.ffffff].
func (c Ctx) appendClock(dst []byte, micros uint64) []byte {
	dst = appendClock(dst, micros)
	if fraction := micros % microsSecond; c.RWCompat && fraction != 0 {
		digits := 6
		if fraction%1000 == 0 {
			digits, fraction = 3, fraction/1000
		}
		dst = append(dst[:bytes.LastIndexByte(dst, '.')], '.')
		dst = appendPadded(dst, fraction, digits)
	}
	return dst
}

// appendOffset adds +HH[:MM[:SS]], in RisingWave's form +HH:MM.
func (c Ctx) appendOffset(dst []byte, offset int64) []byte {
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	dst = appendPadded(append(dst, sign), uint64(offset/3600), 2)
	if offset%3600 == 0 && !c.RWCompat {
		return dst
	}
	dst = appendPadded(append(dst, ':'), uint64(offset/60%60), 2)
	if offset%60 == 0 || c.RWCompat {
		return dst
	}
	return appendPadded(append(dst, ':'), uint64(offset%60), 2)
}
