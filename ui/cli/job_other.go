//go:build !unix

package cli

import (
	"context"

	"visto/ui/console"
)

// newJob returns nil: there is no job control.
func newJob(context.Context) *console.Job { return nil }
