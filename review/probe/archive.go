package probe

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review/lazyregexp"
)

// fetcher makes a GET request within the limits of the prober and follows redirects.
type fetcher func(ctx context.Context, url string) (*Response, error)

// methodArchive is the value of Evidence.Method for a page that was read in the web archive.
const methodArchive = "archive"

// Caveats about an archived copy. The first is the caveat of seed 003.
const (
	archiveRead  = "Content retrieved from web archive; may not reflect current state."
	archiveFound = "The web archive has a copy, which could not be read; it may not reflect the current state."
	archiveNone  = "The web archive has no copy of the page."
)

// lookUpArchive records the web archive's copy of a page in ev, with a caveat (seed 003, "Web Archive Lookup"). It
// does so only if the page is gone: no answer at all, 404, 410, or a server error after all retries. A failure of the
// archive is a caveat too; the only error is that ctx ended.
func lookUpArchive(ctx context.Context, a archive, ev *canon.Evidence) error {
	if !isGone(ev) {
		return nil
	}
	found, err := a.lookUpFirst(ctx, cmp.Or(ev.Asked, ev.URL), ev.FinalURL)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		addCaveat(ev, fmt.Sprintf("The web archive could not be asked: %s.", cleanText(err.Error())))
		return nil
	case found == nil:
		addCaveat(ev, archiveNone)
		return nil
	}
	ev.ArchiveURL, ev.ArchiveDate = found.url, found.date.Format(time.RFC3339)
	return a.read(ctx, *found, ev)
}

// isGone reports whether a copy should be looked for. A page behind a wall has none: seed 003 forbids to get round
// walls.
func isGone(ev *canon.Evidence) bool {
	switch {
	case ev.Blocked != "" || ev.Robots == "blocked":
		return false
	case ev.Error != "":
		return true
	}
	return ev.Status == http.StatusNotFound || ev.Status == http.StatusGone || ev.Status >= 500
}

// archive is a web archive. service is the address of a service that takes "url=" and answers like the Wayback
// Machine's availability service or like its CDX server, such as
// "https://web.archive.org/cdx/search/cdx?output=json&limit=-1&filter=statuscode:200".
type archive struct {
	fetch     fetcher
	policy    *canon.Policy
	documents DocumentReader // may be nil
	service   string
}

// archived is one copy of a page.
type archived struct {
	url  string
	date time.Time
}

// lookUpFirst looks up the page itself, then the URL it led to, and returns the first copy.
func (a archive) lookUpFirst(ctx context.Context, urls ...string) (*archived, error) {
	for _, u := range slices.Compact(urls) {
		if u == "" {
			continue
		}
		if found, err := a.lookUp(ctx, u); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// lookUp asks the service for a copy and returns nil if it has none.
func (a archive) lookUp(ctx context.Context, page string) (*archived, error) {
	ask, err := url.Parse(a.service)
	if err != nil {
		return nil, fmt.Errorf("reading the address of the archive: %w", err)
	}
	ask.RawQuery = strings.TrimPrefix(ask.RawQuery+"&url="+url.QueryEscape(page), "&")
	r, err := a.fetch(ctx, ask.String())
	switch {
	case err != nil:
		return nil, err
	case r.Status != http.StatusOK:
		return nil, fmt.Errorf("%s answered %d", ask.Host, r.Status)
	case r.Truncated:
		return nil, fmt.Errorf("the answer of %s is too long", ask.Host)
	}
	return parseArchived(r.Body, ask)
}

var errArchiveAnswer = errors.New("the answer has no known form")

// parseArchived reads both forms of answer: an object with the closest copy, or a table of copies under a row of
// column names.
func parseArchived(body []byte, service *url.URL) (*archived, error) {
	switch body = bytes.TrimSpace(body); {
	case bytes.HasPrefix(body, []byte("{")):
		return parseAvailability(body)
	case bytes.HasPrefix(body, []byte("[")):
		return parseCDX(body, service)
	case len(body) == 0: // the CDX server has no copy
		return nil, nil
	}
	return nil, errArchiveAnswer
}

// parseAvailability reads the answer of the availability service.
func parseAvailability(body []byte) (*archived, error) {
	var answer struct {
		Snapshots *struct {
			Closest struct {
				Available bool   `json:"available"`
				Status    string `json:"status"`
				URL       string `json:"url"`
				Timestamp string `json:"timestamp"`
			} `json:"closest"`
		} `json:"archived_snapshots"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if answer.Snapshots == nil {
		return nil, errArchiveAnswer
	}
	c := answer.Snapshots.Closest
	if !c.Available || strings.HasPrefix(c.Status, "4") || strings.HasPrefix(c.Status, "5") {
		return nil, nil
	}
	return newArchived(c.URL, c.Timestamp)
}

// parseCDX reads the answer of a CDX server. The last row is the newest copy.
func parseCDX(body []byte, service *url.URL) (*archived, error) {
	var rows [][]string
	if err := json.Unmarshal(body, &rows); err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if len(rows) < 2 {
		return nil, nil
	}
	row := map[string]string{}
	for i, name := range rows[0] {
		if last := rows[len(rows)-1]; i < len(last) {
			row[name] = last[i]
		}
	}
	if row["timestamp"] == "" || row["original"] == "" {
		return nil, errArchiveAnswer
	}
	copied := url.URL{Scheme: service.Scheme, Host: service.Host}
	return newArchived(copied.String()+"/web/"+row["timestamp"]+"/"+row["original"], row["timestamp"])
}

// timestampForm is the full form of an archive's timestamp. A timestamp may stop after any part of it.
const timestampForm = "20060102150405"

// newArchived checks the address and timestamp of a copy. The Wayback Machine names its copies with http and serves
// them over https.
func newArchived(address, timestamp string) (*archived, error) {
	address = strings.Replace(address, "http://web.archive.org/", "https://web.archive.org/", 1)
	u := parseURL(address)
	if u == nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(timestamp) < len("2006") {
		return nil, errArchiveAnswer
	}
	date, err := time.Parse(timestampForm[:min(len(timestamp), len(timestampForm))], timestamp)
	if err != nil {
		return nil, errArchiveAnswer
	}
	return &archived{url: address, date: date}, nil
}

// copyPath matches the beginning of a copy's path. "id_" after the timestamp asks for the original page, without the
// archive's frame.
var copyPath = lazyregexp.New(`^(https?://[^/]+/web/\d{4,14})/`)

// read takes the title and the language from the copy. Its links, hashes and headers are those of the copy, not of
// the page.
func (a archive) read(ctx context.Context, found archived, ev *canon.Evidence) error {
	r, err := a.fetch(ctx, copyPath().ReplaceAllString(found.url, "${1}id_/"))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil || r.Status != http.StatusOK {
		addCaveat(ev, archiveFound)
		return nil
	}
	page, err := ReadPage(ctx, r, a.policy, a.documents, false)
	if err != nil {
		return err
	}
	ev.Title, ev.Language, ev.Method = page.Title, page.Language, methodArchive
	addCaveat(ev, archiveRead)
	return nil
}
