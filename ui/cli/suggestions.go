package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/review/suggest"
	"visto/ui/wording"
)

// suggestCmd is visto suggest with its flags.
type suggestCmd struct {
	app        *app
	hosts      []string
	all, pairs bool
	take       string
	dismiss    string
	restore    string
	from       string

	policy    *canon.Policy // the rules by which a suggestion may lead to a URL that waits
	overrides *canon.Overrides
}

func newSuggest(a *app) *cobra.Command {
	c := &suggestCmd{app: a}
	cmd := command("suggest", "Propose rules that the stored evidence speaks for", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error {
			if id := cmp.Or(c.take, c.dismiss, c.restore); id != "" {
				return c.act(cmd.Context(), desk, id)
			}
			list, rules, err := c.find(cmd.Context(), desk)
			if err == nil {
				c.policy, c.overrides, err = desk.Rules(cmd.Context())
			}
			if err != nil {
				return err
			}
			if c.from == "" {
				list = c.chosenSuggestions(list)
			} else {
				list = c.chosenShared(list)
			}
			return a.print(func(w *printer) error {
				if err := c.printSuggestions(w, list); err != nil || c.from == "" {
					return err
				}
				return c.printUnsaid(w, rules)
			})
		}))
	f := cmd.Flags()
	listVar(f, &c.hosts, "host", "on any of these hosts; `HOST,...`; *.gencat.cat is a pattern")
	f.BoolVar(&c.all, "all", false, "also rules with too little for them to recommend them")
	f.BoolVar(&c.pairs, "pairs", false, "for each rule the URLs that speak for and against it")
	f.StringVar(&c.take, "take", "", "write the rule with this `ID`")
	f.StringVar(&c.dismiss, "dismiss", "", "keep the rule with this `ID` away until twice as many pages are for it")
	f.StringVar(&c.restore, "restore", "", "take back the dismissal of the rule with this `ID`")
	f.StringVar(&c.from, "from", "", "the rules in this `FILE` of duplicate-url-discarder instead")
	cmd.MarkFlagsMutuallyExclusive("take", "dismiss", "restore")
	cmd.MarkFlagsMutuallyExclusive("from", "dismiss")
	cmd.MarkFlagsMutuallyExclusive("from", "restore")
	a.completeStored(cmd, "host", func(f review.Facets) []review.Bucket { return f.Hosts })
	checkFirst(cmd, func() (err error) {
		c.hosts, err = hosts("--host", c.hosts)
		return err
	})
	return cmd
}

// suggestionJSON is a suggestion as --json prints it.
type suggestionJSON struct {
	ID          string         `json:"id"`
	Kind        suggest.Kind   `json:"kind"`
	Does        string         `json:"does"`
	Source      string         `json:"source,omitempty"`
	Recommended bool           `json:"recommended"`
	Lacks       string         `json:"lacks,omitempty"`
	For         int            `json:"for"`
	Against     int            `json:"against"`
	Lower       float64        `json:"lower"`
	URLs        int            `json:"urls"`
	Hosts       int            `json:"hosts"`
	ForBy       map[string]int `json:"for_by"`
	AgainstBy   map[string]int `json:"against_by"`
	Why         []string       `json:"why"`
	WhyNot      []string       `json:"why_not,omitempty"`
	Warning     string         `json:"warning,omitempty"`
	Rule        canon.Override `json:"rule"`
	Command     string         `json:"command"`
	Ask         []int64        `json:"ask,omitempty"`
	Dismissed   *dismissedJSON `json:"dismissed,omitempty"`
	Pairs       []pairJSON     `json:"pairs,omitempty"`
}

// dismissedJSON tells who dismissed a suggestion.
type dismissedJSON struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// pairJSON is a pair of URLs that speaks for or against a rule.
type pairJSON struct {
	Signal suggest.Signal `json:"signal"`
	For    bool           `json:"for"`
	URL    string         `json:"url"`
	Other  string         `json:"other,omitempty"`
}

// chosenSuggestions returns the suggestions to print, and tells of the others.
func (c *suggestCmd) chosenSuggestions(list []suggest.Suggestion) (shown []suggest.Suggestion) {
	if c.all {
		return list
	}
	dismissed := 0
	for _, s := range list {
		if s.Recommended && s.Dismissed == nil {
			shown = append(shown, s)
		}
		if s.Dismissed != nil {
			dismissed++
		}
	}
	if !c.app.json {
		c.tellUnshown(len(shown), len(list)-len(shown)-dismissed, dismissed)
	}
	return shown
}

func (c *suggestCmd) printSuggestions(w *printer, list []suggest.Suggestion) error {
	rows := [][]any{{"ID", "FOR", "AGAINST", "SURE", "URLS", "RULE"}}
	for _, s := range list {
		switch {
		case c.app.json:
			if err := c.printJSON(w, &s); err != nil {
				return err
			}
		case c.pairs:
			c.printPairs(w, &s)
		default:
			rows = append(rows, []any{s.ID(), s.For, s.Against, fmt.Sprintf("%.2f", s.Lower), s.Reach, c.starred(&s)})
		}
	}
	if len(rows) > 1 {
		hint := "to see the URLs behind the numbers: --pairs\n"
		if list[0].Recommended {
			hint = fmt.Sprintf("to write the first: %s --take %s; %s", c.command(), rows[1][0], hint)
		}
		c.app.warn("%s", hint)
		table(w, rows...)
	}
	return nil
}

// tellUnshown says how many rules are not among those that are shown, and where there is none at all, how to get some.
func (c *suggestCmd) tellUnshown(shown, more, dismissed int) {
	const hint = " with too little for them: visto suggest --all\n"
	switch {
	case shown+more+dismissed == 0:
		c.app.warn("no rule to propose: nothing that is stored speaks for one. visto probe asks the network for more\n")
	case shown == 0 && more > 0:
		c.app.warn("%s%s", count(more, "rule"), hint)
	case more > 0:
		c.app.warn("%s%s", count(more, "more rule"), hint)
	}
	if dismissed > 0 {
		c.app.warn("%s dismissed: visto suggest --all\n", count(dismissed, "rule"))
	}
}

// starred returns the words for a suggestion with its warning, and with a star if it is recommended.
func (c *suggestCmd) starred(s *suggest.Suggestion) string {
	text := "  " + s.Template.String()
	if s.Recommended {
		text = "* " + s.Template.String()
	}
	if warning := s.Warning(c.policy, c.overrides); warning != "" {
		text += " (" + warning + ")"
	}
	if s.Dismissed != nil {
		text += " (dismissed by " + s.Dismissed.Reviewer + ")"
	}
	return text
}

func (c *suggestCmd) printJSON(w *printer, s *suggest.Suggestion) error {
	rule := s.Override()
	text, err := json.Marshal(rule)
	if err != nil {
		return err
	}
	data := suggestionJSON{ID: s.ID(), Kind: s.Kind, Does: s.Template.String(), Source: s.Source,
		Recommended: s.Recommended, Lacks: s.Lacks(s.Template), For: s.For, Against: s.Against, Lower: s.Lower,
		URLs: s.Reach, Hosts: s.Hosts, ForBy: named(s.ForBy), AgainstBy: named(s.AgainstBy), Rule: rule,
		Command: "visto override add --rule " + shellQuote(string(text)), Ask: s.Ask,
		Warning: s.Warning(c.policy, c.overrides)}
	data.Why, data.WhyNot = s.Reasons()
	if d := s.Dismissed; d != nil {
		data.Dismissed = &dismissedJSON{d.Reviewer, d.At}
	}
	if c.pairs {
		for _, v := range s.Votes {
			data.Pairs = append(data.Pairs, pairJSON{v.Signal, v.For, v.URL, v.Other})
		}
	}
	return w.data(data)
}

// printPairs prints a suggestion with its reasons and the pairs of URLs behind them.
func (c *suggestCmd) printPairs(w *printer, s *suggest.Suggestion) {
	yes, no := s.Reasons()
	fmt.Fprintf(w, "%s %s\n", s.ID(), safe(c.starred(s)))
	fmt.Fprintf(w, "    %d for: %s\n", s.For, cmp.Or(strings.Join(yes, ", "), "nothing"))
	fmt.Fprintf(w, "    %d against: %s\n", s.Against, cmp.Or(strings.Join(no, ", "), "nothing"))
	if lacks := s.Lacks(s.Template); lacks != "" {
		fmt.Fprintf(w, "    not recommended: %s\n", lacks)
	}
	fmt.Fprintf(w, "    %s would change\n", count(s.Reach, "URL"))
	if len(s.Ask) > 0 {
		fmt.Fprintf(w, "    to know more: visto probe %s\n", strings.Trim(fmt.Sprint(s.Ask), "[]"))
	}
	for _, v := range s.Votes {
		sign := "-"
		if v.For {
			sign = "+"
		}
		fmt.Fprintf(w, "    %s %-14s %s\n", sign, v.Signal, safe(v.URL))
		if v.Other != "" {
			fmt.Fprintf(w, "      %-14s %s\n", "", safe(v.Other))
		}
	}
	fmt.Fprintln(w)
}

// act takes, dismisses or restores a suggestion. One that is taken is none any more: then it says in which batch that
// was done.
func (c *suggestCmd) act(ctx context.Context, desk *review.Desk, id string) error {
	s, err := c.named(ctx, desk, id)
	if c.take != "" && errors.Is(err, review.ErrNotFound) {
		err = desk.Done(ctx, func(e *review.EntryInfo) bool { return strings.HasSuffix(e.Summary, taken(id)) }, err)
	}
	if done, ok := errors.AsType[*review.DoneError](err); ok {
		return c.app.printDone(done)
	}
	switch {
	case err != nil:
		return err
	case c.take != "":
		return c.takeSuggestion(ctx, desk, s)
	case c.dismiss != "":
		return c.dismissSuggestion(ctx, desk, s)
	}
	return c.restoreSuggestion(ctx, desk, s)
}

// named returns the suggestion with an ID: the one that was mined last if nothing has changed since, or else one that is
// mined now.
func (c *suggestCmd) named(ctx context.Context, desk *review.Desk, id string) (*suggest.Suggestion, error) {
	if s, err := c.last(ctx, desk, id); err != nil || s != nil {
		return s, err
	}
	list, _, err := c.find(ctx, desk)
	if err != nil {
		return nil, err
	}
	i := indexOf(list, id)
	if i < 0 {
		return nil, withHint(fmt.Errorf("looking for the suggestion %s: %w", id, review.ErrNotFound),
			"visto suggest --all shows the suggestions with their IDs")
	}
	return &list[i], nil
}

// last returns the suggestion with an ID that was mined last, and tells its age. It is nil if there is none, or if the
// log has newer entries: a rule or a decision among them may speak against it.
func (c *suggestCmd) last(ctx context.Context, desk *review.Desk, id string) (*suggest.Suggestion, error) {
	if c.from != "" {
		return nil, nil
	}
	r, err := suggest.Last(ctx, desk)
	if err != nil || r == nil || r.Changes > 0 {
		return nil, err
	}
	i := indexOf(r.List, id)
	if i < 0 {
		return nil, nil
	}
	c.app.warn("%s was %s\n", id, wording.Mined(r, time.Now()))
	return &r.List[i], nil
}

func indexOf(list []suggest.Suggestion, id string) int {
	return slices.IndexFunc(list, func(s suggest.Suggestion) bool { return s.ID() == id })
}

// taken is the end of the summary of a batch that takes a suggestion.
func taken(id string) string { return " (suggestion " + id + ")" }

// takeSuggestion writes the rule of a suggestion.
func (c *suggestCmd) takeSuggestion(ctx context.Context, desk *review.Desk, s *suggest.Suggestion) error {
	if s.IsEmpty() {
		return fmt.Errorf("taking %s: no stored URL tells which parameters or segments there are to drop", s.ID())
	}
	change, err := desk.Amend(ctx, s.Override())
	if err != nil {
		return err
	}
	return c.app.saveOverrides(ctx, desk, summary(change)+taken(s.ID()), change)
}

func (c *suggestCmd) dismissSuggestion(ctx context.Context, desk *review.Desk, s *suggest.Suggestion) error {
	if err := suggest.Dismiss(ctx, desk, s); err != nil {
		return err
	}
	c.app.warn("dismissed until %s for it: %s; visto suggest --restore %s brings it back\n",
		count(2*max(1, s.For), "page")+" are", safe(s.Template.String()), s.ID())
	return nil
}

func (c *suggestCmd) restoreSuggestion(ctx context.Context, desk *review.Desk, s *suggest.Suggestion) error {
	if err := suggest.Restore(ctx, desk, s); err != nil {
		return err
	}
	c.app.warn("brought back: %s\n", safe(s.Template.String()))
	return nil
}
