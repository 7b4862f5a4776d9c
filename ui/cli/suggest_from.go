package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"visto/review"
	"visto/review/suggest"
)

// find returns the suggestions that the flags ask for, with the rules of the file that they come from.
func (c *suggestCmd) find(ctx context.Context, desk *review.Desk) ([]suggest.Suggestion, []suggest.Shared, error) {
	if c.from == "" {
		list, err := suggest.List(ctx, desk, c.hosts)
		if err == nil && (c.all || c.take != "") {
			list, err = suggest.Offer(ctx, desk, review.Filter{Hosts: c.hosts}, list)
		}
		return list, nil, err
	}
	data, err := readFile(ctx, c.from)
	if err != nil {
		return nil, nil, fmt.Errorf("reading rules: %w", err)
	}
	rules, err := suggest.ReadShared(c.from, data)
	if err != nil {
		return nil, nil, fmt.Errorf("reading rules: %w", err)
	}
	return suggest.Import(ctx, desk, review.Filter{Hosts: c.hosts}, c.from, rules)
}

// command returns the command that makes the suggestions.
func (c *suggestCmd) command() string {
	if c.from == "" {
		return "visto suggest"
	}
	return "visto suggest --from " + shellQuote(c.from)
}

// chosenShared returns the shared rules to print, and tells of the others.
func (c *suggestCmd) chosenShared(list []suggest.Suggestion) []suggest.Suggestion {
	if c.all {
		return list
	}
	shown := slices.DeleteFunc(slices.Clone(list), func(s suggest.Suggestion) bool { return s.Reach == 0 })
	if more := len(list) - len(shown); more > 0 && !c.app.json {
		c.app.warn("%s would change no stored URL: %s --all\n", count(more, "more rule"), c.command())
	}
	return shown
}

// unsaidJSON is a pattern of a shared rule for which no override can say it.
type unsaidJSON struct {
	Rule      int    `json:"rule"`
	Line      int    `json:"line"`
	Processor string `json:"processor"`
	Pattern   string `json:"pattern"`
	Cannot    string `json:"cannot"`
}

// printUnsaid says how many of the rules of a file overrides can say, and why they cannot say the others.
func (c *suggestCmd) printUnsaid(w *printer, rules []suggest.Shared) error {
	whole, part, why := 0, 0, map[string]int{}
	for _, r := range rules {
		switch {
		case len(r.Unsaid) == 0:
			whole++
		case len(r.Templates) > 0:
			part++
		}
		for _, u := range r.Unsaid {
			why[u.Why]++
			if c.app.json {
				if err := w.data(unsaidJSON{r.Number, r.Line, r.Processor, u.Pattern, u.Why}); err != nil {
					return err
				}
			}
		}
	}
	if c.app.json {
		return nil
	}
	c.app.warn("overrides can say %d of %s, and %d in part\n", whole, count(len(rules), "rule"), part)
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		c.app.warn("%s cannot be said: %s\n", count(why[reason], "pattern"), safe(reason))
	}
	return nil
}
