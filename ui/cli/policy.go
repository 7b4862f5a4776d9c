package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
)

func newPolicy(a *app) *cobra.Command {
	return group(&cobra.Command{
		Use:   "policy",
		Short: "Policies: list, show, check, diff",
	}, newPolicyList(a), newPolicyShow(a), newPolicyCheck(a), newPolicyDiff(a))
}

// policyJSON is a policy as --json prints it.
type policyJSON struct {
	Name        string `json:"name"`
	ID          string `json:"id"`
	Digest      string `json:"digest"`
	Description string `json:"description,omitempty"`
}

func (a *app) printPolicy(w io.Writer, p *canon.Policy) error {
	if a.json {
		return a.printJSON(w, policyJSON{p.Name(), p.ID(), p.Digest(), p.Description()})
	}
	line := fmt.Sprintf("%-20s %.12s  %s", safe(p.ID()), p.Digest(), safe(p.Description()))
	_, err := fmt.Fprintln(w, strings.TrimRight(line, " "))
	return err
}

func newPolicyList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the built-in policies",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.print(func(w io.Writer) error {
				for _, name := range canon.BuiltinNames() {
					p, err := canon.Builtin(name)
					if err != nil {
						return err
					}
					if err := a.printPolicy(w, p); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

func newPolicyShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "show [NAME|FILE]...",
		Short: "Print a whole policy, as a file",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = a.policies
			}
			p, err := loadPolicy(separated(args)...)
			if err != nil {
				return err
			}
			return a.print(func(w io.Writer) error {
				_, err := w.Write(p.YAML())
				return err
			})
		},
	}
}

func newPolicyCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Check policy files, laid over each other",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := usablePolicy(separated(args)...)
			if err != nil {
				return err
			}
			return a.print(func(w io.Writer) error { return a.printPolicy(w, p) })
		},
	}
}

// separated splits lists as --policy does: a,b is a and b.
func separated(args []string) (names []string) {
	for _, arg := range args {
		names = append(names, strings.Split(arg, ",")...)
	}
	return names
}
