package read

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// Check is a check of a link that another program made.
type Check struct {
	Evidence    canon.Evidence // FetchedAt is the time of the check
	Took        time.Duration  `json:",omitempty"` // 0: not known
	Certificate time.Time      `json:",omitzero"`  // when it ends; zero: not known
}

// At returns the time of the check, zero if it is not known.
func (c *Check) At() time.Time {
	at, _ := time.Parse(time.RFC3339, c.Evidence.FetchedAt)
	return at
}

// linkCheck is a line of the results of Clara's link health checker. It has more fields, which are no evidence. Its
// content_hash is none either: no hash of this program is taken of the same text, and the rule for changed pages
// (health.Difference) needs the text.
type linkCheck struct {
	URL           string   `json:"url"`
	FinalURL      string   `json:"final_url"`
	StatusCode    *int     `json:"status_code"` // null: there was no answer
	CheckedAt     string   `json:"checked_at"`
	RedirectChain []string `json:"redirect_chain"` // from the URL itself, or from the first redirect, to the final URL
	ResponseTime  float64  `json:"response_time_ms"`
	SSLExpiry     string   `json:"ssl_expiry"` // a day, or RFC 3339
	FailureReason string   `json:"failure_reason"`
	Error         string   `json:"error"` // the name of failure_reason in the pseudocode of the checker
}

// parseLinkCheck returns the check of a line of link check results, or nil if the line is none: it has one of the
// fields status_code, checked_at, redirect_chain and failure_reason. The status of each redirect is not told there: it
// is 0. A final URL that no redirect led to is no evidence of one. The line may have fields of canon.Evidence besides;
// unread are those that could not be taken.
func parseLinkCheck(text string) (_ *Check, unread []string, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		return nil, nil, withoutGo(err)
	}
	if !hasAny(fields, "status_code", "checked_at", "redirect_chain", "failure_reason") {
		return nil, nil, nil
	}
	var line linkCheck
	if err := json.Unmarshal([]byte(text), &line); err != nil {
		return nil, nil, withoutGo(err)
	}
	ev := &canon.Evidence{}
	unread = takeEvidence(ev, fields)
	check, err := line.check(ev)
	return check, unread, err
}

// takeEvidence takes the fields of canon.Evidence from a line of link check results. It returns those that the check
// tells in other words, and those with a value of another type. The fields of linkCheck and unknown ones are left out.
func takeEvidence(ev *canon.Evidence, fields map[string]json.RawMessage) (unread []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch name {
		case "url", "final_url", "error":
			continue
		}
		into := ev
		told := slices.Contains([]string{"asked", "hops", "status", "fetched_at"}, name)
		if told {
			into = &canon.Evidence{}
		}
		text, err := json.Marshal(map[string]json.RawMessage{name: fields[name]})
		if err == nil {
			dec := json.NewDecoder(bytes.NewReader(text))
			dec.DisallowUnknownFields()
			err = dec.Decode(into)
		}
		_, otherType := errors.AsType[*json.UnmarshalTypeError](err)
		if otherType || told && err == nil {
			unread = append(unread, name)
		}
	}
	return unread
}

// check returns the check of a line; ev has the other evidence of it.
func (c *linkCheck) check(ev *canon.Evidence) (*Check, error) {
	if ev.URL = canon.Trim(c.URL); ev.URL == "" {
		return nil, errors.New(`it names no "url"`)
	}
	if c.CheckedAt != "" {
		at, err := timeOfCheck(c.CheckedAt)
		if err != nil {
			return nil, fmt.Errorf("checked_at: %w", err)
		}
		ev.FetchedAt = at.Format(time.RFC3339)
	}
	ev.Status, ev.Error = c.answer()
	c.redirects(ev)
	return c.asCheck(ev.Masked())
}

// answer returns the status of the page, or why there was no answer: the check failed before a page was read, such as
// in a circle of redirects, or the last answer was a redirect.
func (c *linkCheck) answer() (status int, failure string) {
	reason := cmp.Or(c.FailureReason, c.Error)
	switch {
	case c.StatusCode == nil || *c.StatusCode <= 0:
		return 0, cmp.Or(reason, "no answer")
	case *c.StatusCode >= 300 && *c.StatusCode < 400:
		return 0, cmp.Or(reason, fmt.Sprintf("the last answer was a redirect (%d)", *c.StatusCode))
	case *c.StatusCode < 300 && reason != "":
		return 0, reason
	}
	return *c.StatusCode, ""
}

// timeOfCheck reads a time, which it returns in UTC. Programs write the year 1 where they know no time.
func timeOfCheck(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("%.100q is no time such as 2026-02-18T12:00:00Z", text)
	}
	at = at.UTC()
	if year := at.Year(); year < 1970 || year > 9999 {
		return at, fmt.Errorf("no check was made in the year %d: leave it out if it is not known", year)
	}
	return at, nil
}

// asCheck returns the check with its evidence.
func (c *linkCheck) asCheck(ev *canon.Evidence) (*Check, error) {
	if c.ResponseTime < 0 || c.ResponseTime > maxResponseTime {
		return nil, fmt.Errorf("response_time_ms: %v is no time of an answer", c.ResponseTime)
	}
	if ev.Status != 0 && (ev.Status < 100 || ev.Status > 999) {
		return nil, fmt.Errorf("status_code: %d is no HTTP status", ev.Status)
	}
	check := &Check{Evidence: *ev, Took: time.Duration(c.ResponseTime * float64(time.Millisecond))}
	if c.SSLExpiry == "" {
		return check, nil
	}
	var err error
	if check.Certificate, err = time.Parse(time.DateOnly, c.SSLExpiry); err != nil {
		check.Certificate, err = time.Parse(time.RFC3339, c.SSLExpiry)
	}
	if err != nil {
		return nil, fmt.Errorf("ssl_expiry: %.100q is no day such as 2026-02-18", c.SSLExpiry)
	}
	if year := check.Certificate.UTC().Year(); year > 9999 {
		return nil, fmt.Errorf("ssl_expiry: no certificate ends in the year %d", year)
	}
	return check, nil
}

// maxResponseTime is a day in milliseconds.
const maxResponseTime = 24 * 60 * 60 * 1000

// redirects adds the redirects to the evidence.
func (c *linkCheck) redirects(ev *canon.Evidence) {
	var chain []string
	for _, url := range c.RedirectChain {
		if url = canon.Trim(url); url != "" {
			chain = append(chain, url)
		}
	}
	if len(chain) > 0 && chain[0] == ev.URL {
		ev.Asked, chain = ev.URL, chain[1:]
	}
	final := canon.Trim(c.FinalURL)
	if n := len(chain); final != "" && final != ev.URL && (n == 0 || chain[n-1] != final) {
		chain = append(chain, final)
	}
	for _, url := range chain {
		ev.Hops = append(ev.Hops, canon.Hop{URL: url})
	}
	if len(ev.Hops) > 0 {
		ev.FinalURL = cmp.Or(final, ev.Hops[len(ev.Hops)-1].URL)
	} else {
		ev.Asked = ""
	}
}

// withoutGo returns an error about an unknown field, or a value of the wrong type, in words for people. It names no
// package and no type of Go.
func withoutGo(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	wanted := map[reflect.Kind]string{reflect.String: "a text", reflect.Bool: "true or false", reflect.Slice: "a list",
		reflect.Float64: "a number", reflect.Int: "a whole number", reflect.Int64: "a whole number"}
	words := cmp.Or(wanted[wrong.Type.Kind()], "an object") + " is wanted, not a JSON " + wrong.Value
	if wrong.Field != "" {
		words = wrong.Field + ": " + words
	}
	return errors.New(words)
}

func hasAny(fields map[string]json.RawMessage, names ...string) bool {
	for _, name := range names {
		if _, ok := fields[name]; ok {
			return true
		}
	}
	return false
}
