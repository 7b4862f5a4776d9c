package candidate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"visto/review"
	"visto/review/probe"
	"visto/review/probe/extract"
)

// Candidate is a page to cite in the place of another.
type Candidate struct {
	URL    string       // in the form in which a correction stores it
	Title  string       // empty: not known
	Score  float64      // how well it fits, to two places, comparable within one answer
	Why    []string     // reasons, for people, the weightiest first
	Flags  []string     // codes of its flags
	Named  bool         // its title has all words of the record's name, and these are several
	Report probe.Report // of its request; it has Evidence
}

// Prober makes the requests; *probe.Prober implements it.
type Prober interface {
	Run(ctx context.Context, targets []probe.Target, sink func(probe.Report) error) error
	Sitemaps(ctx context.Context, t probe.Target) ([]string, error)
	Download(ctx context.Context, t probe.Target, limit int64) (*probe.Response, error)
}

// MaxRequests is the number of requests for one question, to all sites together, robots.txt and sitemaps included.
const MaxRequests = 30

// Question asks for pages to cite in the place of an item, for one of its citers.
type Question struct {
	Item  int64
	Citer int64     // review.Citer.Number; 0: the only one. Error: ErrCiters if there are several
	Now   time.Time // by which a page is of last year

	Link extract.Link // that a reviewer chose, instead of pages to be looked for; the zero value: none
}

// ErrCiters is the error of a question that has to name one of several records.
var ErrCiters = errors.New("several records cite it, and each wants another page")

// TargetID returns the ID of the probe targets of a question about an item. It is no item's.
func TargetID(item int64) int64 { return -item }

// Find returns pages to cite, best first, at most maxCandidates. None is no error. The page of Question.Link is read
// and checked in the same way and is the only one, without a score. Errors: review.ErrNotFound, ErrCiters,
// probe.ErrOffline if there is no network, and why the page of the link cannot be cited.
func Find(ctx context.Context, desk *review.Desk, prober Prober, q Question) (list []Candidate, err error) {
	doing := fmt.Sprintf("finding pages for URL %d", q.Item)
	if q.Link.URL != "" {
		doing = "reading the link"
	}
	s, err := newSearch(ctx, desk, prober, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	defer func() { err = errors.Join(err, s.index.close()) }()
	if q.Link.URL != "" {
		list, err = s.readLink(ctx, q.Link)
	} else {
		list, err = s.run(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return list, nil
}

// recordsOf returns the records of the citer; of none if a file as a whole cites the item.
func recordsOf(it *review.Item, citer int64) ([]*review.Record, error) {
	citers := it.Citers(nil)
	switch {
	case citer != 0:
		i := slices.IndexFunc(citers, func(c review.Citer) bool { return c.Number == citer })
		if i < 0 {
			return nil, fmt.Errorf("no such record cites it: %w", review.ErrNotFound)
		}
		citers = citers[i : i+1]
	case len(citers) > 1:
		return nil, ErrCiters
	}
	var records []*review.Record
	for _, c := range citers {
		if c.Record != nil {
			records = append(records, c.Record)
		}
	}
	return records, nil
}
