package types

import "strconv"

// Append adds the interval in PostgreSQL's default style: 1 year 2 mons 3 days 04:05:06.789.
func (v Iv) Append(dst []byte) []byte {
	start, negative := len(dst), false
	part := func(n int64, unit string) {
		if n == 0 {
			return
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		if negative && n > 0 {
			dst = append(dst, '+') // after a negative field, so that the sign is not taken to carry on
		}
		dst = append(append(strconv.AppendInt(dst, n, 10), ' '), unit...)
		if n != 1 {
			dst = append(dst, 's')
		}
		negative = n < 0
	}
	part(int64(v.Months/12), "year")
	part(int64(v.Months%12), "mon")
	part(int64(v.Days), "day")
	if v.Micros == 0 && len(dst) > start {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	if v.Micros < 0 {
		dst = append(dst, '-')
	} else if negative {
		dst = append(dst, '+')
	}
	return appendClock(dst, absInt64(v.Micros))
}

// String prints the interval.
func (v Iv) String() string { return string(v.Append(nil)) }

// appendClock adds HH:MM:SS[.ffffff].
func appendClock(dst []byte, micros uint64) []byte {
	dst = append(appendPadded(dst, micros/microsHour, 2), ':')
	dst = append(appendPadded(dst, micros/microsMinute%60, 2), ':')
	return appendSeconds(dst, micros%microsMinute)
}

// appendSeconds adds SS[.ffffff] without zeros at the end.
func appendSeconds(dst []byte, micros uint64) []byte {
	dst = appendPadded(dst, micros/microsSecond, 2)
	if micros %= microsSecond; micros == 0 {
		return dst
	}
	dst = appendPadded(append(dst, '.'), micros, 6)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// appendPadded adds v with zeros in front up to the width.
func appendPadded(dst []byte, v uint64, width int) []byte {
	var buf [20]byte
	digits := strconv.AppendUint(buf[:0], v, 10)
	for range width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}
