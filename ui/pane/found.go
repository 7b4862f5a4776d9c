package pane

import (
	"strings"

	"visto/review"
	"visto/ui/term"
)

// SetFinder sets the search whose matches the queue marks.
func (q *Queue) SetFinder(f *review.Finder) { q.find = f }

// SetFinder sets the search whose matches the detail marks.
func (d *Detail) SetFinder(f *review.Finder) { d.find, d.stale = f, true }

// maxShown is the number of bytes of one untrusted text that are shown and searched.
const maxShown = 4096

// marked makes an untrusted text safe, clips it to maxShown and marks the matches of the search in it.
func marked(find *review.Finder, s string) term.Marked {
	if len(s) <= maxShown {
		return term.Mark(s, find.Find(s))
	}
	clipped := term.Clip(s, maxShown)
	return term.Mark(clipped, find.Find(clipped[:strings.LastIndex(clipped, "…")]))
}
