package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
)

func newPolicyDiff(a *app) *cobra.Command {
	return command("diff A B [URL...]", "Show which URLs two policies treat otherwise",
		func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("two policies are wanted")
			}
			return nil
		},
		func(cmd *cobra.Command, args []string) error {
			var sides [2]*canon.Canonicalizer
			for i := range sides {
				p, err := usablePolicy(cmd.Context(), separated(args[i:i+1])...)
				if err != nil {
					return err
				}
				sides[i] = canon.New(p, nil)
			}
			return a.print(func(w *printer) error {
				d := &policyDiff{w: w, left: sides[0], right: sides[1]}
				if err := a.eachURL(cmd.Context(), args[2:], d.url); err != nil {
					return err
				}
				a.warn("%s\n", d.summary())
				return nil
			})
		})
}

// eachURL calls fn for each argument; for each line of stdin if the argument is -; or without arguments for each stored
// URL.
func (a *app) eachURL(ctx context.Context, args []string, fn func(string) error) error {
	switch {
	case len(args) == 0:
		return a.withDesk(ctx, uses, func(desk *review.Desk) error {
			return desk.Each(ctx, review.Filter{Presence: review.AnyPresence}, func(it review.Item) error {
				return fn(it.Original)
			})
		})
	case len(args) == 1 && args[0] == "-":
		return readChunks(interruptible(ctx, a.in), func(ch chunk) error { return a.eachLine(ch, fn) })
	}
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			return withHint(fmt.Errorf("%s is a file, not a URL", arg),
				"give - for the URLs, and their lines on stdin: - < %s", arg)
		}
		if err := fn(arg); err != nil {
			return err
		}
	}
	return nil
}

// eachLine calls fn for each line that is not empty. A line that is too long to hold is left out.
func (a *app) eachLine(ch chunk, fn func(string) error) error {
	if ch.long > 0 {
		a.warn("line %d: a line of %d bytes is left out\n", ch.first, ch.long)
		return nil
	}
	for line := range strings.Lines(ch.text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := fn(line); err != nil {
			return err
		}
	}
	return nil
}

// policyDiff compares two policies URL by URL.
type policyDiff struct {
	w           *printer
	left, right *canon.Canonicalizer
	seen        int
	differ      [len(differences)]int
}

// differences are the kinds of difference between two results of one URL, the weightiest first.
var differences = [...]struct {
	name   string
	differ func(l, r *canon.Result) bool
}{
	{"verdict", func(l, r *canon.Result) bool {
		return l.Reason != r.Reason || (l.Verdict == canon.Rejected) != (r.Verdict == canon.Rejected)
	}},
	{"canonical URL", func(l, r *canon.Result) bool { return l.Canonical != r.Canonical }},
	{"flags", func(l, r *canon.Result) bool { return l.Codes() != r.Codes() }},
}

// summary counts the URLs that differ, by the kind of difference.
func (d *policyDiff) summary() string {
	total, parts := 0, make([]string, len(differences))
	for i, n := range d.differ {
		total += n
		parts[i] = fmt.Sprintf("%d in %s", n, differences[i].name)
	}
	verb := "differ"
	if total == 1 || d.seen == 1 {
		verb = "differs"
	}
	text := fmt.Sprintf("%d of %s %s", total, count(d.seen, "URL"), verb)
	if total > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// diffJSON is one difference as --json prints it.
type diffJSON struct {
	Original string       `json:"original"`
	Left     canon.Result `json:"left"`
	Right    canon.Result `json:"right"`
}

func (d *policyDiff) url(raw string) error {
	l, r := d.left.Canonicalize(raw, nil), d.right.Canonicalize(raw, nil)
	d.seen++
	for i, kind := range differences {
		if kind.differ(&l, &r) {
			d.differ[i]++
			return d.w.line(diffJSON{l.Original, l, r}, "  %s\n- %s\n+ %s\n",
				safe(l.Original), safe(outcome(&l)), safe(outcome(&r)))
		}
	}
	return nil
}

// outcome returns a result in one line: the canonical URL and its flags, or the reason why there is none.
func outcome(r *canon.Result) string {
	if r.Verdict == canon.Rejected {
		return "rejected: " + r.Reason.String()
	}
	if len(r.Flags) == 0 {
		return r.Canonical
	}
	return r.Canonical + "  [" + codeList(r.Codes()) + "]"
}
