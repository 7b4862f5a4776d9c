package console

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/wording"
)

// askOverride opens the form, prefilled from the flags of the URL.
func (r *rules) askOverride() tea.Cmd {
	return r.decide.onCurrent(func(it review.Item) tea.Cmd {
		if it.Computed.Host == "" {
			const text = "this URL has no host to write a rule for: {correct} corrects it, {reject} rejects it"
			return r.warn(r.keyed(text))
		}
		d := cmp.Or(r.decide.detail.data(), &review.Detail{})
		s := suggestion(&it, d.Result.SpanishCandidate)
		for _, o := range d.Overrides {
			if o.Override.Match == (canon.Match{Host: s.Host}) {
				s.Existing, s.By = &o.Override, savedBy(&o)
			}
		}
		return r.openForm(dialog.NewForm(s, action(r.save)), draftOf("override", it.ID))
	})
}

// savedBy tells who saved an override last, and when.
func savedBy(o *review.StoredOverride) string {
	return wording.Safe(o.Reviewer) + ", " + pane.Stamp(o.At)
}

// edit opens the form on an override. A draft is dropped if the override has changed under it; by is from savedBy.
func (r *rules) edit(o canon.Override, by string) tea.Cmd {
	f, key := dialog.EditForm(o, action(r.save)), idOf(editOverride)+" "+o.Match.String()
	fits := f.Fits(r.formOf(key))
	if !fits {
		delete(r.drafts, key)
	}
	cmd := r.openForm(f, key)
	if !fits {
		r.fail("the rule has changed since you typed (" + by + "): your text is not used")
	}
	return cmd
}

// formOf returns the draft of a key, nil if there is none.
func (r *rules) formOf(key string) *dialog.Form {
	f, _ := r.drafts[key].(*dialog.Form)
	return f
}

// openForm opens a form, or the draft of a key in its place.
func (r *rules) openForm(f *dialog.Form, key string) tea.Cmd {
	r.open(f.With(key, r.formOf(key)))
	if a, ok := f.First().(dialog.ComputeEffect); ok {
		return r.show(pendingFor(a), typingPause)
	}
	return nil
}

// confirm opens a question that shows the effect of a change.
func (r *rules) confirm(c *dialog.Confirm, change pendingChange) tea.Cmd {
	c.Do = action(r.save)
	r.open(c.WithEffect())
	return r.show(change, 0)
}

// prefilled are the flags that the form proposes to accept: a rule can do little else about them.
var prefilled = canon.SetOf(canon.HomePage, canon.SectionPage, canon.NonstandardPort, canon.OffAllowlist)

// suggestion is the start of a new rule. It proposes something for the first flag only, the one under review.
func suggestion(it *review.Item, spanish string) dialog.Suggestion {
	s := dialog.Suggestion{
		Host: it.Computed.Host, Params: it.Computed.Unknown,
		Flags:   it.Computed.Flags.Without(canon.ChangedSinceApproval).Codes(),
		Spanish: review.PrefixPair(it.Computed.Canonical, spanish),
	}
	// No preset trusts a host that imitates another one.
	if len(s.Flags) == 0 || it.Computed.Flags.Has(canon.SuspiciousHost) {
		return s
	}
	switch c := s.Flags[0]; {
	case c == canon.HTTPOnly:
		s.Rule.Scheme = "http"
	case c == canon.TrailingSlash:
		s.Rule.TrailingSlash = "keep"
	case prefilled.Has(c):
		s.Rule.Accept = []string{c.String()}
	}
	return s
}
