package cli

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
)

// ruleFlags are the flags that describe a rule.
type ruleFlags struct {
	rule     canon.Override
	spanish  string
	rewrites []string
	json     string
	isNew    bool
}

func (r *ruleFlags) register(a *app, cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.rule.Match.Host, "host", "", "`HOST`, *.DOMAIN, or with --path *")
	f.StringVar(&r.rule.Match.PathPrefix, "path", "", "only under this path `PREFIX`")
	f.StringVar(&r.rule.Match.Field, "field", "", "URLs that files cite in this `FIELD` alone; goes with --accept only")
	listVar(f, &r.rule.DropQueryParams, "drop", "parameters to drop, by `NAME,...`")
	listVar(f, &r.rule.KeepQueryParams, "keep", "parameters to keep, by `NAME,...`")
	listVar(f, &r.rule.PaginationParams, "pagination", "parameters that number pages, by `NAME,...`")
	listVar(f, &r.rule.NotPaginationParams, "not-pagination", "parameters that do not, by `NAME,...`")
	f.StringVar(&r.rule.Scheme, "scheme", "", "`SCHEME` of the host: http where it has no HTTPS")
	f.StringVar(&r.rule.TrailingSlash, "trailing-slash", "", "`keep`: a slash that came stays")
	f.StringVar(&r.rule.CanonicalHost, "canonical-host", "", "the `HOST` to cite in place of this one")
	f.StringVar(&r.spanish, "spanish", "", "`FROM=TO`, from another language's prefix to the Spanish one")
	f.StringArrayVar(&r.rewrites, "rewrite", nil, "`FROM=TO`, prefixes, or URLs with captures {x}; may be given again")
	listVar(f, &r.rule.Accept, "accept", "flags that are fine here, by `CODE,...`")
	f.StringVar(&r.rule.Note, "note", "", "`TEXT` kept with the rule")
	f.StringVar(&r.json, "rule", "", "the whole rule as a `JSON` object")
	f.BoolVar(&r.isNew, "new", false, "also for a host or a field that no stored URL has yet")
	a.complete(cmd, "accept", codeNames()...)
	a.completeStored(cmd, "host", func(f review.Facets) []review.Bucket { return f.Hosts })
	a.completeStored(cmd, "field", func(f review.Facets) []review.Bucket { return f.Fields })
	for _, flag := range []string{"drop", "keep", "pagination", "not-pagination"} {
		a.completeCounted(cmd, flag, review.ByParam)
	}
}

// override returns the rule that the flags describe.
func (r *ruleFlags) override() (canon.Override, error) {
	if r.json != "" {
		if !sameRule(r.rule, canon.Override{}) || r.spanish != "" || len(r.rewrites) > 0 {
			return canon.Override{}, errors.New("--rule is the whole rule: give no other flag with it")
		}
		return canon.ParseOverride("--rule", []byte(r.json))
	}
	if r.rule.Match.Host == "" && r.rule.Match.Field == "" {
		return canon.Override{}, errors.New("--host is missing: which host is the rule for? or --field: which field?")
	}
	if _, err := codes("--accept", r.rule.Accept); err != nil {
		return canon.Override{}, err
	}
	rule := r.rule
	if r.spanish != "" {
		pair, err := prefixes("--spanish", r.spanish)
		if err != nil {
			return rule, err
		}
		rule.Spanish = &pair
	}
	for _, text := range r.rewrites {
		pair, err := prefixes("--rewrite", text)
		if err != nil {
			return rule, err
		}
		rule.RewriteRules = append(rule.RewriteRules, canon.NewRewrite(pair.From, pair.To))
	}
	if !hasEffect(rule) {
		return rule, errors.New("the rule says nothing: give --drop, --keep, --accept or another of the flags")
	}
	return rule, nil
}

// prefixes splits FROM=TO at the one = before a URL or a path; a URL may hold other = signs.
func prefixes(flag, text string) (canon.Prefixes, error) {
	var found []canon.Prefixes
	for i := range len(text) {
		if text[i] == '=' && (strings.HasPrefix(text[i+1:], "/") || strings.HasPrefix(text[i+1:], "http")) {
			found = append(found, canon.Prefixes{From: text[:i], To: text[i+1:]})
		}
	}
	if len(found) != 1 {
		return canon.Prefixes{}, fmt.Errorf(
			"%s: %q is not FROM=TO with two URLs or paths; --rule takes it as JSON", flag, text)
	}
	return found[0], nil
}

// change returns the change to preview: the rule added or, with remove, the stored rule removed.
func (r *ruleFlags) change(cmd *cobra.Command, desk *review.Desk, remove bool) (review.OverrideChange, error) {
	if remove {
		rule, err := storedRule(cmd.Context(), desk, "", r.rule.Match)
		return review.OverrideChange{Before: rule}, err
	}
	rule, err := r.override()
	if err != nil {
		return review.OverrideChange{}, usage(cmd, err)
	}
	return r.amend(cmd, desk, rule)
}

// amend returns the change that adds a rule to the stored ones. It refuses a rule for a host or a field that no stored
// URL has, unless it was given as JSON or said to be new: it may be mistyped.
func (r *ruleFlags) amend(
	cmd *cobra.Command, desk *review.Desk, rule canon.Override,
) (change review.OverrideChange, err error) {
	if r.json == "" && !r.isNew {
		list, err := desk.Strangers(cmd.Context(), rule)
		if err != nil {
			return change, err
		}
		if len(list) > 0 {
			return change, usage(cmd, fmt.Errorf("%s (--new takes the rule all the same)", list[0]))
		}
	}
	return desk.Amend(cmd.Context(), rule)
}

// ruleText returns a rule in one line: its effect, and its note.
func ruleText(o canon.Override) string {
	if o.Note == "" {
		return pane.Does(o)
	}
	return pane.Does(o) + " (" + o.Note + ")"
}

// hasEffect reports whether a rule does anything.
func hasEffect(o canon.Override) bool {
	return !sameRule(o, canon.Override{Match: o.Match, Note: o.Note})
}

// sameRule reports whether two rules are equal.
func sameRule(a, b canon.Override) bool { return reflect.DeepEqual(a, b) }
