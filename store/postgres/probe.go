package postgres

import (
	"context"
	"time"

	"visto/review"
	"visto/store/rows"
)

// Lease gives the lease to want, unless another holder has it. A holder on this machine whose process has ended has it
// no more.
func (s *Store) Lease(ctx context.Context, want review.Lease, now time.Time) error {
	return s.updateBeside(ctx, "beginning a probe", func(*tx) {}, func(t *tx) error {
		return rows.TakeLease(t, want, now)
	})
}
