package event

import "sync"

// Discard drops every event. It stands for an unset sink, so that nobody has to compare with nil.
var Discard Sink = discard{}

type discard struct{}

func (discard) Emit(Event) {}

// Func makes a sink of a function.
type Func func(Event)

// Emit calls the function.
func (f Func) Emit(e Event) { f(e) }

// Fan gives each event to all sinks, in their order.
func Fan(sinks ...Sink) Sink { return fan(sinks) }

type fan []Sink

func (f fan) Emit(e Event) {
	for _, s := range f {
		s.Emit(e)
	}
}

// Recorder keeps the newest events for a test or a status page. It holds at most the number given to NewRecorder.
type Recorder struct {
	size int
	mu   struct {
		sync.Mutex
		events []Event
	}
}

// NewRecorder makes a recorder of at most size events; older ones are forgotten.
func NewRecorder(size int) *Recorder { return &Recorder{size: size} }

// Emit keeps the event.
func (r *Recorder) Emit(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.mu.events) == r.size {
		r.mu.events = append(r.mu.events[:0], r.mu.events[1:]...)
	}
	r.mu.events = append(r.mu.events, e)
}

// Events returns what was kept, the oldest first.
func (r *Recorder) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Event(nil), r.mu.events...)
}
