package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/review/cause"
)

func newCauses(a *app) *cobra.Command {
	var filter filterFlags
	var limit int
	var detail bool
	cmd := command("causes", "Group the queue by the causes that its URLs share", cobra.NoArgs,
		a.atDesk(func(cmd *cobra.Command, desk *review.Desk, _ []string) error {
			f, err := filter.filter(cmd, desk, review.Filter{})
			if err != nil {
				return err
			}
			causes, err := cause.List(cmd.Context(), desk, f)
			if err != nil {
				return err
			}
			if limit > 0 {
				causes = causes[:min(limit, len(causes))]
			}
			return a.print(func(w *printer) error {
				if detail {
					return printStudies(cmd.Context(), w, desk, causes)
				}
				a.printCauses(w, causes)
				return nil
			})
		}))
	filter.register(a, cmd, "open")
	cmd.Flags().BoolVar(&detail, "detail", false, "for each cause samples, and the ways to decide it")
	cmd.Flags().IntVar(&limit, "limit", 0, "at most `N`; 0 means all")
	checkFirst(cmd, func() error { return checkLimit(limit) })
	return cmd
}

// causeJSON is a cause as --json prints it. WWW is the second host of a cause with two. List is the command line that
// lists its URLs.
type causeJSON struct {
	Flag   string   `json:"flag"`
	Host   string   `json:"host,omitempty"`
	WWW    string   `json:"www_host,omitempty"`
	Params []string `json:"params,omitempty"`
	Fields []string `json:"fields,omitempty"`
	Path   string   `json:"path,omitempty"`
	N      int      `json:"n"`
	Sole   int      `json:"sole"`
	Hosts  int      `json:"hosts"`
	Site   siteJSON `json:"site,omitzero"`
	List   string   `json:"list"`
}

// siteJSON counts the URLs of a domain, if more than half of them fail.
type siteJSON struct {
	Failing int `json:"failing"`
	URLs    int `json:"urls"`
}

func (a *app) printCauses(w *printer, causes []cause.Cause) {
	rows := [][]any{{"URLS", "SETTLES", "HOSTS", "CAUSE"}}
	for _, c := range causes {
		if a.json {
			w.data(causeData(c))
		}
		rows = append(rows, []any{c.N, c.Sole, c.Hosts, causeText(c)})
	}
	if !a.json && len(causes) > 0 {
		a.warn("to see the URLs of the first: %s\n", safe(listing(causes[0])))
		table(w, rows...)
	}
}

func causeData(c cause.Cause) causeJSON {
	data := causeJSON{Flag: c.Flag.String(), Host: c.Host, Params: c.Params.List(), Fields: c.Fields.List(),
		Path: c.Path, N: c.N, Sole: c.Sole, Hosts: c.Hosts, Site: siteJSON(c.Site), List: listing(c)}
	if c.WWW {
		data.WWW = c.AtHosts()[1]
	}
	return data
}

// causeText returns the words for a cause: the flag, the parameters, and the hosts, fields or path.
func causeText(c cause.Cause) string {
	text := c.Flag.String()
	if c.Params != "" {
		text += " " + c.Params.String()
	}
	switch c.Kind {
	case cause.ByField:
		return text + " " + c.InFields()
	case cause.ByPath:
		return text + " under " + c.Path
	case cause.ByAdvertising:
		return c.Flag.String() + " of advertising: " + c.Params.String()
	}
	return text + " on " + c.Place() + c.SiteText()
}

// listing returns the command line that lists the URLs of a cause.
func listing(c cause.Cause) string {
	words := []string{"visto list --flag", c.Flag.String()}
	var statuses []string
	for _, s := range c.Filter().Statuses {
		statuses = append(statuses, s.String())
	}
	for _, arg := range [][2]string{
		{"--param", listed(c.Params)}, {"--host", strings.Join(c.AtHosts(), ",")}, {"--source", listed(c.Fields)},
		{"--path", c.Path}, {"--status", strings.Join(statuses, ",")},
	} {
		if arg[1] != "" {
			words = append(words, arg[0], shellQuote(arg[1]))
		}
	}
	return strings.Join(words, " ")
}

// listed writes names as the list that a flag takes.
func listed(names cause.Names) string {
	list := names.List()
	for i, s := range list {
		if strings.ContainsAny(s, ",\"\n\r") {
			list[i] = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
	}
	return strings.Join(list, ",")
}

// shellQuote quotes a word for a POSIX shell where it needs it.
func shellQuote(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
