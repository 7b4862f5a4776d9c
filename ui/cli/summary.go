package cli

import (
	"fmt"
	"strings"

	"visto/review/read"
)

// untakenJSON is read.FieldCount as --json prints it.
type untakenJSON struct {
	Field string `json:"field"`
	URLs  int    `json:"urls"`
}

func untakenOf(s read.Summary) []untakenJSON {
	var list []untakenJSON
	for _, f := range s.Untaken {
		list = append(list, untakenJSON{Field: f.Field, URLs: f.URLs})
	}
	return list
}

// saySummary warns of the URLs and links of an input that were not taken. It names at most untakenShown fields; rest
// says where the others are.
func (a *app) saySummary(name string, s read.Summary, rest string) {
	switch {
	case len(s.Sitemaps) > 0:
		a.warn("%s: it is an index of %s, which add can read once they are fetched: %s\n", safe(name),
			count(len(s.Sitemaps), "sitemap"), safe(someOf(s.Sitemaps)))
	case s.Found == 0 && s.Format != "":
		a.warn("%s: no URL was found in it, read as %s\n", safe(name), s.Format)
	}
	if s.Relative > 0 {
		a.warn("%s: %s without a host not taken\n", safe(name), count(s.Relative, "link"))
	}
	if s.Placeholders > 0 {
		a.warn("%s: %s of a template, such as {{ x }}, not taken\n", safe(name), count(s.Placeholders, "placeholder"))
	}
	if s.Glued > 0 {
		a.warn("%s: %s glued to a word before it, such as xhttp:// or ftp://www., not taken\n", safe(name),
			count(s.Glued, "URL"))
	}
	if s.Other > 0 {
		a.warn("%s: %s to no web page, such as mailto:, not taken\n", safe(name), count(s.Other, "link"))
	}
	for _, f := range s.Untaken[:min(len(s.Untaken), untakenShown)] {
		if f.Field == "" {
			a.warn("%s: %s under no field not taken\n", safe(name), count(f.URLs, "URL"))
			continue
		}
		field := safe(f.Field)
		a.warn("%s: %s under %s not taken: --field %s\n", safe(name), count(f.URLs, "URL"), field, field)
	}
	if more := len(s.Untaken) - untakenShown; more > 0 {
		a.warn("%s: and URLs under %d more fields not taken%s\n", safe(name), more, rest)
	}
}

// someOf returns the first few of a list.
func someOf(list []string) string {
	const shown = 5
	text := strings.Join(list[:min(len(list), shown)], ", ")
	if more := len(list) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

const untakenShown = 10
