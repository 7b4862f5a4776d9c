package console

import (
	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// askOverride opens the form, prefilled from the flags of the URL under review.
func (m *Model) askOverride() tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd {
		if it.Computed.Host == "" {
			m.warn(m.keyed("this URL has no host to write a rule for: {correct} corrects it, {reject} rejects it"))
			return nil
		}
		d := m.detail.Data()
		if d == nil || d.Item.ID != it.ID {
			return m.openForm(dialog.NewForm(suggestion(&it, ""), saveShown{}))
		}
		s := suggestion(&it, d.Result.SpanishCandidate)
		for _, o := range d.Overrides {
			if o.Override.Match == (canon.Match{Host: s.Host}) {
				s.Existing, s.By = &o.Override, safeText(o.Reviewer)+", "+pane.Stamp(o.At)
			}
		}
		return m.openForm(dialog.NewForm(s, saveShown{}))
	})
}

func (m *Model) openForm(f *dialog.Form) tea.Cmd {
	m.open(f)
	return m.act(f.First())
}

// prefilled are the flags for which the form proposes to accept them, since there is little else a rule could do.
var prefilled = canon.SetOf(canon.HomePage, canon.SectionPage, canon.NonstandardPort, canon.OffAllowlist)

// suggestion is what the form starts from. The first flag is the one under review; only for it something is proposed.
func suggestion(it *review.Item, spanish string) dialog.Suggestion {
	s := dialog.Suggestion{
		Host: it.Computed.Host, Params: it.Computed.Unknown,
		Flags: it.Computed.Flags.Without(canon.ChangedSinceApproval).Codes(), Spanish: review.PrefixPair(it.Computed.Canonical, spanish),
	}
	if len(s.Flags) == 0 || it.Computed.Flags.Has(canon.SuspiciousHost) { // a host that imitates another is trusted by no preset
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

// onOverride does what a key does with the override under the cursor, or says that there is none.
func (m *Model) onOverride(fn func(o review.StoredOverride) tea.Cmd) tea.Cmd {
	o, ok := m.overrides.Current()
	if !ok {
		m.warn(m.keyed("there is no override here: {override} on a URL of the queue writes one"))
		return nil
	}
	return fn(o)
}

func (m *Model) editOverride() tea.Cmd {
	return m.onOverride(func(o review.StoredOverride) tea.Cmd { return m.openForm(dialog.EditForm(o.Override, saveShown{})) })
}

func (m *Model) askRemoveOverride() tea.Cmd {
	return m.onOverride(func(o review.StoredOverride) tea.Cmd {
		want := dialog.ComputeEffect{Before: &o.Override}
		return m.askRule("Remove override", "remove", "The URLs that it settled come back to the queue.", want)
	})
}

// askRule asks before a change of the rules, with its effect shown.
func (m *Model) askRule(title, yes, text string, want dialog.ComputeEffect) tea.Cmd {
	c := &dialog.Confirm{Title: title, Yes: yes, Text: []string{text}, Do: saveShown{}}
	m.open(c.WithEffect())
	return m.startWish(wishOf(want))
}
