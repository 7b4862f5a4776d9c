package suggest

import "slices"

// acrossHosts returns the suggestions of a template for several hosts. It has "*" as its host; votes are those of
// all hosts.
func acrossHosts(t Template, votes []Vote) (list []Suggestion) {
	enough := func(path string, c Tally) bool { return path != "" && c.recommends(t) }
	for _, at := range scopes(withoutSingles(votes), enough) {
		if enough(at.path, at.Tally) {
			list = append(list, newSuggestion(t.at(at.path), at))
		}
	}
	return list
}

// withoutSingles drops the votes for by the text of a host that has only one such text. It may be the host's error
// page: each host has its own.
func withoutSingles(votes []Vote) []Vote {
	texts := map[string]map[textKey]bool{}
	for i := range votes {
		v := &votes[i]
		if !v.For {
			continue
		}
		if texts[v.host] == nil {
			texts[v.host] = map[textKey]bool{}
		}
		texts[v.host][v.text] = true
	}
	return slices.DeleteFunc(slices.Clone(votes), func(v Vote) bool {
		return v.For && v.Signal == Text && len(texts[v.host]) < 2
	})
}
