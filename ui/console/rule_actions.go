package console

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/dialog"
)

// askOverride opens the form, prefilled from the flags of the URL under review.
func (m *Model) askOverride() tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd {
		if it.Computed.Host == "" {
			m.warn("this URL has no host to write a rule for: e corrects it, r rejects it")
			return nil
		}
		var candidate string
		if d := m.detail.Data(); d != nil && d.Item.ID == it.ID {
			candidate = d.Result.SpanishCandidate
		}
		return m.openForm(dialog.NewForm(suggestion(&it, candidate), saveRule{}))
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
		Flags: it.Computed.Flags.Without(canon.ChangedSinceApproval).Codes(), Spanish: prefixPair(it.Computed.Canonical, spanish),
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

// prefixPair guesses the prefixes of the paths from a URL and its Spanish counterpart: up to and with the first segment
// that differs.
func prefixPair(from, to string) canon.Prefixes {
	a, b := pathSegments(from), pathSegments(to)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return canon.Prefixes{
				From: "/" + strings.Join(a[:i+1], "/") + "/",
				To:   "/" + strings.Join(b[:i+1], "/") + "/",
			}
		}
	}
	return canon.Prefixes{}
}

// pathSegments returns the segments of the path of a canonical URL.
func pathSegments(url string) []string {
	_, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "?")
	_, path, _ := strings.Cut(rest, "/")
	if path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

func (m *Model) editOverride() tea.Cmd {
	o, ok := m.overrides.Current()
	if !ok {
		return nil
	}
	return m.openForm(dialog.EditForm(o.Override, saveRule{}))
}

func (m *Model) askRemoveOverride() tea.Cmd {
	o, ok := m.overrides.Current()
	if !ok {
		return nil
	}
	want := dialog.AskEffect{Before: &o.Override}
	return m.askRule("Remove override", "remove", "The URLs that it settled come back to the queue.", want)
}

// askRule asks before a change of the rules, with its effect shown.
func (m *Model) askRule(title, yes, text string, want dialog.AskEffect) tea.Cmd {
	c := &dialog.Confirm{Title: title, Yes: yes, Text: []string{text}, Do: saveRule{}}
	m.open(c.WithEffect())
	return m.askEffect(want)
}

// showCause shows the URLs of the cause in the queue.
func (m *Model) showCause() tea.Cmd {
	c, ok := m.causes.Current()
	if !ok {
		return nil
	}
	q := m.query
	q.Filter = c.Filter()
	return m.setQuery(setQuery{query: q, cause: fmt.Sprintf("%s %s", c.Flag, causeText(c))})
}

func (m *Model) causeKeep() tea.Cmd {
	return m.causeParam("Keep", func(o *canon.Override, param string) { o.KeepQueryParams = []string{param} })
}

func (m *Model) causeDrop() tea.Cmd {
	return m.causeParam("Drop", func(o *canon.Override, param string) { o.DropQueryParams = []string{param} })
}

// causeParam asks for a rule about the cause's parameter.
func (m *Model) causeParam(verb string, set func(o *canon.Override, param string)) tea.Cmd {
	c, ok := m.causes.Current()
	if !ok {
		return nil
	}
	rule, ruled := causeRule(c)
	switch {
	case c.Param == "":
		m.warn("this cause is no parameter: A accepts the flag, enter shows the URLs")
		return nil
	case !ruled:
		m.warn("a rule is for hosts, not for a field: enter shows the URLs")
		return nil
	case strings.HasSuffix(c.Param, "*"):
		m.warn("in a rule this name would stand for all that begin so: enter shows the URLs")
		return nil
	}
	set(&rule, c.Param)
	return m.askRule(verb+" a parameter", strings.ToLower(verb), "One rule for all URLs like these.", dialog.AskEffect{After: &rule})
}

// causeRule is a rule that matches the URLs of the cause and says nothing yet. There is none for a field.
func causeRule(c review.Cause) (canon.Override, bool) {
	switch c.Kind {
	case review.HostCause:
		return canon.Override{Match: canon.Match{Host: c.Host}}, true
	case review.PathCause:
		return canon.Override{Match: canon.Match{Host: "*", PathPrefix: c.Path}}, true
	}
	return canon.Override{}, false
}

// causeAccept asks for a rule that accepts the flag. For a field, over which no rule reaches, and for what changed
// since it was approved, it asks to approve the URLs as they are.
func (m *Model) causeAccept() tea.Cmd {
	c, ok := m.causes.Current()
	if !ok {
		return nil
	}
	if rule, ruled := causeRule(c); ruled && c.Flag != canon.ChangedSinceApproval {
		rule.Accept = []string{c.Flag.String()}
		return m.askRule("Accept a flag", "accept", "One rule for all URLs like these.", dialog.AskEffect{After: &rule})
	}
	return func() tea.Msg {
		targets, err := m.targets(c.Filter())
		return approvalAnswer{c, targets, err}
	}
}

// approvalAnswer are the URLs of a cause that are to be approved as they are: these and, if others come meanwhile, no others.
type approvalAnswer struct {
	cause   review.Cause
	targets []review.Target
	err     error
}

func (a approvalAnswer) take(m *Model) tea.Cmd {
	switch n := len(a.targets); {
	case m.dialog != nil, m.scope != inCauses: // the reviewer has gone on to something else
	case a.err != nil:
		m.warn(plainError(a.err))
	case n == 0:
		m.warn("no URL of this cause waits any more")
	default:
		m.open(&dialog.Confirm{
			Title: "Approve the URLs of a cause", Yes: fmt.Sprintf("approve %d", n),
			Text: []string{fmt.Sprintf("Approve %s, %s %s, as they are shown? They are one batch: u takes them back together.",
				counted(n), a.cause.Flag, causeText(a.cause))},
			Do: decide{review.Choice{Kind: review.Approve}, a.targets, true},
		})
	}
	return nil
}

func (m *Model) causeForm() tea.Cmd {
	c, ok := m.causes.Current()
	if !ok {
		return nil
	}
	rule, ruled := causeRule(c)
	if !ruled {
		m.warn("a rule is for hosts, not for a field: enter shows the URLs")
		return nil
	}
	s := dialog.Suggestion{Host: rule.Match.Host, Flags: []canon.Code{c.Flag}, Rule: rule}
	if c.Param != "" {
		s.Params = []string{c.Param}
	}
	return m.openForm(dialog.NewForm(s, saveRule{}))
}
