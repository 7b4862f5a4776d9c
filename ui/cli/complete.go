package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/ui/pane"
)

// directive tells the shell how to treat the offered values.
type directive = cobra.ShellCompDirective

// complete has the shell complete a flag's comma-separated values from a fixed list.
func (a *app) complete(cmd *cobra.Command, flag string, values ...string) {
	a.completeOr(cmd, flag, cobra.ShellCompDirectiveNoFileComp, values...)
}

// completeOr completes a flag's values; the directive also allows, say, files.
func (a *app) completeOr(cmd *cobra.Command, flag string, also cobra.ShellCompDirective, values ...string) {
	a.completeBy(cmd, flag, func(_ *cobra.Command, _ []string, typed string) ([]string, directive) {
		return completions(typed, values), also
	})
}

// completeBy completes a flag's values by a function, if the shell asks: cobra keeps what it is given for ever, in a
// program that runs several commands too.
func (a *app) completeBy(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if !a.completes {
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // the flag is not registered: a mistake in the constructor that calls this
	}
}

// completions returns the values that may follow the last comma typed, without those before it.
func completions(typed string, values []string) []string {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var list []string
	for _, v := range values {
		if !slices.Contains(strings.Split(before, ","), v) {
			list = append(list, before+v)
		}
	}
	return list
}

// completeStored has the shell complete a flag's comma-separated values from those that values takes from the facets of
// the database.
func (a *app) completeStored(cmd *cobra.Command, flag string, values func(review.Facets) []review.Bucket) {
	a.completeBy(cmd, flag, func(cmd *cobra.Command, _ []string, typed string) (list []string, also directive) {
		a.toComplete(cmd.Context(), func(ctx context.Context, desk *review.Desk) error {
			facets, err := desk.Facets(ctx, review.Filter{})
			isNamed := func(value string) bool { return value != "" }
			list = completions(typed, matching(values(facets), isNamed))
			return err
		})
		return list, cobra.ShellCompDirectiveNoFileComp
	})
}

// completeCounted is completeStored for a dimension that the facets leave out.
func (a *app) completeCounted(cmd *cobra.Command, flag string, by review.Dimension, also ...string) {
	a.completeBy(cmd, flag, func(cmd *cobra.Command, _ []string, typed string) (list []string, _ directive) {
		a.toComplete(cmd.Context(), func(ctx context.Context, desk *review.Desk) error {
			buckets, err := desk.Facet(ctx, review.Filter{}, by)
			isNamed := func(value string) bool { return value != "" }
			list = completions(typed, append(matching(buckets, isNamed), also...))
			return err
		})
		return list, cobra.ShellCompDirectiveNoFileComp
	})
}

// completePolicies completes arguments that are policies: built-in names, or files.
func completePolicies(_ *cobra.Command, _ []string, typed string) ([]string, directive) {
	return completions(typed, canon.BuiltinNames()), cobra.ShellCompDirectiveDefault
}

// completeBatch completes the number of a batch from the newest entries of the log.
func (a *app) completeBatch(cmd *cobra.Command, args []string, _ string) (list []string, also directive) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	a.toComplete(cmd.Context(), func(ctx context.Context, desk *review.Desk) error {
		entries, err := desk.Log(ctx, 0, completed)
		seen := map[int64]bool{0: true} // an entry without a batch cannot be taken back
		for i := range entries {
			if e := &entries[i]; !seen[e.Batch] {
				seen[e.Batch] = true
				list = append(list, cobra.CompletionWithDesc(strconv.FormatInt(e.Batch, 10), safe(pane.EntrySummary(e))))
			}
		}
		return err
	})
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeWhere has the shell complete NAME=VALUE,... of a flag from the attributes that Desk.Attributes counts.
func (a *app) completeWhere(cmd *cobra.Command, flag string) {
	a.completeBy(cmd, flag, func(cmd *cobra.Command, _ []string, typed string) (list []string, also directive) {
		a.toComplete(cmd.Context(), func(ctx context.Context, desk *review.Desk) error {
			facets, err := desk.Attributes(ctx, review.Filter{Presence: review.AnyPresence})
			list, also = whereCompletions(typed, facets)
			return err
		})
		return list, also | cobra.ShellCompDirectiveNoFileComp
	})
}

// whereCompletions returns the names of attributes with their =, and behind that their values. No space follows a name.
func whereCompletions(typed string, facets []review.AttributeFacet) (list []string, also directive) {
	name, values, named := strings.Cut(typed, "=")
	for _, a := range facets {
		if !named {
			list = append(list, a.Name+"=")
		} else if a.Name == name {
			for _, value := range completions(values, quotedValues(a.Values)) {
				list = append(list, name+"="+value)
			}
		}
	}
	if !named {
		also = cobra.ShellCompDirectiveNoSpace
	}
	return list, also
}

// quotedValues returns the values of an attribute; one with a comma stands in double quotes, as review.ParseWhere reads
// it.
func quotedValues(buckets []review.Bucket) (list []string) {
	for _, b := range buckets {
		value := b.Value
		if strings.Contains(value, ",") {
			value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
		}
		list = append(list, value)
	}
	return list
}

// completeIDs returns the function that completes the numbers of the stored URLs of a filter, with their URLs.
func (a *app) completeIDs(filter review.Filter) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) (list []string, also directive) {
		if strings.Trim(typed, "0123456789") != "" {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		a.toComplete(cmd.Context(), func(ctx context.Context, desk *review.Desk) error {
			filter.IDs = idsFrom(typed)
			page, err := desk.Page(ctx, review.Query{Filter: filter}, nil, completed)
			for i := range page {
				id := strconv.FormatInt(page[i].ID, 10)
				list = append(list, cobra.CompletionWithDesc(id, safe(pane.Shown(&page[i]))))
			}
			return err
		})
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// completed is the largest number of URLs that a completion offers, and of entries of the log that it reads.
const completed = 100

// idsFrom returns the numbers that begin with the digits, of up to two more; nil for no digits. The database has any
// of them.
func idsFrom(digits string) []int64 {
	first, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return nil
	}
	ids := []int64{first}
	for _, next := range []int64{10, 100} {
		for id := first * next; id < (first+1)*next; id++ {
			ids = append(ids, id)
		}
	}
	return ids
}

// toComplete runs fn at a desk on the database as it is. Its errors are ignored: a shell that completes shows none.
func (a *app) toComplete(ctx context.Context, fn func(context.Context, *review.Desk) error) {
	a.readOnly = true
	a.withDesk(ctx, uses, func(desk *review.Desk) error { return fn(ctx, desk) })
}
