package suggest

import (
	"net/http"

	"visto/canon"
	"visto/review/probe"
)

// States reports whether evidence states something about the page of its URL. An answer that is no page, the page of an
// error, a wall and an empty page state nothing, whatever links and texts they have.
func States(policy *canon.Policy, ev *canon.Evidence) bool {
	states, _ := judge(policy, ev)
	return states
}

// judge reports whether evidence states something about its page, and whether it says that there is no page at its URL,
// by the status or the title. Other errors may pass.
func judge(policy *canon.Policy, ev *canon.Evidence) (states, isMissing bool) {
	if ev == nil || ev.Error != "" || ev.Blocked != "" {
		return false, false
	}
	switch ev.Status {
	case http.StatusNotFound, http.StatusGone:
		return false, true
	case http.StatusOK:
		doubt := probe.Doubt(policy, ev)
		return doubt == "" && !ev.NoContent, doubt == canon.MissingPage
	}
	return false, false
}

// IsAsked reports whether evidence has an answer about its URL, or the reason why there is none. Evidence of the host
// alone has neither.
func IsAsked(ev *canon.Evidence) bool { return ev != nil && (ev.Status != 0 || ev.Error != "") }
