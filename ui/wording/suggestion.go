package wording

import (
	"fmt"
	"time"

	"visto/review/suggest"
	"visto/ui/pane"
)

// Mined tells the age of suggestions, such as "mined 3 minutes ago, 12 changes since".
func Mined(r *suggest.Result, now time.Time) string {
	changes := fmt.Sprintf("%d changes", r.Changes)
	switch r.Changes {
	case 0:
		changes = "no change"
	case 1:
		changes = "1 change"
	}
	return fmt.Sprintf("mined %s, %s since", pane.Ago(now.Sub(r.At)), changes)
}
