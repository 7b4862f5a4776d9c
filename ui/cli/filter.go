package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
)

// filterFlags are the flags that select stored URLs.
type filterFlags struct {
	statuses, flags, hosts, sources []string
	search, param, path             string
}

func (f *filterFlags) register(cmd *cobra.Command, statusDefault string) {
	fs := cmd.Flags()
	fs.StringSliceVar(&f.statuses, "status", nil, "`STATUS,...`: open, pending, accepted, approved, rejected, deferred or all (default "+statusDefault+")")
	fs.StringSliceVar(&f.flags, "flag", nil, "with any of these flags, by `CODE,...` (visto help flags)")
	fs.StringSliceVar(&f.hosts, "host", nil, "on any of these hosts; `HOST,...`; *.gencat.cat is a pattern")
	fs.StringSliceVar(&f.sources, "source", nil, "found in any of these files, or under any of these fields: `SOURCE,...`")
	fs.StringVar(&f.search, "search", "", "with this `TEXT` in a URL, title or note")
	fs.StringVar(&f.param, "param", "", "with an unknown parameter of this `NAME`")
	fs.StringVar(&f.path, "path", "", "whose path starts with `PREFIX`")
	complete(cmd, "status", statusNames)
	complete(cmd, "flag", codeNames)
}

func statusNames() []string {
	names := []string{"open", "all"}
	for s := review.Pending; s <= review.Deferred; s++ {
		names = append(names, s.String())
	}
	return names
}

func codeNames() []string {
	var names []string
	for _, c := range canon.Codes() {
		names = append(names, c.String())
	}
	return names
}

// filter returns the filter that the flags describe. standing is what holds where --status is not given.
func (f *filterFlags) filter(ctx context.Context, cmd *cobra.Command, desk *review.Desk, standing review.Filter) (review.Filter, error) {
	filter := review.Filter{Hosts: spelled(f.hosts), Search: f.search, Param: f.param, Path: f.path}
	if err := f.status(&filter, standing); err != nil {
		return filter, usage(cmd, err)
	}
	for _, name := range f.flags {
		code, ok := canon.ParseCode(name)
		if !ok {
			return filter, usage(cmd, fmt.Errorf("--flag: no flag is called %q; visto help flags lists them", name))
		}
		filter.Flags = filter.Flags.With(code)
	}
	if len(f.sources) > 0 {
		return filter, f.source(ctx, cmd, desk, &filter)
	}
	return filter, nil
}

func (f *filterFlags) status(filter *review.Filter, standing review.Filter) error {
	switch {
	case len(f.statuses) == 0:
		filter.Open, filter.Statuses = standing.Open, standing.Statuses
		return nil
	case slices.Contains(f.statuses, "all"):
		return nil
	case slices.Equal(f.statuses, []string{"open"}):
		filter.Open = true
		return nil
	}
	for _, name := range f.statuses {
		status, ok := review.ParseStatus(name)
		if !ok {
			return fmt.Errorf("--status: %q is none of %s (open and all stand alone)", name, strings.Join(statusNames(), ", "))
		}
		filter.Statuses = append(filter.Statuses, status)
	}
	return nil
}

// source finds out whether --source names files, by path or base name, or fields.
func (f *filterFlags) source(ctx context.Context, cmd *cobra.Command, desk *review.Desk, filter *review.Filter) error {
	facets, err := desk.Facets(ctx, review.Filter{})
	if err != nil {
		return err
	}
	for _, name := range f.sources {
		files := matching(facets.Files, func(v string) bool { return v == name || filepath.Base(v) == name })
		fields := matching(facets.Fields, func(v string) bool { return v == name })
		if len(files)+len(fields) == 0 {
			return fmt.Errorf("--source: no stored URL comes from %q; known are %s", name, known(facets))
		}
		filter.Files = append(filter.Files, files...)
		filter.Fields = append(filter.Fields, fields...)
	}
	return nil
}

// spelled returns the hosts as they are stored.
func spelled(hosts []string) []string {
	var list []string
	for _, h := range hosts {
		list = append(list, review.NormalMatch(canon.Match{Host: h}).Host)
	}
	return list
}

func matching(buckets []review.Bucket, match func(string) bool) []string {
	var list []string
	for _, b := range buckets {
		if b.Value != "" && match(b.Value) {
			list = append(list, b.Value)
		}
	}
	return list
}

// known lists the sources there are, for an error message.
func known(f review.Facets) string {
	all := matching(append(slices.Clone(f.Files), f.Fields...), func(string) bool { return true })
	if len(all) > 12 {
		all = append(all[:12], "...")
	}
	return orElse(strings.Join(all, ", "), "none")
}

// orderFlags are the flags of a list's order and length.
type orderFlags struct {
	sort  string
	desc  bool
	limit int
}

func (o *orderFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.sort, "sort", "id", "`ORDER`: id, host, url or status")
	cmd.Flags().BoolVar(&o.desc, "desc", false, "last first")
	cmd.Flags().IntVar(&o.limit, "limit", 0, "at most `N`; 0 means all")
	complete(cmd, "sort", func() []string { return []string{"id", "host", "url", "status"} })
}

func (o *orderFlags) query(cmd *cobra.Command, f review.Filter) (review.Query, error) {
	sort, ok := review.ParseSort(o.sort)
	if !ok {
		return review.Query{}, usage(cmd, fmt.Errorf("--sort: %q is none of id, host, url, status", o.sort))
	}
	if o.limit < 0 {
		return review.Query{}, usage(cmd, fmt.Errorf("--limit: %d is less than 0", o.limit))
	}
	return review.Query{Filter: f, Sort: sort, Desc: o.desc}, nil
}

// pageSize is how many items are read at once.
const pageSize = 200

// each calls fn for the items of the query in its order, at most limit of them; limit 0 means all.
func each(ctx context.Context, desk *review.Desk, q review.Query, limit int, fn func(review.Item) error) error {
	var from *review.Cursor
	for done := 0; ; {
		want := pageSize
		if limit > 0 {
			want = min(want, limit-done)
		}
		if want == 0 {
			return nil
		}
		page, err := desk.Page(ctx, q, from, want)
		if err != nil {
			return err
		}
		for i := range page {
			if err := fn(page[i]); err != nil {
				return err
			}
		}
		if done += len(page); len(page) < want {
			return nil
		}
		from = q.After(&page[len(page)-1])
	}
}
