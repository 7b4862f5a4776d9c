package cause

import (
	"context"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/suggest"
)

// weigh counts the votes about dropping the parameters of the cause, where all its URLs have them. They stand on the same observations as those of
// the package suggest: on the pages studied, those without the parameters, and those approved on the host.
func (s *examiner) weigh(ctx context.Context) error {
	params := s.Cause.Params.List()
	if s.Cause.Flag != canon.UnknownParam || s.Cause.HasPattern() || strings.Contains(strings.Join(params, ""), "&") ||
		len(s.items) == 0 || s.isMixed() {
		return nil
	}
	drop := suggest.Template{Kind: suggest.DropParam, Host: "*", Path: s.Cause.Path,
		Params: strings.ToLower(strings.Join(params, "&"))}
	ids, err := s.related(ctx, drop)
	if err != nil {
		return err
	}
	var drops []suggest.Template
	for _, m := range s.Cause.matches() {
		drop.Host = m.Host
		drops = append(drops, drop)
	}
	list, err := suggest.Weigh(ctx, s.desk, review.Filter{IDs: ids}, drops...)
	if err == nil {
		s.dropping = suggest.Together(list)
	}
	return err
}

// related returns the items studied, and those to compare them with. Their number does not depend on the size of the
// cause.
func (s *examiner) related(ctx context.Context, drop suggest.Template) (ids []int64, err error) {
	targets := review.Filter{}
	for i := range s.items {
		ids = append(ids, s.items[i].ID)
		if to, ok := drop.Apply(s.items[i].Computed.Canonical); ok {
			targets.Keys = append(targets.Keys, review.KeyOf(to))
		}
	}
	filters := []review.Filter{targets}
	if hosts := s.Cause.AtHosts(); hosts != nil {
		filters = append(filters, review.Filter{AtHosts: hosts, Path: s.Cause.Path,
			Statuses: []review.Status{review.Approved}})
	}
	for _, f := range filters {
		items, err := s.desk.Page(ctx, review.Query{Filter: f}, nil, maxStudied)
		if err != nil {
			return nil, err
		}
		for i := range items {
			ids = append(ids, items[i].ID)
		}
	}
	return ids, nil
}

// ask finds items to ask about among those studied.
func (s *examiner) ask() {
	isRecommended := func(f Fix) bool { return f.Recommended }
	if s.dropping == nil || slices.ContainsFunc(s.Fixes, isRecommended) {
		return
	}
	unasked := slices.DeleteFunc(slices.Clone(s.items), func(it review.Item) bool {
		return suggest.IsAsked(s.evidence[it.ID])
	})
	s.Ask = suggest.Unasked(s.dropping.Template, unasked)
}

// paramWords are the reasons that the votes of a signal give for dropping and for keeping parameters: of one page and
// of several. %s stands for the parameters, or for another value of theirs.
var paramWords = map[suggest.Signal]struct{ drop, keep [2]string }{
	suggest.Redirect: {
		[2]string{"redirect leaves %s out", "redirects leave %s out"},
		[2]string{"redirect adds %s", "redirects add %s"}},
	suggest.Canonical: {
		[2]string{"page leaves %s out of its canonical link", "pages leave %s out of their canonical links"},
		[2]string{"page has %s in its canonical link", "pages have %s in their canonical links"}},
	suggest.Text: {
		[2]string{"page shows the same text with %s", "pages show the same text with %s"},
		[2]string{"page shows another text with %s", "pages show another text with %s"}},
	suggest.Status: {keep: [2]string{"page is missing without %s", "pages are missing without %s"}},
	suggest.Person: {drop: [2]string{"correction leaves %s out", "corrections leave %s out"}},
}

// addParamReasons supports keeping or dropping parameters by the votes about it. Too few of them are said, but support
// nothing.
func (s *examiner) addParamReasons() {
	if s.dropping == nil {
		return
	}
	keeping := s.dropping.Keeping()
	s.addVotes(FixKeep, keeping, func(of suggest.Signal) [2]string { return paramWords[of].keep })
	s.addVotes(FixDrop, s.dropping.Tally, func(of suggest.Signal) [2]string { return paramWords[of].drop })
}

// addVotes adds the votes for a fix as reasons, in the words for each signal.
func (s *examiner) addVotes(a FixKind, t suggest.Tally, words func(suggest.Signal) [2]string) {
	var said []string
	for _, signal := range suggest.Signals() {
		if n, w := t.ForBy[signal], words(signal); n > 0 {
			about := s.them()
			if signal == suggest.Text {
				about = s.otherValue()
			}
			said = append(said, strings.ReplaceAll(countText(n, w[0], w[1]), "%s", about))
		}
	}
	lacks := t.Lacks(s.dropping.Template)
	for i, text := range said {
		switch {
		case lacks == "":
			s.addReason(a, "%s", text)
		case i == len(said)-1:
			s.addDoubt(a, "%s: %s", text, lacks)
		default:
			s.addDoubt(a, "%s", text)
		}
	}
}

// otherValue stands for a value of the parameters of the cause that differs.
func (s *examiner) otherValue() string {
	if len(s.Cause.Params.List()) > 1 {
		return "other values"
	}
	return "another value"
}
