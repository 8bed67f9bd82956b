package mem

// Cache is the account of a structure that can drop what it holds, because it can be read back. Caches below one limit
// share it: while their sum is within it each grows as it needs, and above it each shrinks to its part. So what is used
// pushes out what is not, and nobody has to be given a share beforehand.
type Cache struct{ meter Meter }

// A cache may hold cacheLeft, or a leftShare of the limit if that is less, even if its account is over it: dropping so
// little would cost more than it gives.
const (
	cacheLeft = 64 << 10
	leftShare = 64
)

// NewCache returns an empty cache of an account.
func NewCache(account *Budget) Cache { return Cache{NewMeter(account)} }

// Bound notes that the cache has size bytes now and returns how many of them may stay; most bounds that whatever the
// account allows, 0 does not.
func (c *Cache) Bound(size, most int64) int64 {
	c.meter.Note(size)
	may := size
	for a := c.meter.account; a != nil; a = a.parent {
		if limit, used := a.limit.Load(), a.used.Load(); limit > 0 && used > limit {
			part := int64(float64(size) * float64(limit) / float64(used))
			may = min(may, max(part, min(size, cacheLeft, limit/leftShare)))
		}
	}
	if most > 0 {
		may = min(may, most)
	}
	return may
}

// Note tells what the cache has left after it has dropped some.
func (c *Cache) Note(size int64) { c.meter.Note(size) }
