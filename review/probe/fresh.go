package probe

import (
	"time"

	"visto/canon"
)

// ttl is how long a fetch counts as fresh (seed 003, freshness rules).
func ttl(*canon.Evidence) time.Duration { return 24 * time.Hour }

// mayRevalidate reports whether the next request may be a conditional one, rather than ask for the content whatever the server
// thinks of its age (seed 003, cache invalidation).
func mayRevalidate(*canon.Evidence, time.Time) bool { return true }
