package state

// Arena holds byte strings of changing length one after the other.
type Arena struct {
	bytes []byte
	dead  int // bytes that belong to nobody
}

// Span is a place in an arena. size -1: nothing, which is not the empty string.
type Span struct {
	off       int
	size, cap int32
}

// NoSpan holds nothing.
var NoSpan = Span{size: -1}

// Get returns the bytes of a Span, nil when there is none; they are valid until the next Set.
func (a *Arena) Get(s Span) []byte {
	switch {
	case s.size < 0:
		return nil
	case s.size == 0:
		return []byte{} // not nil, even of an arena without bytes
	}
	return a.bytes[s.off : s.off+int(s.size) : s.off+int(s.size)]
}

// Set replaces what a Span holds, in place where it fits; b nil gives it back.
func (a *Arena) Set(s Span, b []byte) Span {
	if b == nil {
		a.Drop(s)
		return NoSpan
	}
	if s.size >= 0 && len(b) <= int(s.cap) {
		copy(a.bytes[s.off:], b)
		s.size = int32(len(b))
		return s
	}
	a.Drop(s)
	off := len(a.bytes)
	a.bytes = append(roomy(a.bytes, len(b)), b...)
	return Span{off: off, size: int32(len(b)), cap: int32(len(b))}
}

// Drop gives a span back.
func (a *Arena) Drop(s Span) {
	if s.size >= 0 {
		a.dead += int(s.cap)
	}
}

// deadMin is the garbage below which an arena is left alone.
const deadMin = 64 << 10

// Wasteful reports whether more than half is garbage.
func (a *Arena) Wasteful() bool { return a.dead > deadMin && a.dead > len(a.bytes)/2 }

// Size is the number of bytes in memory.
func (a *Arena) Size() int { return cap(a.bytes) }
