package read

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"visto/canon"
)

// linkCheck is a line of the results of Clara's link health checker. It has more fields, which are no evidence.
type linkCheck struct {
	URL           string   `json:"url"`
	FinalURL      string   `json:"final_url"`
	StatusCode    *int     `json:"status_code"` // null: there was no answer
	CheckedAt     string   `json:"checked_at"`
	RedirectChain []string `json:"redirect_chain"` // from the URL itself, or from the first redirect, to the final URL
	FailureReason string   `json:"failure_reason"`
	Error         string   `json:"error"` // the name of failure_reason in the pseudocode of the checker
}

// parseLinkCheck returns the evidence of a line of link check results, or nil if the line is none: it has one of the
// fields status_code, checked_at, redirect_chain and failure_reason. The status of each redirect is not told there: it
// is 0. A final URL that no redirect led to is no evidence of one.
func parseLinkCheck(text string) (*canon.Evidence, error) {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &fields) != nil || !hasAny(fields, "status_code", "checked_at", "redirect_chain",
		"failure_reason") {
		return nil, nil
	}
	var check linkCheck
	if err := json.Unmarshal([]byte(text), &check); err != nil {
		return nil, err
	}
	ev := &canon.Evidence{URL: canon.Trim(check.URL)}
	if ev.URL == "" {
		return nil, errors.New(`it names no "url"`)
	}
	if check.CheckedAt != "" {
		at, err := time.Parse(time.RFC3339, check.CheckedAt)
		if err != nil {
			return nil, fmt.Errorf("checked_at: %w", err)
		}
		ev.FetchedAt = at.UTC().Format(time.RFC3339)
	}
	if check.StatusCode != nil && *check.StatusCode > 0 {
		ev.Status = *check.StatusCode
	} else {
		ev.Error = cmp.Or(check.FailureReason, check.Error, "no answer")
	}
	check.redirects(ev)
	return ev.Masked(), nil
}

// redirects adds the redirects to the evidence.
func (c *linkCheck) redirects(ev *canon.Evidence) {
	chain := c.RedirectChain
	if len(chain) > 0 && canon.Trim(chain[0]) == ev.URL {
		ev.Asked, chain = ev.URL, chain[1:]
	}
	final := canon.Trim(c.FinalURL)
	if n := len(chain); final != "" && final != ev.URL && (n == 0 || chain[n-1] != final) {
		chain = append(chain, final)
	}
	for _, url := range chain {
		ev.Hops = append(ev.Hops, canon.Hop{URL: canon.Trim(url)})
	}
	if len(chain) > 0 {
		ev.FinalURL = cmp.Or(final, ev.Hops[len(chain)-1].URL)
	} else {
		ev.Asked = ""
	}
}

func hasAny(fields map[string]json.RawMessage, names ...string) bool {
	for _, name := range names {
		if _, ok := fields[name]; ok {
			return true
		}
	}
	return false
}
