package generate

import "math/bits"

// dice is a sequence of numbers that look random and follow from a seed alone (SplitMix64), so that a row can be made again.
type dice uint64

// roll begins the sequence of one row of one column.
func roll(seed, n int64) *dice {
	d := dice(seed)
	d = dice(d.next()) ^ dice(n)
	return &d
}

func (d *dice) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 up to, but not including, n.
func (d *dice) below(n int64) int64 {
	if n <= 1 {
		return 0
	}
	high, _ := bits.Mul64(d.next(), uint64(n))
	return int64(high)
}

// between returns a number from low to high; both may be any.
func (d *dice) between(low, high int64) int64 {
	span := uint64(high) - uint64(low) + 1
	if span == 0 {
		return int64(d.next())
	}
	h, _ := bits.Mul64(d.next(), span)
	return low + int64(h)
}

// unit returns a number from 0 up to, but not including, 1.
func (d *dice) unit() float64 { return float64(d.next()>>11) / (1 << 53) }

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// word returns n letters and digits.
func (d *dice) word(n int64) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = letters[d.below(int64(len(letters)))]
	}
	return string(out)
}

// pick returns one of some texts.
func (d *dice) pick(of []string) string { return of[d.below(int64(len(of)))] }
