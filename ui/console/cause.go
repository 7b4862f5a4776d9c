package console

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// causeActs are the keys that settle a cause. What each does to the cause under the cursor stands beside the list.
var causeActs = []struct {
	key, name, text, foot string
	act                   cause.FixKind
}{
	{"K", "Keep", "keep what would be removed: the parameter, the slash, http; a rule, its effect shown first", "keep", cause.FixKeep},
	{"D", "Drop", "drop the parameter: a rule, its effect shown first", "drop", cause.FixDrop},
	{"m", "Map to Spanish", "lead another language's path prefix to the Spanish one: a rule, its effect shown first", "Spanish", cause.FixMapLanguage},
	{"c", "Cite other host", "cite the host with www, or without it, in the place of this one: a rule, its effect shown first", "", cause.FixHost},
	{"A", "Accept", "accept the flag here: a rule; where no rule can, approve the URLs; the effect shown first", "accept", cause.FixAccept},
	{"R", "Reject the cause", "reject all URLs of the cause, with a reason; the effect shown first", "", cause.FixReject},
}

func causeKeys() []binding {
	list := []binding{{[]string{"enter"}, "URLs of the cause", "show the URLs of this cause", "its URLs", inCauses, (*Model).showCause}}
	for _, a := range causeActs {
		list = append(list, binding{[]string{a.key}, a.name, a.text, a.foot, inCauses | writes, func(m *Model) tea.Cmd { return m.causeAct(a.act) }})
	}
	return append(list,
		binding{[]string{"o"}, "Override for the cause", "open the form for the cause's host", "form", inCauses | writes, (*Model).causeForm},
		binding{[]string{"l", "right"}, "Narrow", "only the URLs of the cause below a path, then below the next one", "", inCauses, func(m *Model) tea.Cmd { return m.narrowCause(1) }},
		binding{[]string{"h", "left"}, "Widen", "the path before; at last the whole cause again", "", inCauses, func(m *Model) tea.Cmd { return m.narrowCause(-1) }},
		binding{[]string{"space"}, "Mark cause", "mark the cause, or take the mark away: what is marked is settled together", "mark", inCauses, (*Model).markCause},
		binding{[]string{"/"}, "Search causes", "show only causes with these words", "search", inCauses, (*Model).askSearchCauses},
		binding{[]string{"esc"}, "Clear causes", "take away marks, then the search", "", inCauses, (*Model).clearCauses},
	)
}

// causeKeyNames are the keys as they are bound now.
func (m *Model) causeKeyNames() pane.CauseKeys {
	keys := pane.CauseKeys{Fixes: map[cause.FixKind]string{}, Form: m.keyOf("Override for the cause"), Whole: m.keyOf("URLs of the cause"), Under: m.keyOf("Narrow"), Clear: m.keyOf("Clear causes")}
	for _, a := range causeActs {
		keys.Fixes[a.act] = m.keyOf(a.name)
	}
	return keys
}

// keyOf is the first key of a binding, by its name.
func (m *Model) keyOf(name string) string {
	return keyOf(m.keys, (&binding{name: name}).id())
}

// study reads what can be found about the cause under the cursor, unless it is known.
func (m *Model) study() tea.Cmd {
	c, ok := m.causes.Current()
	if !ok || m.loading.study || m.causes.Study() != nil {
		return nil
	}
	m.loading.study = true
	return func() tea.Msg {
		s, err := cause.Examine(m.ctx, m.desk, c)
		return studyAnswer{c, s, err}
	}
}

type studyAnswer struct {
	cause cause.Cause
	study *cause.Study
	err   error
}

func (a studyAnswer) take(m *Model) tea.Cmd {
	m.loading.study = false
	here, ok := m.causes.Current()
	switch {
	case !ok:
		return nil
	case !here.Same(a.cause): // the cursor has moved on
		return m.study()
	case a.err != nil:
		m.causes.Fail(plainError(a.err))
	default:
		m.causes.SetStudy(a.study)
	}
	return nil
}

func (m *Model) narrowCause(by int) tea.Cmd {
	if !m.causes.Narrow(by) {
		if by < 0 {
			m.warn("this is the whole cause")
		} else {
			m.warn("there is no path to narrow this cause to")
		}
		return nil
	}
	return m.study()
}

func (m *Model) markCause() tea.Cmd {
	m.causes.Toggle()
	return m.study()
}

func (m *Model) clearCauses() tea.Cmd {
	if !m.causes.Unmark() {
		m.causes.Search("")
	}
	return m.study()
}

// showCause shows the URLs of the cause in the queue.
func (m *Model) showCause() tea.Cmd {
	c, ok := m.causes.Current()
	if !ok {
		return nil
	}
	q := m.query
	q.Filter = c.Filter()
	return m.setQuery(setQuery{query: q, cause: fmt.Sprintf("%s %s", c.Flag, pane.CauseText(c))})
}

// causeAct asks before what settles the cause, or all that are marked. The effect is shown with the question.
func (m *Model) causeAct(act cause.FixKind) tea.Cmd {
	causes := m.causes.Chosen()
	var remedies []cause.Fix
	for _, c := range causes {
		r, ok := m.remedy(c, act)
		if !ok {
			m.warn(m.noRemedy(c, act))
			return nil
		}
		remedies = append(remedies, r)
	}
	if len(remedies) == 0 {
		return nil
	}
	if act == cause.FixReject {
		return m.askRejectCauses(causes, remedies)
	}
	return m.askRemedies(causes, remedies, review.Choice{Kind: review.Approve})
}

// remedy is what the act does to a cause. What only the study knows can be done to the one that it is of.
func (m *Model) remedy(c cause.Cause, act cause.FixKind) (cause.Fix, bool) {
	list := c.Fixes()
	if s := m.causes.StudyOf(c); s != nil {
		list = s.Fixes
	}
	for _, r := range list {
		if r.Kind == act {
			return r, true
		}
	}
	return cause.Fix{}, false
}

// noRemedy says why the act cannot be done to a cause, and what can.
func (m *Model) noRemedy(c cause.Cause, act cause.FixKind) string {
	s := m.causes.StudyOf(c)
	switch {
	case s != nil && s.Cause.N == 0:
		return "no URL of this cause waits any more: others have settled it"
	case act == cause.FixKeep && c.Param == "":
		return "there is nothing here that a rule could keep"
	case act == cause.FixDrop && c.Param == "":
		return "this cause is no parameter"
	case strings.HasSuffix(c.Param, "*"):
		return m.keyed("in a rule this name would stand for all that begin so: {urls-of-the-cause} shows the URLs")
	case act == cause.FixMapLanguage:
		return m.keyed("no pair of path prefixes is known for this cause: {override-for-the-cause} opens the form, where one can be given")
	case act == cause.FixHost:
		return m.keyed("no page is cited on this host with www, or without it: {override-for-the-cause} opens the form, where a host can be given")
	case act == cause.FixAccept:
		return "all URLs of this cause have other flags too, which would be overlooked: settle those first"
	}
	return m.keyed("a rule is for hosts, not for a field: {accept} approves its URLs, {urls-of-the-cause} shows them")
}

// askRemedies asks once for all of the remedies. They are all rules, or all the same decision.
func (m *Model) askRemedies(causes []cause.Cause, remedies []cause.Fix, choice review.Choice) tea.Cmd {
	w := wish{choice: choice}
	var titles []string
	for i, r := range remedies {
		w.about = append(w.about, causes[i].Filter())
		titles = append(titles, r.Title)
		if r.Rule != nil {
			w.rules = append(w.rules, *r.Rule)
		} else {
			w.only = append(w.only, r.Only)
		}
	}
	if len(w.rules) > 0 && len(w.only) > 0 {
		m.warn("some of the marked causes are settled by a rule and some by a decision: mark one kind at a time")
		return nil
	}
	c := &dialog.Confirm{Title: causeTitle(causes), Yes: causeVerb(remedies, choice), Do: saveShown{}}
	if len(w.only) > 0 {
		c.Text = []string{decisionText(titles, choice)}
	}
	m.open(c.WithEffect())
	return m.startWish(w)
}

// decisionText says what is decided, and why.
func decisionText(titles []string, choice review.Choice) string {
	text := strings.Join(titles, "; ")
	if choice.Note != "" {
		return text + ": " + safeText(choice.Note)
	}
	return text + " as they are"
}

func causeTitle(causes []cause.Cause) string {
	if len(causes) > 1 {
		return fmt.Sprintf("%d causes", len(causes))
	}
	return causes[0].String()
}

func causeVerb(remedies []cause.Fix, choice review.Choice) string {
	if remedies[0].Rule == nil {
		return choice.Kind.String()
	}
	return map[cause.FixKind]string{cause.FixKeep: "keep", cause.FixDrop: "drop", cause.FixMapLanguage: "lead there", cause.FixHost: "cite it",
		cause.FixAccept: "accept"}[remedies[0].Kind]
}

// rejectCauses is the reason for which the URLs of causes are to be rejected.
type rejectCauses struct {
	causes   []cause.Cause
	remedies []cause.Fix
	reason   string
}

func (m *Model) askRejectCauses(causes []cause.Cause, remedies []cause.Fix) tea.Cmd {
	p := &dialog.Prompt{
		Title: "Reject", About: causeTitle(causes), Hint: "the reason, for those who come after", Yes: "see what it would do",
		Empty: "a rejection needs a reason",
		Do:    func(text string) dialog.Action { return rejectCauses{causes, remedies, text} },
	}
	m.openPrompt(p)
	return nil
}

// causeForm opens the form on what the cause is about.
func (m *Model) causeForm() tea.Cmd {
	c, ok := m.causes.Current()
	if !ok {
		return nil
	}
	if c.Kind == cause.ByField {
		m.warn(m.noRemedy(c, 0))
		return nil
	}
	s := dialog.Suggestion{Host: c.Host, Flags: []canon.Code{c.Flag}}
	s.Rule.Match.PathPrefix = c.Path
	if c.Kind == cause.ByPath {
		s.Host = "*"
	}
	if c.Param != "" {
		s.Params = []string{c.Param}
	}
	if r, ok := m.remedy(c, cause.FixMapLanguage); ok {
		s.Spanish = *r.Rule.Spanish
	}
	return m.openForm(dialog.NewForm(s, saveShown{}))
}
