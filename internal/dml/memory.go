package dml

import (
	"errors"
	"math"
	"unsafe"

	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/spill"
)

// memory is where the slices of a journal lie: in its account as long as they are a small part of that, in temporary files
// from then on. Their items hold no pointers.
type memory struct {
	account *mem.Budget
	meter   mem.Meter
	held    int64      // in the account
	most    int64      // in the account, where there are files
	spill   *spill.Dir // nil: what does not fit is refused
	maps    map[unsafe.Pointer]*spill.Map
}

// journalShare is the part of its account that a journal may take: the rest is for the query that finds what changes.
const journalShare = 4

func newMemory(account *mem.Budget) memory {
	m := memory{account: account, meter: mem.NewMeter(account), most: account.Limit() / journalShare}
	if m.most == 0 {
		m.most = math.MaxInt64
	}
	return m
}

// beside is memory for what goes with a journal, from where that has its own.
func (m *memory) beside() memory {
	b := newMemory(m.account)
	b.spill = m.spill
	return b
}

// take makes a slice of n zero items, which give gives back.
func take[T any](m *memory, n int) ([]T, error) {
	size := sizeOf[T](n)
	var full error
	if m.spill == nil || m.held+size <= m.most {
		if full = m.meter.Set(m.held + size); full == nil {
			m.held += size
			return make([]T, n), nil
		}
	}
	if m.spill == nil {
		return nil, full
	}
	f, err := m.spill.Map(int(size))
	if err != nil {
		if full != nil && errors.Is(err, errors.ErrUnsupported) {
			return nil, full
		}
		return nil, err
	}
	if m.maps == nil {
		m.maps = map[unsafe.Pointer]*spill.Map{}
	}
	at := unsafe.Pointer(unsafe.SliceData(f.Bytes))
	m.maps[at] = f
	return unsafe.Slice((*T)(at), n), nil
}

// takeAnyway is take for what the caller cannot do without.
func takeAnyway[T any](m *memory, n int) []T {
	s, err := take[T](m, n)
	if err != nil {
		m.held += sizeOf[T](n)
		m.meter.Note(m.held)
		s = make([]T, n)
	}
	return s
}

// larger moves a slice to where it may have twice as many items.
func larger[T any](m *memory, s *[]T) error {
	const first = 4
	more, err := take[T](m, max(first, 2*cap(*s)))
	if err != nil {
		return err
	}
	more = more[:copy(more, *s)]
	give(m, *s)
	*s = more
	return nil
}

// give gives back what take has made.
func give[T any](m *memory, s []T) {
	if cap(s) == 0 {
		return
	}
	at := unsafe.Pointer(unsafe.SliceData(s))
	if f := m.maps[at]; f != nil {
		delete(m.maps, at)
		_ = f.Close() // fails only for what is no mapping
		return
	}
	m.held -= sizeOf[T](cap(s))
	m.meter.Note(m.held)
}

func sizeOf[T any](n int) int64 {
	var item T
	return int64(n) * int64(unsafe.Sizeof(item))
}

// charge moves what is held to another account.
func (m *memory) charge(account *mem.Budget) {
	m.meter.Close()
	m.meter = mem.NewMeter(account)
	m.meter.Note(m.held)
}

// filed reports whether a block lies in a file.
func (m *memory) filed(block []byte) bool {
	return m.maps[unsafe.Pointer(unsafe.SliceData(block))] != nil
}

// close gives everything back.
func (m *memory) close() {
	for _, f := range m.maps {
		_ = f.Close()
	}
	m.maps, m.held = nil, 0
	m.meter.Close()
}
