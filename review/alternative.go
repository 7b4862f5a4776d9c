package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
)

// Alternative is a URL that could be cited instead of the computed one.
type Alternative struct {
	Label string // its origin, in words
	URL   string // in the form in which a correction would store it
	Raw   bool   // the original URL, only cleaned
}

// maxAlternatives is the largest number of alternatives.
const maxAlternatives = 9

// alternatives returns the URLs that the review, the spelling, the evidence and the original suggest, likeliest
// first. Each is acceptable and differs from the computed URL.
func alternatives(p *canon.Policy, det *Detail) []Alternative {
	c := canon.New(p, nil)
	raw := []Alternative{{Label: "as it came, and no more than cleaned", URL: det.Item.Original, Raw: true}}
	var list []Alternative
	for _, a := range slices.Concat(fromReview(det), spellings(det), fromEvidence(det), raw) {
		r := c.Clean(a.URL)
		known := slices.ContainsFunc(list, func(b Alternative) bool { return b.URL == r.Canonical })
		if a.URL == "" || r.Verdict == canon.Rejected || known || r.Canonical == det.Result.Canonical {
			continue
		}
		a.URL = r.Canonical
		list = append(list, a)
	}
	return list[:min(len(list), maxAlternatives)]
}

// fromReview returns the URL approved before, the Spanish pages and a guess of the Spanish page.
func fromReview(det *Detail) (list []Alternative) {
	if d := det.Item.Decision; d != nil && d.Approves() {
		list = append(list, Alternative{Label: "as it was approved", URL: d.Canonical})
	}
	for _, tag := range slices.Sorted(maps.Keys(det.Result.LangVariants)) {
		if IsSpanish(tag) {
			url := det.Result.LangVariants[tag]
			list = append(list, Alternative{Label: "the Spanish version, as the page names it", URL: url})
		}
	}
	guess := det.Result.SpanishCandidate
	return append(list, Alternative{Label: "where the Spanish version may be: a guess", URL: guess})
}

// spellings returns variants of the computed URL with another scheme, trailing slash or host.
func spellings(det *Detail) (list []Alternative) {
	scheme, rest, ok := strings.Cut(det.Result.Canonical, "://")
	if !ok {
		return nil
	}
	add := func(label, scheme, rest string) {
		list = append(list, Alternative{Label: label, URL: scheme + "://" + rest})
	}
	end := cmp.Or(strings.IndexAny(rest, "?#")+1, len(rest)+1) - 1
	place, query := rest[:end], rest[end:]
	host, path, _ := strings.Cut(place, "/")
	switch {
	case strings.HasSuffix(path, "/"):
		add("without the slash at its end", scheme, strings.TrimRight(place, "/")+query)
	case slashed(det.Item.Original):
		add("with the slash at its end", scheme, place+"/"+query)
	}
	came, _, _ := strings.Cut(strings.ToLower(canon.Trim(det.Item.Original)), "://")
	switch {
	case scheme == "http":
		add("over https", "https", rest)
	case came == "http":
		add("over http, as it came", "http", rest)
	}
	if in := det.Item.Computed.InHost; in != "" && in != det.Item.Computed.Host {
		add("on the host as it came", scheme, in+strings.TrimPrefix(rest, host))
	}
	return list
}

// slashed reports whether the path of a URL is longer than "/" and ends in a slash.
func slashed(url string) bool {
	_, rest, _ := strings.Cut(url, "://")
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	return strings.Count(rest, "/") > 1 && strings.HasSuffix(rest, "/")
}

// fromEvidence returns the end of the redirects, the canonical link of the page, and each redirect, last first.
func fromEvidence(det *Detail) []Alternative {
	ev := det.Evidence
	if ev == nil {
		return nil
	}
	list := []Alternative{{Label: "where the redirects ended", URL: ev.FinalURL},
		{Label: "the canonical URL that the page names", URL: ev.RelCanonical}}
	for i, hop := range slices.Backward(ev.Hops) {
		list = append(list, Alternative{Label: fmt.Sprintf("after redirect %d of %d", i+1, len(ev.Hops)), URL: hop.URL})
	}
	return list
}
