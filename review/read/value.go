package read

import (
	"strings"

	"visto/canon"
)

// placeholderTag begins a placeholder of a template that no bare URL goes beyond.
const placeholderTag = "<%"

// hasPlaceholder reports whether a text holds a placeholder of a template: {{ x }}, {% x %}, ${x} or <%= x %>.
func hasPlaceholder(text string) bool {
	for _, opening := range []string{"{{", "{%", "${", placeholderTag} {
		if strings.Contains(text, opening) {
			return true
		}
	}
	return false
}

// value returns a URL of a field as it is reported, or "" for one that is not taken: as trimmed does, and for a
// relative one, which it counts.
func (in *input) value(text string, line int) string {
	url := in.trimmed(text, line)
	if isRelative(url) {
		in.summary.Relative++
		return ""
	}
	return url
}

// isRelative reports whether a value names a path, a query or a fragment, and no host.
func isRelative(url string) bool {
	for _, start := range []string{"/", "./", "../", "?", "#"} {
		if strings.HasPrefix(url, start) {
			return !strings.HasPrefix(url, "//")
		}
	}
	return false
}

// partsOf returns where the URLs of a value stand: those of several, or the value as a whole.
func partsOf(text string) []canon.Span {
	if list := canon.SplitURLs(text); list != nil {
		return list
	}
	return []canon.Span{{Begin: 0, End: len(text)}}
}

// partNumber returns Place.Part of the URL at an index of partsOf.
func partNumber(index int) int {
	if index == 0 {
		return 0
	}
	return index + 1
}

// takesURL reports whether canon takes a word for a URL. With a scheme the word is meant as one, also if canon rejects
// it, such as mailto:x@boe.es.
func (in *input) takesURL(word string) bool {
	if name := scheme(word); name != "" && len(word) > len(name)+1 && !strings.Contains(name, ".") {
		return true
	}
	if in.judge == nil {
		policy, err := canon.Builtin(canon.DefaultPolicy)
		if err != nil {
			panic(err) // it is built in
		}
		in.judge = canon.New(policy, nil)
	}
	r := in.judge.Canonicalize(word, nil)
	_, host, _ := strings.Cut(r.Canonical, "://")
	if end := strings.IndexAny(host, "/?#:"); end >= 0 {
		host = host[:end]
	}
	return r.Verdict != canon.Rejected && strings.Contains(host, ".")
}
