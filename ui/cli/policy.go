package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"visto/canon"
	"visto/review"
	"visto/store/postgres"
	"visto/store/sqlite"
)

func newPolicy(a *app) *cobra.Command {
	show, check, diff := newPolicyShow(a), newPolicyCheck(a), newPolicyDiff(a)
	for _, cmd := range []*cobra.Command{show, check, diff} {
		cmd.ValidArgsFunction = completePolicies
	}
	return group("policy", "Policies: list, show, check, diff", newPolicyList(a), show, check, diff)
}

// policyJSON is a policy as --json prints it.
type policyJSON struct {
	Name        string `json:"name"`
	ID          string `json:"id"`
	Digest      string `json:"digest"`
	Description string `json:"description,omitempty"`
}

func printPolicy(w *printer, p *canon.Policy) error {
	text := fmt.Sprintf("%-20s %.12s  %s", safe(p.ID()), p.Digest(), safe(p.Description()))
	return w.line(policyJSON{p.Name(), p.ID(), p.Digest(), p.Description()}, "%s\n", strings.TrimRight(text, " "))
}

func newPolicyList(a *app) *cobra.Command {
	return command("list", "List the built-in policies", cobra.NoArgs, func(*cobra.Command, []string) error {
		return a.print(func(w *printer) error {
			return eachBuiltin(func(p *canon.Policy) error { return printPolicy(w, p) })
		})
	})
}

// eachBuiltin calls fn for each built-in policy.
func eachBuiltin(fn func(*canon.Policy) error) error {
	for _, name := range canon.BuiltinNames() {
		p, err := canon.Builtin(name)
		if err == nil {
			err = fn(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func newPolicyShow(a *app) *cobra.Command {
	return command("show [NAME|FILE]...", "Print a whole policy, as a file", cobra.ArbitraryArgs,
		func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = a.policies
			}
			p, err := a.policyToShow(cmd.Context(), separated(args))
			if err != nil {
				return err
			}
			return a.print(func(w *printer) error {
				if a.json {
					return printPolicyJSON(w, p)
				}
				_, err := w.Write(p.YAML())
				return err
			})
		})
}

// policyToShow returns the policy of names, else that of the database, if there is one.
func (a *app) policyToShow(ctx context.Context, names []string) (p *canon.Policy, err error) {
	if len(names) > 0 {
		return loadPolicy(ctx, names...)
	}
	err = a.withDesk(ctx, uses, func(desk *review.Desk) error {
		p = desk.Policy()
		return nil
	})
	if errors.Is(err, sqlite.ErrMissing) || errors.Is(err, postgres.ErrMissing) {
		return loadPolicy(ctx)
	}
	return p, err
}

// printPolicyJSON prints a policy as an object with the keys of its file. JSON is YAML, so it is a policy file too.
func printPolicyJSON(w *printer, p *canon.Policy) error {
	var keys map[string]any
	if err := yaml.Unmarshal(p.YAML(), &keys); err != nil {
		return fmt.Errorf("writing the policy as JSON: %w", err)
	}
	return w.data(keys)
}

func newPolicyCheck(a *app) *cobra.Command {
	return command("check FILE...", "Check policy files, laid over each other", cobra.MinimumNArgs(1),
		func(cmd *cobra.Command, args []string) error {
			p, err := usablePolicy(cmd.Context(), separated(args)...)
			if err != nil {
				return err
			}
			if both := p.BlockedAllowed(); len(both) > 0 {
				a.warn("on the allowlist and on the blocklist, and so blocked: %s\n", safe(strings.Join(both, ", ")))
			}
			if err := a.warnOfLists(cmd.Context(), separated(args)); err != nil {
				return err
			}
			return a.print(func(w *printer) error { return printPolicy(w, p) })
		})
}

// warnOfLists says how many names of the extended policy each list of the files drops.
func (a *app) warnOfLists(ctx context.Context, names []string) error {
	files, err := policyFiles(ctx, names)
	if err != nil {
		return err
	}
	lists, err := canon.ReplacedLists(files...)
	for _, l := range lists {
		a.warn("%s replaces a list and drops %d of its names; items that begin with + would add to it\n", l.Key, l.Dropped)
	}
	return err
}

// separated splits lists as --policy does: a,b is a and b.
func separated(args []string) (names []string) {
	for _, arg := range args {
		names = append(names, strings.Split(arg, ",")...)
	}
	return names
}
