package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
)

// Alternative is another URL that could be cited in the place of the computed one.
type Alternative struct {
	What string // what it is, in words
	URL  string // as a correction to it would be stored
	Raw  bool   // no more than the URL as it came
}

// maxAlternatives is how many are told.
const maxAlternatives = 9

// alternatives are what the URL as it came, the rules' own doubts and the network offer, likeliest first. Each is acceptable, and none
// is the computed URL.
func alternatives(p *canon.Policy, det *Detail) []Alternative {
	c := canon.New(p, nil)
	raw := []Alternative{{What: "as it came, and no more than cleaned", URL: det.Item.Original, Raw: true}}
	var list []Alternative
	for _, a := range slices.Concat(guesses(det), spellings(det), learned(det), raw) {
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

// guesses are what was approved before, and where the Spanish page is or may be.
func guesses(det *Detail) []Alternative {
	var list []Alternative
	if d := det.Item.Decision; d != nil && (d.Kind == Approve || d.Kind == Correct) {
		list = append(list, Alternative{What: "as it was approved", URL: d.Canonical})
	}
	for _, tag := range slices.Sorted(maps.Keys(det.Result.LangVariants)) {
		if IsSpanish(tag) {
			list = append(list, Alternative{What: "the Spanish version, as the page names it", URL: det.Result.LangVariants[tag]})
		}
	}
	return append(list, Alternative{What: "where the Spanish version may be: a guess", URL: det.Result.SpanishCandidate})
}

// spellings are the computed URL with its scheme, its slash or its host as they came, or the other way round.
func spellings(det *Detail) []Alternative {
	u := det.Result.Canonical
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok {
		return nil
	}
	end := cmp.Or(strings.IndexAny(rest, "?#")+1, len(rest)+1) - 1
	place, query := rest[:end], rest[end:]
	host, path, _ := strings.Cut(place, "/")
	var list []Alternative
	switch {
	case strings.HasSuffix(path, "/"):
		list = append(list, Alternative{What: "without the slash at its end", URL: scheme + "://" + strings.TrimRight(place, "/") + query})
	case slashed(det.Item.Original):
		list = append(list, Alternative{What: "with the slash at its end", URL: scheme + "://" + place + "/" + query})
	}
	came, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(det.Item.Original)), "://")
	switch {
	case scheme == "http":
		list = append(list, Alternative{What: "over https", URL: "https://" + rest})
	case came == "http":
		list = append(list, Alternative{What: "over http, as it came", URL: "http://" + rest})
	}
	if in := det.Item.Computed.InHost; in != "" && in != det.Item.Computed.Host {
		list = append(list, Alternative{What: "on the host as it came", URL: scheme + "://" + in + strings.TrimPrefix(place, host) + query})
	}
	return list
}

// slashed reports whether the path of a URL that is more than its host ends in a slash.
func slashed(url string) bool {
	_, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	return strings.Count(rest, "/") > 1 && strings.HasSuffix(rest, "/")
}

// learned are what the network named: the stations of the redirects, the last one first, and the page's own canonical URL.
func learned(det *Detail) []Alternative {
	ev := det.Evidence
	if ev == nil {
		return nil
	}
	list := []Alternative{{What: "where the redirects ended", URL: ev.FinalURL}, {What: "what the page calls its canonical URL", URL: ev.RelCanonical}}
	for i, hop := range slices.Backward(ev.Hops) {
		list = append(list, Alternative{What: fmt.Sprintf("after redirect %d of %d", i+1, len(ev.Hops)), URL: hop.URL})
	}
	return list
}
