package expr

import "sync"

// compiledMax bounds what is kept in compiled form; beyond it all is dropped, which costs a compilation each.
const compiledMax = 512

// compiled keeps what was made of texts, such as patterns, across chunks. It only saves time: what it returns depends on the
// key alone.
type compiled[K comparable, V any] struct {
	mu struct {
		sync.Mutex
		made map[K]V
	}
}

// get returns what is kept for the key, or makes it.
func (c *compiled[K, V]) get(key K, compile func() (V, error)) (V, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.mu.made[key]; ok {
		return v, nil
	}
	v, err := compile()
	if err != nil {
		return v, err
	}
	if c.mu.made == nil || len(c.mu.made) >= compiledMax {
		c.mu.made = map[K]V{}
	}
	c.mu.made[key] = v
	return v, nil
}
