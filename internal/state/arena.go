package state

// arena holds byte strings of changing length one after the other.
type arena struct {
	bytes []byte
	dead  int // bytes that belong to nobody
}

// span is a place in an arena. size -1: nothing, which is not the empty string.
type span struct {
	off       int
	size, cap int32
}

var noSpan = span{size: -1}

// get returns the bytes of a span, nil when there is none; they are valid until the next set.
func (a *arena) get(s span) []byte {
	if s.size < 0 {
		return nil
	}
	return a.bytes[s.off : s.off+int(s.size) : s.off+int(s.size)]
}

// set replaces what a span holds, in place where it fits; b nil gives it back.
func (a *arena) set(s span, b []byte) span {
	if b == nil {
		a.drop(s)
		return noSpan
	}
	if s.size >= 0 && len(b) <= int(s.cap) {
		copy(a.bytes[s.off:], b)
		s.size = int32(len(b))
		return s
	}
	a.drop(s)
	off := len(a.bytes)
	a.bytes = append(a.bytes, b...)
	return span{off: off, size: int32(len(b)), cap: int32(len(b))}
}

func (a *arena) drop(s span) {
	if s.size >= 0 {
		a.dead += int(s.cap)
	}
}

// deadMin is the garbage below which an arena is left alone.
const deadMin = 64 << 10

// wasteful reports whether more than half is garbage.
func (a *arena) wasteful() bool { return a.dead > deadMin && a.dead > len(a.bytes)/2 }
