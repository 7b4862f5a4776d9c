// Package wording puts results, changes and errors into the words in which the console and the line mode tell them.
// All texts are safe for a terminal, except those of [Changes].
package wording

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/term"
)

// Safe makes one line of untrusted text safe.
func Safe(s string) string { return term.Safe(strings.TrimSpace(term.Clip(s, 1024))) }

// URLs is a number of URLs: 1 URL, 12 URLs.
func URLs(n int) string {
	if n == 1 {
		return "1 URL"
	}
	return fmt.Sprintf("%d URLs", n)
}

// Reasons returns the texts that are offered for a rejection: the reviewer's own, or the usual ones.
func Reasons(own []string) []string {
	if len(own) > 0 {
		return own
	}
	return []string{"not a public body", "no longer there", "not about what cites it"}
}

// AllDeferred says that the queue is empty and that n URLs were put off.
func AllDeferred(n int) string {
	if n == 1 {
		return "Nothing waits but 1 URL that was put off."
	}
	return fmt.Sprintf("Nothing waits but %d URLs that were put off.", n)
}

// Doubt says which flags place an item in the order of doubt, and why: "off-allowlist and 1 more: ...".
func Doubt(flags canon.CodeSet) string {
	class := review.DoubtOf(flags)
	var names []string
	for _, c := range class.Flags.Codes() {
		names = append(names, c.String())
	}
	text := strings.Join(names, ", ")
	if more := flags.Len() - len(names); more > 0 && text != "" {
		text += fmt.Sprintf(" and %d more", more)
	}
	if text == "" {
		return class.Why
	}
	return text + ": " + class.Why
}

// Error is an error for people who do not know the program.
func Error(err error) string {
	var loop *canon.LoopError
	switch {
	case errors.As(err, &loop):
		text := "this rule sends a URL round in circles:"
		for _, u := range loop.URLs[:min(4, len(loop.URLs))] {
			text += " → " + Safe(u)
		}
		return text
	case errors.Is(err, context.DeadlineExceeded):
		return "that took too long: the database did not answer"
	case errors.Is(err, review.ErrReadOnly):
		return "the database is open read-only: nothing can be changed"
	case errors.Is(err, review.ErrGone):
		return "the database file was moved, deleted or replaced: nothing is written any more. " +
			"Put it back, or quit and open it again"
	case errors.Is(err, review.ErrStale):
		return "someone else changed the rules meanwhile: look again and repeat it"
	}
	return Safe(err.Error())
}

// ErrStaleProposal is the error of a proposal that fits the rules no more, in the place of review.ErrStale.
var ErrStaleProposal = errors.New("the rule has changed since it was proposed: take the proposal back, and propose " +
	"it anew")

// Decided says which decision was written on how many items, and how many of them wait for a second person. It is empty
// if none was. single is the ID of the item, or 0 for a decision on several.
func Decided(c review.Choice, r review.Receipt, single int64, alone string) string {
	text := decided(c, r, single, alone)
	switch {
	case r.Waiting > 0 && single != 0:
		text += ": 1 of 2, another person has to approve it too"
	case r.Waiting > 0:
		text += fmt.Sprintf(", %s with 1 of 2 approvals", URLs(r.Waiting))
	}
	return text
}

func decided(c review.Choice, r review.Receipt, single int64, alone string) string {
	switch {
	case r.Decided == 0:
		return ""
	case single == 0:
		return fmt.Sprintf("%s: %s", pane.Did(c.Kind), URLs(r.Decided))
	}
	text := fmt.Sprintf("%s: URL %d", pane.Did(c.Kind), single)
	if c.Kind.Corrects() {
		text += " as " + Safe(c.Canonical)
	}
	if c.Record != 0 {
		text += " for " + Safe(alone) + " alone"
	}
	return text
}

// CiterName returns the name of the citer with that number, empty if there is none. The text is untrusted.
func CiterName(citers []review.Citer, number int64) string {
	i := slices.IndexFunc(citers, func(by review.Citer) bool { return by.Number == number })
	if i < 0 {
		return ""
	}
	return citers[i].Name
}

// Accepts names the findings about the link that an approval of the item accepts. It follows the text of [Decided]
// and is empty if there is nothing.
func Accepts(it *review.Item) string {
	var found []string
	for _, c := range (it.Computed.Flags & health.Flags).Codes() {
		found = append(found, c.String())
	}
	switch text := " as it is now, " + strings.Join(found, ", "); {
	case found == nil:
		return ""
	case it.LinkState() != health.Inactive:
		return text
	case it.Link.Answers:
		return text + "; its link is active again"
	default:
		return text + "; its link stays inactive until it answers"
	}
}

// Conflicts says which decisions of others came first. It follows the text of [Decided].
func Conflicts(r review.Receipt) string {
	text := Safe(r.Conflicts[0].Error())
	if n := len(r.Conflicts); n > 1 {
		text += fmt.Sprintf(", and %d more", n-1)
	}
	if r.Decided > 0 {
		return ". Not written: " + text
	}
	return text
}

// Batch describes a batch: approve, 12 URLs.
func Batch(b review.Batch) string {
	if b.Action == review.ActOverride || b.Action == review.ActPropose {
		return Safe(b.Summary)
	}
	return fmt.Sprintf("%s, %s", b.Action, URLs(len(b.Items)))
}

// maxChanges is the number of rule changes that are told one by one.
const maxChanges = 5

// Changes describes changes of the rules, in untrusted text. The log stores it as the summary.
func Changes(changes []review.OverrideChange) string {
	var list []string
	for _, c := range changes {
		if c.After == nil {
			list = append(list, "remove the override for "+c.Before.Match.String())
		} else {
			where := "on"
			if c.After.Match.Field != "" {
				where = "in"
			}
			list = append(list, fmt.Sprintf("%s %s %s", pane.Does(*c.After), where, c.After.Match))
		}
	}
	if n := len(list); n > maxChanges {
		list = append(list[:maxChanges], fmt.Sprintf("and %d more", n-maxChanges))
	}
	return strings.Join(list, "; ")
}

// Later says which later URLs the rules settle besides those that are stored, such as "and every later URL of field
// portal_url, on any host". It is empty if the changes only remove rules.
func Later(changes []review.OverrideChange) string {
	var rules []canon.Override
	for _, c := range changes {
		if c.After != nil {
			rules = append(rules, *c.After)
		}
	}
	return pane.Later(rules)
}

// Saved says how many items a saved rule settled and reopened. done is the change in words, in safe text; "" is a rule
// that a form shows. A rule that takes two persons is only proposed.
func Saved(done string, e *review.Effect, r review.Receipt) string {
	if r.Waiting > 0 {
		return "proposed: another person has to confirm it; it would settle " + URLs(e.Settled)
	}
	text := fmt.Sprintf("%s: %s settled", cmp.Or(done, "saved"), URLs(e.Settled))
	if e.Settled == 0 && e.Changed > 0 {
		text = fmt.Sprintf("%s: %s changed", cmp.Or(done, "saved"), URLs(e.Changed))
	}
	if e.Partly.URLs > 0 {
		text += fmt.Sprintf(", %s in part (%s)", URLs(e.Partly.URLs), e.Partly)
	}
	if e.Reopened > 0 {
		text += fmt.Sprintf(", %d back in the queue", e.Reopened)
	}
	return text
}

// Probed describes the result of a probe.
func Probed(r *review.ProbeResult) string {
	return fmt.Sprintf("URL %d: %s", r.After.ID, pane.Outcome(r))
}

// View describes the filter, the order and the author of a view.
func View(v review.View) string {
	text := Safe(v.Query.Filter.String())
	if name := desk.OrderName(v.Query); name != "" {
		text += "; " + name
	}
	if v.Reviewer != "" {
		text += fmt.Sprintf(" (%s, %s)", Safe(v.Reviewer), pane.Stamp(v.At))
	}
	return text
}
