package suggest

import (
	"net/http"

	"visto/canon"
	"visto/review/probe"
)

// States reports whether evidence states something about the page of its URL. An answer that is no page, the page of an
// error, a wall and an empty page state nothing, whatever links and texts they have.
func States(policy *canon.Policy, ev *canon.Evidence) bool {
	return ev != nil && ev.Status == 200 && ev.Error == "" && ev.Blocked == "" && !ev.NoContent &&
		probe.Doubt(policy, ev) == ""
}

// isMissing reports whether evidence says that there is no page at its URL, by the status or the title. Other errors
// may pass.
func isMissing(policy *canon.Policy, ev *canon.Evidence) bool {
	if ev == nil || ev.Error != "" || ev.Blocked != "" {
		return false
	}
	return ev.Status == http.StatusNotFound || ev.Status == http.StatusGone ||
		ev.Status == http.StatusOK && probe.Doubt(policy, ev) == canon.MissingPage
}

// IsAsked reports whether evidence has an answer about its URL, or the reason why there is none. Evidence of the host
// alone has neither.
func IsAsked(ev *canon.Evidence) bool { return ev != nil && (ev.Status != 0 || ev.Error != "") }
