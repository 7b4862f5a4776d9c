package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/read"
)

// filterFlags are the flags that select stored URLs; see visto help filters.
type filterFlags struct {
	with, without valueFlags
	since         string
	search, regex string
	path          string
	gone          bool
	linkStates    []string
	names         []string // of all these flags
}

// valueFlags are the flags whose values are alternatives. Each has a twin, --not-NAME, that leaves out its values.
type valueFlags struct {
	statuses, flags, hosts, sources, params, languages, reviewers []string
	assigned                                                      []string
	where                                                         []string // NAME=VALUE,...
}

func (f *filterFlags) register(a *app, cmd *cobra.Command, statusDefault string) {
	fs := cmd.Flags()
	status := "`STATUS,...`: " + strings.Join(statusValues(), ", ") + " (default " + statusDefault + ")"
	for _, v := range []struct {
		name       string
		with, less *[]string
		text       string
	}{
		{"status", &f.with.statuses, &f.without.statuses, status},
		{"flag", &f.with.flags, &f.without.flags, "with any of these flags, by `CODE,...` (visto help flags)"},
		{"host", &f.with.hosts, &f.without.hosts, "on any of these hosts; `HOST,...`; *.gencat.cat is a pattern"},
		{"source", &f.with.sources, &f.without.sources,
			"found in any of these files, or under any of these fields: `SOURCE,...`"},
		{"param", &f.with.params, &f.without.params, "with an unknown parameter of one of these names: `NAME,...`"},
		{"language", &f.with.languages, &f.without.languages,
			"in one of these languages: `CODE,...` (none: not known)"},
		{"decided-by", &f.with.reviewers, &f.without.reviewers, "decided by one of these reviewers: `NAME,...`"},
		{"assigned", &f.with.assigned, &f.without.assigned,
			"assigned to one of these reviewers: `NAME,...` (mine: to you; none: to nobody)"},
	} {
		listVar(fs, v.with, v.name, v.text)
		listVar(fs, v.less, "not-"+v.name, "leave out the URLs of --"+v.name+" with this `LIST`")
		f.names = append(f.names, v.name, "not-"+v.name)
	}
	fs.StringVar(&f.since, "decided-since", "", "decided on this `DAY` (2026-01-31, UTC, or today) or later")
	fs.StringVar(&f.search, "search", "", "with this `TEXT` in a URL, title, note or record; re:PATTERN as --regexp")
	fs.StringVar(&f.regex, "regexp", "",
		"with a match of this `PATTERN` (RE2, without regard to case) in a URL, title, note or record")
	fs.StringVar(&f.path, "path", "", "whose path starts with `PREFIX`")
	fs.StringArrayVar(&f.with.where, "where", nil,
		"cited by a record with one of the `NAME=VALUE,...` of an attribute")
	fs.StringArrayVar(&f.without.where, "not-where", nil,
		"leave out the URLs of --where with these `NAME=VALUE,...`")
	listVar(fs, &f.linkStates, "link-state",
		"whose link is in one of these states: `STATE,...`: active (or never checked), degraded, inactive")
	fs.BoolVar(&f.gone, "gone", false, "in place of the others, those that no file cites any more")
	f.names = append(f.names, "decided-since", "search", "regexp", "path", "where", "not-where", "link-state", "gone")
	a.complete(cmd, "status", statusValues()...)
	a.complete(cmd, "not-status", statusNames()...)
	a.complete(cmd, "flag", codeNames()...)
	a.complete(cmd, "not-flag", codeNames()...)
	a.complete(cmd, "link-state", namesOf(review.LinkStates)...)
	for _, not := range []string{"", "not-"} {
		a.completeStored(cmd, not+"host", func(f review.Facets) []review.Bucket { return f.Hosts })
		sources := func(f review.Facets) []review.Bucket { return slices.Concat(f.Fields, withShortNames(f.Files)) }
		a.completeStored(cmd, not+"source", sources)
		a.completeWhere(cmd, not+"where")
		a.completeCounted(cmd, not+"language", review.ByLanguage, "none")
		a.completeCounted(cmd, not+"param", review.ByParam)
	}
	checkFirst(cmd, func() error { return f.plain(&review.Filter{}, review.Filter{}) })
}

// given reports whether any filter flag is on the command line.
func (f *filterFlags) given(cmd *cobra.Command) bool {
	return slices.ContainsFunc(f.names, cmd.Flags().Changed)
}

// statusValues are the values of --status: the statuses, and the two words that stand for several.
func statusValues() []string { return append([]string{"open", "all"}, statusNames()...) }

func statusNames() []string {
	var names []string
	for s := review.Pending; s <= review.Deferred; s++ {
		names = append(names, s.String())
	}
	return names
}

func codeNames() []string { return namesOf(canon.Codes()) }

// filter returns the filter that the flags describe. Without --status the statuses are those of unless.
func (f *filterFlags) filter(cmd *cobra.Command, desk *review.Desk, unless review.Filter) (review.Filter, error) {
	var filter review.Filter
	if err := f.plain(&filter, unless); err != nil {
		return filter, usage(cmd, err)
	}
	filter.Assigned = assignees(f.with.assigned, desk.Reviewer())
	filter.Not.Assigned = assignees(f.without.assigned, desk.Reviewer())
	for flag, list := range map[string][]read.Attribute{"--where": filter.Where, "--not-where": filter.Not.Where} {
		if err := checkAttributes(cmd.Context(), desk, flag, list); err != nil {
			return filter, usage(cmd, err)
		}
	}
	if len(f.with.sources)+len(f.without.sources) == 0 {
		return filter, nil
	}
	facets, err := desk.Facets(cmd.Context(), review.Filter{})
	if err != nil {
		return filter, err
	}
	filter.Files, filter.Fields, err = sourcesOf("--source", f.with.sources, facets)
	if err == nil {
		filter.Not.Files, filter.Not.Fields, err = sourcesOf("--not-source", f.without.sources, facets)
	}
	return filter, usage(cmd, err)
}

// plain fills in every part that needs no look into the database.
func (f *filterFlags) plain(filter *review.Filter, unless review.Filter) (err error) {
	if filter.Path = f.path; f.path != "" && f.path[0] != '/' {
		return fmt.Errorf("--path: %q does not begin with a slash; did you mean /%s?", f.path, f.path)
	}
	if f.gone {
		filter.Presence, unless.Open = review.Gone, false
	}
	if filter.Where, err = attributes("--where", f.with.where); err != nil {
		return err
	}
	if filter.Not.Where, err = attributes("--not-where", f.without.where); err != nil {
		return err
	}
	if err = f.text(filter); err != nil {
		return err
	}
	if filter.Hosts, err = hosts("--host", f.with.hosts); err != nil {
		return err
	}
	if filter.Not.Hosts, err = hosts("--not-host", f.without.hosts); err != nil {
		return err
	}
	filter.Params, filter.Not.Params = f.with.params, f.without.params
	filter.Languages, filter.Not.Languages = storedLanguages(f.with.languages), storedLanguages(f.without.languages)
	filter.Reviewers, filter.Not.Reviewers = f.with.reviewers, f.without.reviewers
	if err = f.status(filter, unless); err != nil {
		return err
	}
	if filter.Not.Statuses, err = statuses("--not-status", f.without.statuses, statusNames()); err != nil {
		return err
	}
	if filter.Flags, err = codes("--flag", f.with.flags); err != nil {
		return err
	}
	if filter.Not.Flags, err = codes("--not-flag", f.without.flags); err != nil {
		return err
	}
	if filter.LinkStates, err = f.states(unless); err != nil {
		return err
	}
	filter.Since, err = day("--decided-since", f.since)
	return err
}

// text fills in the text or the regular expression to search for.
func (f *filterFlags) text(filter *review.Filter) error {
	search, pattern := review.ParseSearch(f.search)
	filter.Search, filter.Regexp = search, cmp.Or(pattern, f.regex)
	flag := "--regexp"
	if f.search == review.PatternMark {
		return errors.New("--search: the regular expression is empty")
	}
	if pattern != "" {
		flag = "--search"
		if f.regex != "" {
			return errors.New("--search: a regular expression, and --regexp is another: give one of them")
		}
	}
	if _, err := review.ParsePattern(filter.Regexp); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// assignees returns names of reviewers, with that of the one who asks in the place of mine.
func assignees(names []string, me string) []string {
	var list []string
	for _, name := range names {
		if name == review.Mine {
			name = me
		}
		list = append(list, name)
	}
	return list
}

// storedLanguages returns the codes as the store spells them: lower case, and the empty text for none.
func storedLanguages(codes []string) []string {
	var list []string
	for _, code := range codes {
		code = strings.ToLower(code)
		if code == "none" {
			code = ""
		}
		list = append(list, code)
	}
	return list
}

// day reads a day as the time at which it begins.
func day(flag, text string) (time.Time, error) {
	switch text {
	case "":
		return time.Time{}, nil
	case "today":
		return time.Now().UTC().Truncate(24 * time.Hour), nil
	}
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		err = fmt.Errorf("%s: %q is no day: write 2026-01-31, or today", flag, text)
	}
	return at, err
}

// status fills in the statuses to select. open and all are statusValues of their own and stand alone.
func (f *filterFlags) status(filter *review.Filter, unless review.Filter) (err error) {
	names := f.with.statuses
	if len(names) == 0 {
		filter.Open, filter.Statuses = unless.Open, unless.Statuses
		return nil
	}
	for _, name := range []string{"open", "all"} {
		if !slices.Contains(names, name) {
			continue
		}
		if len(names) > 1 {
			return fmt.Errorf("--status: %s cannot be combined with other values", name)
		}
		filter.Open = name == "open"
		return nil
	}
	filter.Statuses, err = statuses("--status", names, statusValues())
	return err
}

// states returns the states of links to select. Somebody who names statuses has all states.
func (f *filterFlags) states(unless review.Filter) (list []health.State, err error) {
	if len(f.linkStates) == 0 && len(f.with.statuses) == 0 {
		return unless.LinkStates, nil
	}
	for _, name := range f.linkStates {
		state, ok := review.ParseLinkState(name)
		if !ok {
			return nil, noneOf("--link-state", name, namesOf(review.LinkStates))
		}
		list = append(list, state)
	}
	return list, nil
}

// statuses parses the names of statuses; known are the values that the flag takes, for the error.
func statuses(flag string, names, known []string) ([]review.Status, error) {
	var list []review.Status
	for _, name := range names {
		status, ok := review.ParseStatus(name)
		if !ok {
			return nil, noneOf(flag, name, known)
		}
		list = append(list, status)
	}
	return list, nil
}

func codes(flag string, names []string) (set canon.CodeSet, err error) {
	for _, name := range names {
		code, ok := canon.ParseCode(name)
		if !ok {
			return set, noneOf(flag, name, codeNames())
		}
		set = set.With(code)
	}
	return set, nil
}

// sourcesOf sorts names of sources into files, named by their path or a tail of it from a slash on, and fields.
func sourcesOf(flag string, names []string, facets review.Facets) (files, fields []string, err error) {
	for _, name := range names {
		inFiles := matching(facets.Files, func(v string) bool { return strings.HasSuffix("/"+v, "/"+name) })
		inFields := matching(facets.Fields, func(v string) bool { return v == name })
		if len(inFiles)+len(inFields) == 0 {
			return nil, nil, noSource(flag, name, facets)
		}
		files, fields = append(files, inFiles...), append(fields, inFields...)
	}
	return files, fields, nil
}

// attributes parses conditions on attributes.
func attributes(flag string, texts []string) (list []read.Attribute, err error) {
	for _, text := range texts {
		a, err := review.ParseWhere(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		list = append(list, a)
	}
	return list, nil
}

// checkAttributes refuses an attribute that no record has.
func checkAttributes(ctx context.Context, desk *review.Desk, flag string, list []read.Attribute) error {
	var names []string
	for _, a := range list {
		names = append(names, a.Name)
	}
	missing, known, err := desk.MissingAttribute(ctx, names)
	if err != nil || missing == "" {
		return err
	}
	return fmt.Errorf("%s: no record has an attribute %q%s", flag, missing, nearOrKnown(missing, known))
}

// hosts returns hosts in the spelling of the store.
func hosts(flag string, texts []string) (list []string, err error) {
	for _, text := range texts {
		host, err := review.ParseHost(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", flag, err)
		}
		list = append(list, host)
	}
	return list, nil
}

func matching(buckets []review.Bucket, match func(string) bool) []string {
	var list []string
	for _, b := range buckets {
		if b.Value != "" && match(b.Value) {
			list = append(list, b.Value)
		}
	}
	return list
}

// withShortNames returns the buckets of files by the shortest tails of their paths.
func withShortNames(files []review.Bucket) []review.Bucket {
	var paths []string
	for _, b := range files {
		paths = append(paths, b.Value)
	}
	list, short := slices.Clone(files), review.ShortNames(paths)
	for i := range list {
		list[i].Value = short[list[i].Value]
	}
	return list
}

// noSource is the error for a name that is no source.
func noSource(flag, name string, f review.Facets) error {
	all := matching(append(withShortNames(f.Files), f.Fields...), func(string) bool { return true })
	return fmt.Errorf("%s: no stored URL comes from %q%s", flag, name, nearOrKnown(name, all))
}

// nearOrKnown returns the question of near, or else the first of the known names.
func nearOrKnown(typed string, known []string) string {
	if meant := near(typed, known); meant != "" {
		return meant
	}
	if len(known) > 12 {
		known = append(known[:12:12], "...")
	}
	return "; known are " + cmp.Or(strings.Join(known, ", "), "none")
}
