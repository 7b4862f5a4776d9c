package health

import (
	"net/http"
	"time"
)

// Check is one request for the page behind a URL, and its outcome.
type Check struct {
	At          time.Time // in UTC, whole seconds
	Outcome     Outcome
	Status      int           // HTTP status at the end of the redirects; 0: there was no answer
	Error       string        // reason for a missing answer
	Took        time.Duration // from dialling to the last byte, in whole milliseconds; 0: not known
	Hops        int           // redirects that were followed
	Text        uint64        // hash of the main text; 0: none was read
	Certificate time.Time     // when the certificate of the page's host ends, in whole seconds; zero: not known
	NotBefore   time.Time     // the server asks for a pause until then (Retry-After); zero: it does not. Not kept.
}

// Outcome tells whether a check counts as a success or a failure.
type Outcome uint8

// The outcomes. Their numbers are stored.
const (
	Answered Outcome = iota // the page is there
	Failed                  // it is not
	Excused                 // neither: 429, a site in maintenance (503), or robots.txt forbids asking
	outcomeCount
)

// OutcomeOf returns the outcome of an answer with an HTTP status, 0 if there was none.
func OutcomeOf(status int) Outcome {
	switch {
	case status == http.StatusTooManyRequests:
		return Excused
	case status == 0 || status >= 400:
		return Failed
	}
	return Answered
}

// forbidden reports whether robots.txt forbade to ask.
func (c *Check) forbidden() bool {
	return c.Outcome == Excused && c.Status != http.StatusTooManyRequests && c.Status != http.StatusServiceUnavailable
}

// Observation is a check with the page that it read.
type Observation struct {
	Check
	Page *Page // nil: none was read
}

// Page holds the facts about a page that one check compares with another.
type Page struct {
	Title     string
	Hops      []string // the redirects that lead to it, in order, without tracking and session parameters
	Canonical string   // the page that its rel=canonical names, if that is another one
	Sketch    Sketch   // of the main text; empty: it was not read, as after 304
}

// MaxError is the largest number of bytes of Check.Error that is kept, MaxTitle that of Page.Title.
const (
	MaxError = 200
	MaxTitle = 300
)
