package console

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/suggest"
	"visto/ui/dialog"
	"visto/ui/wording"
)

// causeFixes are the fixes of a cause, each with its key. The pane shows their results beside the list.
var causeFixes = []struct {
	key, name, foot  string
	kind             cause.FixKind
	verb, done, text string
}{
	{"K", "Keep", "keep", cause.FixKeep, "keep", "kept",
		"keep the part that would be removed: the parameter, the slash, http; a rule"},
	{"D", "Drop", "drop", cause.FixDrop, "drop", "dropped", "drop the parameter: a rule"},
	{"m", "Map to Spanish", "Spanish", cause.FixMapLanguage, "lead there", "led there",
		"lead another language's path prefix to the Spanish one: a rule"},
	{"c", "Cite other host", "", cause.FixHost, "cite it", "cited",
		"cite the host with www, or without it, in the place of this one: a rule"},
	{"A", "Accept", "accept", cause.FixAccept, "accept", "accepted",
		"accept the flag here: a rule; where no rule can, approve the URLs"},
	{"a", "Approve once", "", cause.FixApprove, "", "",
		"approve the URLs of the cause as they are, with no rule for those that come later"},
	{"d", "Defer once", "", cause.FixDefer, "", "", "put off all URLs of the cause"},
	{"R", "Reject the cause", "", cause.FixReject, "", "", "reject all URLs of the cause, with a reason"},
	{"t", "Take the suggestion", "take", cause.FixTake, "write it", "written", "write the suggested rule"},
}

// fix settles the cause, or all marked causes, by a fix.
func (t *causesTab) fix(kind cause.FixKind) tea.Cmd {
	if t.early(t.came.at) {
		return t.tooEarly(t.pressed, "row", "")
	}
	chosen := t.pane.Chosen()
	var fixes []cause.Fix
	for _, c := range chosen {
		f, ok := t.fixOf(c, kind, chosen...)
		if kind == cause.FixAccept && len(chosen) > 1 {
			if together, decides := c.Approve(chosen...); decides {
				f, ok = together, true
			}
		}
		if !ok {
			return t.warn(t.noFix(c, kind))
		}
		fixes = append(fixes, f)
	}
	switch {
	case len(fixes) == 0:
		return nil
	case kind == cause.FixReject:
		return t.askReject(chosen, fixes)
	}
	choice := review.Choice{Kind: review.Approve}
	if kind == cause.FixDefer {
		choice.Kind = review.Defer
	}
	return t.settle(chosen, fixes, choice)
}

// fixOf is a fix of a cause that is settled together with others. Some fixes are known from the study only.
func (t *causesTab) fixOf(c cause.Cause, kind cause.FixKind, with ...cause.Cause) (cause.Fix, bool) {
	if s := t.pane.StudyOf(c); s != nil {
		return s.Fix(kind, with...)
	}
	if c.On != "" && kind == cause.FixAccept {
		return cause.Fix{}, false // the study names the hosts
	}
	list := c.Fixes()
	i := slices.IndexFunc(list, func(f cause.Fix) bool { return f.Kind == kind })
	if i < 0 {
		return cause.Fix{}, false
	}
	return list[i], true
}

// possible reports whether an action of the table can do something for the cause, or for all marked causes.
func (t *causesTab) possible(name string) bool {
	_, ok := t.pane.Current()
	chosen := t.pane.Chosen()
	switch name {
	case askNetwork:
		return ok && t.opts.Prober != nil && len(t.unasked()) > 0
	case unfoldRows:
		return ok && t.pane.Folds()
	case dismissSuggestion:
		return ok && chosen[0].Suggestion != nil
	case citePages:
		return ok && t.opts.Prober != nil && len(chosen) == 1 && chosen[0].WantsPages()
	}
	for _, f := range causeFixes {
		if f.name != name {
			continue
		}
		return ok && !slices.ContainsFunc(chosen, func(c cause.Cause) bool {
			_, can := t.fixOf(c, f.kind)
			return !can
		})
	}
	return ok || name == "Search causes"
}

// noFix says why a fix is impossible for a cause, and offers another way.
func (t *causesTab) noFix(c cause.Cause, kind cause.FixKind) string {
	s := t.pane.StudyOf(c)
	switch {
	case c.Suggestion != nil:
		return t.keyed("this is a suggested rule: {take-the-suggestion} writes it, {dismiss-the-suggestion} " +
			"dismisses it")
	case s == nil && (kind == cause.FixApprove || kind == cause.FixDefer || c.On != ""):
		return t.keyed("this cause has not been read yet: go to it first")
	case kind == cause.FixTake:
		return "this is no suggested rule"
	case s != nil && s.Cause.N == 0:
		return "no URL of this cause waits any more: others have settled it"
	case kind == cause.FixKeep && c.Params == "":
		return "this cause has neither a parameter nor http to keep: the lines below tell its keys"
	case kind == cause.FixDrop && c.Params == "":
		return "this cause is no parameter"
	case c.HasPattern():
		return t.keyed("in a rule this name would stand for all that begin so: {urls-of-the-cause} shows the URLs")
	case c.Kind == cause.ByField && kind != cause.FixAccept:
		return t.keyed("a rule for a field can only accept flags: {accept} writes it, " +
			"{urls-of-the-cause} shows the URLs")
	case c.Kind == cause.ByAdvertising:
		return t.keyed("a rule for all hosts can only drop these: {drop} writes it, {urls-of-the-cause} shows the URLs")
	case kind == cause.FixMapLanguage:
		return t.keyed("no pair of path prefixes is known for this cause: " +
			"{override-for-the-cause} opens the form, where one can be given")
	case kind == cause.FixHost && c.WWW:
		return t.keyed("both hosts have the flag, so to cite the other one settles nothing: " +
			"{narrow} leaves one of them")
	case kind == cause.FixHost:
		return t.keyed("no page is cited on this host with www, or without it: " +
			"{override-for-the-cause} opens the form, where a host can be given")
	}
	return "all URLs of this cause have other flags too, which would be overlooked: settle those first"
}

// settle makes all fixes at once. They are all rules, or all the same decision.
func (t *causesTab) settle(chosen []cause.Cause, fixes []cause.Fix, choice review.Choice) tea.Cmd {
	change := pendingChange{choice: choice}
	for _, c := range chosen {
		change.about = append(change.about, c.Filter())
	}
	for _, f := range fixes {
		change.listed += f.N
		change.merge = append(change.merge, f.Rules...)
		if len(f.Rules) == 0 {
			change.only = append(change.only, f.Only)
		}
		change.hosts = append(change.hosts, unnamedHosts(f)...)
	}
	question := &dialog.Confirm{Title: titleOf(chosen), Yes: choice.Kind.String()}
	if len(change.merge) > 0 {
		if len(change.only) > 0 {
			return t.warn("some of the marked causes are settled by a rule and some by a decision: " +
				"mark one kind at a time")
		}
		question.Yes, change.done = wordsOf(fixes[0].Kind)
	}
	switch {
	case len(chosen) > 1:
		change.all = fmt.Sprintf("%s %d causes", question.Yes, len(chosen))
		change.done = fmt.Sprintf("%d causes %s", len(chosen), change.done)
	case len(change.merge) > 0:
		change.done = wording.Safe(fixes[0].Done)
	case choice.Kind == review.Approve:
		question.Text = []string{fixes[0].Title + asTheyAre(fixes[0].N)}
	default:
		question.Text = []string{fixes[0].Title}
	}
	if choice.Note != "" {
		question.Text = []string{fixes[0].Title + ": " + wording.Safe(choice.Note)}
		if len(chosen) > 1 {
			question.Text[0] = "reason: " + wording.Safe(choice.Note)
		}
	}
	return t.rules.settle(question, change)
}

// unnamedHosts returns the hosts of a fix that has a rule for each, where its title does not name them all.
func unnamedHosts(f cause.Fix) (hosts []string) {
	if len(f.Rules) > cause.NamedHosts {
		for _, rule := range f.Rules {
			if rule.Match.Field == "" {
				hosts = append(hosts, rule.Match.Host)
			}
		}
	}
	return hosts
}

func asTheyAre(urls int) string {
	if urls == 1 {
		return " as it is"
	}
	return " as they are"
}

// wordsOf are the words for a fix in a question, and after it is made.
func wordsOf(kind cause.FixKind) (verb, done string) {
	for _, f := range causeFixes {
		if f.kind == kind {
			return f.verb, f.done
		}
	}
	return "", ""
}

func titleOf(chosen []cause.Cause) string {
	if len(chosen) > 1 {
		return fmt.Sprintf("%d causes", len(chosen))
	}
	return chosen[0].String()
}

// askReject asks for the reason to reject the URLs of causes.
func (t *causesTab) askReject(chosen []cause.Cause, fixes []cause.Fix) tea.Cmd {
	title := "Reject"
	if len(chosen) == 1 {
		title += " " + wording.URLs(chosen[0].N)
	}
	return t.askReason(title, titleOf(chosen), "reject", "", func(reason string) tea.Cmd {
		t.closeDialog()
		return t.settle(chosen, fixes, review.Choice{Kind: review.Reject, Note: reason})
	})
}

// openForm opens the form of a rule for the cause.
func (t *causesTab) openForm() tea.Cmd {
	c, ok := t.pane.Current()
	if !ok {
		return nil
	}
	key := idOf(overrideForCause) + " " + c.String()
	if c.Suggestion != nil {
		return t.rules.openForm(dialog.NewForm(dialog.Suggestion{Host: c.Suggestion.Host,
			Rule: c.Suggestion.Override()}, action(t.rules.save)), key)
	}
	s := dialog.Suggestion{Host: c.Host, Params: c.Params.List(), Flags: []canon.Code{c.Flag}}
	s.Rule.Match.PathPrefix = c.Path
	if c.Kind == cause.ByPath || c.Kind == cause.ByAdvertising {
		s.Host = "*"
	}
	if c.Kind == cause.ByField { // the one with the most URLs; the form of another opens from the cause narrowed to it
		s.Rule.Match.Field = c.Fields.List()[0]
	}
	if f, ok := t.fixOf(c, cause.FixMapLanguage); ok {
		s.Spanish = *f.Rules[0].Spanish
	}
	return t.rules.openForm(dialog.NewForm(s, action(t.rules.save)), key)
}

// The names of actions.
const (
	dismissSuggestion = "Dismiss the suggestion"
	askNetwork        = "Ask about the cause"
	overrideForCause  = "Override for the cause"
)

// onSuggestion calls fn for the suggestion under the cursor.
func (t *causesTab) onSuggestion(fn func(*suggest.Suggestion) tea.Cmd) tea.Cmd {
	c, ok := t.pane.Current()
	switch {
	case !ok:
		return nil
	case t.early(t.came.at):
		return t.tooEarly(t.pressed, "row", "")
	case c.Suggestion == nil:
		return t.warn("this is no suggested rule")
	}
	return fn(c.Suggestion)
}

// dismiss keeps the suggestion under the cursor away.
func (t *causesTab) dismiss() tea.Cmd {
	return t.onSuggestion(func(s *suggest.Suggestion) tea.Cmd {
		text, here := "dismissed: "+wording.Safe(s.Template.String()), t.queue.pane.Here()
		back := func() (string, error) { return text, suggest.Restore(t.ctx, t.desk, s) }
		return t.rules.decide.writer.run(func() (outcome, error) {
			err := suggest.Dismiss(t.ctx, t.desk, s)
			return outcome{text: text, undoable: true, undo: back, place: here}, err
		})
	})
}

// unasked returns the items that would tell most about the cause under the cursor: which rule it wants.
func (t *causesTab) unasked() []int64 {
	if s := t.pane.Study(); s != nil {
		return s.Ask
	}
	return nil
}

// askAbout asks the network about the URLs that would tell most about the cause under the cursor.
func (t *causesTab) askAbout() tea.Cmd {
	ids := t.unasked()
	switch {
	case t.early(t.came.at):
		return t.tooEarly(t.pressed, "row", "")
	case t.opts.Prober == nil:
		return t.warn("there is no network to ask here")
	case t.pane.Study() == nil:
		return nil
	case len(ids) == 0:
		return t.warn("no URL is known that would tell which rule this cause wants")
	}
	var list []tea.Cmd
	for _, id := range ids {
		if run := t.pages.probes.of(id); run == nil || !run.Running {
			list = append(list, t.pages.probes.start(id))
		}
	}
	t.say(fmt.Sprintf("asking the network about %s: go on meanwhile", wording.URLs(len(ids))))
	return tea.Batch(list...)
}

// mine mines in the background while Causes is on screen, and reads the causes again if there was anything new. Of very
// many URLs the console shows the last suggestions alone, and says so once.
func (t *causesTab) mine() tea.Cmd {
	if t.scope&inCauses == 0 || t.desk.ReadOnly() {
		return nil
	}
	if totals := t.queue.totals; totals != nil && totals.Items > suggest.MaxUnasked {
		if t.tooMany {
			return nil
		}
		t.tooMany = true
		return t.say(fmt.Sprintf("no rules are looked for among %s here: visto suggest does, and they appear here",
			wording.URLs(totals.Items)))
	}
	return t.mining.load(func(mined, isNew bool, err error) tea.Cmd {
		switch {
		case errors.Is(err, context.Canceled):
		case err != nil:
			return t.warn(wording.Error(err))
		case mined && isNew:
			return t.load()
		}
		return nil
	})
}
