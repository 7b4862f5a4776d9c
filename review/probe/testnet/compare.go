package testnet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
)

// DiffEvidence returns the differences between the evidence and the table.
func (w Want) DiffEvidence(got *canon.Evidence) (diffs []string) {
	if got.FetchedAt == "" {
		diffs = append(diffs, "fetched_at is missing")
	}
	wanted := canon.Evidence(w.Evidence)
	if got.Error != "" && wanted.Error != "" && strings.Contains(strings.ToLower(got.Error),
		strings.ToLower(wanted.Error)) {
		wanted.Error = got.Error
	}
	if wanted.FinalURL == "" && len(wanted.Hops) > 0 && wanted.Method == "get" {
		wanted.FinalURL = wanted.Hops[len(wanted.Hops)-1].URL
	}
	is, should := fields(got), fields(&wanted)
	names := maps.Clone(is)
	maps.Copy(names, should)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !slices.Contains(besides, name) && is[name] != should[name] {
			diffs = append(diffs, fmt.Sprintf("%s is %s, want %s", name, cmp.Or(is[name], "nothing"),
				cmp.Or(should[name], "nothing")))
		}
	}
	return diffs
}

// besides are the fields of evidence that depend on more than the site, and the facts about hosts, which DiffFacts
// compares.
var besides = []string{"url", "asked", "fetched_at", "ttl_hours", "retry_after", "caveats", "size", "hosts", "https",
	"preferred_host", "reached", "answers"}

// fields returns the fields of evidence as JSON.
func fields(ev *canon.Evidence) map[string]string {
	data, _ := json.Marshal(ev)
	var raw map[string]json.RawMessage
	json.Unmarshal(data, &raw)
	m := map[string]string{}
	for name, value := range raw {
		m[name] = string(value)
	}
	return m
}

// DiffResult returns the differences between the result and the table.
func (w Want) DiffResult(got canon.Result) (diffs []string) {
	differ := func(what string, got, want any) {
		if is, should := fmt.Sprint(got), fmt.Sprint(want); is != should {
			diffs = append(diffs, fmt.Sprintf("%s is %q, want %q", what, is, should))
		}
	}
	differ("canonical", got.Canonical, w.Canonical)
	differ("verdict", got.Verdict, w.Verdict())
	differ("reason", got.Reason, w.Reason)
	if w.Canonical == "" {
		return diffs
	}
	differ("flags", codeNames(got.Codes()), codeNames(w.Flags))
	differ("language", got.Language, w.language())
	differ("lang_variants", got.LangVariants, w.Variants)
	differ("spanish candidate", got.SpanishCandidate, w.Spanish)
	var pages canon.Pagination
	if got.Pagination != nil {
		pages = *got.Pagination
	}
	differ("page", pages.Page, w.Page)
	if w.Page != "" {
		differ("total_pages", pages.TotalPages, w.Evidence.TotalPages)
	}
	return diffs
}

func codeNames(s canon.CodeSet) string {
	var list []string
	for _, c := range s.Codes() {
		list = append(list, c.String())
	}
	return strings.Join(list, " ")
}

// language returns the language of the result: the policy calls Valencian Catalan, and a region does not count.
func (w Want) language() string {
	name, _, _ := strings.Cut(cmp.Or(w.Language, w.Evidence.Language), "-")
	if name == "va" {
		return "ca"
	}
	return name
}

// DiffFacts returns the differences between the facts about the host and the table.
func (s Site) DiffFacts(hosts canon.Hosts) (diffs []string) {
	if len(s.URLs) == 0 {
		return nil
	}
	learned := "not known"
	if https := hosts[s.Host].HTTPS; https != nil {
		learned = fmt.Sprint(*https)
	}
	wants := [...]string{Supported: "true", Missing: "false", Broken: "not known", Unknown: "not known"}
	if want := wants[s.Facts.HTTPS]; learned != want {
		diffs = append(diffs, fmt.Sprintf("HTTPS is %s, want %s", learned, want))
	}
	prefers := cmp.Or(hosts[s.Host].PreferredHost, hosts[strings.TrimPrefix(s.Host, "www.")].PreferredHost, Nobody)
	if s.Facts.Prefers != "" && prefers != s.Facts.Prefers {
		diffs = append(diffs, fmt.Sprintf("it prefers %s, want %s", prefers, s.Facts.Prefers))
	}
	return diffs
}
