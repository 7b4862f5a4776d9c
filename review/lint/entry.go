package lint

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// Citation is a URL where it stands. Later links of a chain of decisions have the place of the first.
type Citation struct {
	URL    string // with *** in the place of user and password
	Place  read.Place
	Record *read.Record // nil: none
	File   string       // the full name of the file, for finding its occurrences
}

// spot is a place of which a source of decisions knows.
type spot struct {
	files []string // the names of its file, the full one first; others are tails of it
	none  bool     // it is in no record
	id    string   // of the record
	name  string
	path  string
}

// likeness tells how sure it is that the citation is the one at a spot; 0: it is another one. A record is known by its
// ID, or if that is its position in a list, by its name.
func (c *Citation) likeness(s spot) int {
	file := slices.IndexFunc(s.files, func(name string) bool {
		return name != "" && (name == c.File || strings.HasSuffix(c.File, "/"+name))
	})
	if file < 0 || s.none != (c.Record == nil) {
		return 0
	}
	sure := 2 * (len(s.files) - file)
	if c.Place.Path == s.path {
		sure++
	}
	if s.none {
		return sure
	}
	_, err := strconv.Atoi(s.id)
	switch sameID, sameName := s.id == c.Record.ID, s.name == c.Record.Name; {
	case sameID && sameName:
		return sure + 20
	case sameID && s.id != "" && err != nil, sameName && s.name != "" && (err == nil || s.id == ""):
		return sure + 10
	}
	return 0
}

// Decisions looks up the decision on a URL. Entry takes the whole citation, so that its answer may depend on the file,
// the record and the field.
type Decisions interface {
	Entry(ctx context.Context, c Citation) (Entry, error)
}

// Entry is the decision on a URL, by a person or by the rules.
type Entry struct {
	Status    review.Status
	Canonical string           // the URL to cite; empty if the URL is rejected
	Decision  *review.Decision // of a person; nil: none
	Flags     []canon.Flag     // with details
	Reason    string           // of a rejection by the rules
	Detail    string           // of the reason
	PutOff    bool             // its server answered nothing but 429 so far
}

// fromResult returns the entry of a URL on which no person has decided.
func fromResult(r canon.Result) Entry {
	status, _ := review.ResolveStatus(review.Computed{Verdict: r.Verdict}, review.Link{}, nil)
	return Entry{Status: status, Canonical: r.Canonical, Flags: r.Flags, Reason: r.Reason.String(), Detail: r.Detail,
		PutOff: r.PutOff}
}

// doubts returns the flags for which a person has to look, and whether the URL waits for a person at all.
func (e *Entry) doubts() (flags []canon.Flag, open bool) {
	switch e.Status {
	case review.Pending:
		return e.Flags, true
	case review.Approved:
		for _, f := range e.Flags {
			if f.Code == canon.ChangedSinceApproval {
				return []canon.Flag{f}, true
			}
		}
	}
	return nil, false
}

// target returns the URL to cite, or "" if that is not settled.
func (e *Entry) target() string {
	if _, open := e.doubts(); open || e.unseen() || e.Status != review.Accepted && e.Status != review.Approved {
		return ""
	}
	return e.Canonical
}

// unseen reports whether the rules accept the URL, but nobody has seen its page yet.
func (e *Entry) unseen() bool { return e.Status == review.Accepted && e.PutOff }

// approved reports whether a person chose the URL to cite.
func (e *Entry) approved() bool { return e.Status == review.Approved && e.Decision != nil }

// known holds the facts of a source about a URL: its own entry, and whether it is the canonical URL of others.
type known struct {
	own      *Entry           // nil: none
	approved *review.Decision // of an approved URL whose canonical URL it is; nil: there is none
	accepted bool             // it is the canonical URL of one that the rules accepted
}

// entry returns the entry that counts for the URL. A URL that equals an approved canonical URL counts as decided unless
// it has a decision of its own; one that equals an accepted canonical URL, unless it has an entry of its own. The rules
// decide on all others.
func (k known) entry(url string, rules func() (Entry, error)) (Entry, error) {
	switch {
	case k.own != nil && k.own.Decision != nil:
		return *k.own, nil
	case k.approved != nil:
		return Entry{Status: review.Approved, Canonical: url, Decision: k.approved}, nil
	case k.own != nil:
		return *k.own, nil
	case k.accepted:
		return Entry{Status: review.Accepted, Canonical: url}, nil
	}
	return rules()
}
