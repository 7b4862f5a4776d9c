package pane

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"visto/canon"
)

// Field is a named value; the value is untrusted.
type Field struct{ Name, Value string }

// EvidenceFields returns the evidence of a URL as fields: the redirects and the answer, the page, the fetch. The age is
// relative to now and left out for the zero time. No value is empty.
func EvidenceFields(ev *canon.Evidence, now time.Time) []Field {
	if ev == nil {
		return nil
	}
	list := slices.Concat(answerFields(ev), pageFields(ev), otherFields(ev), fetchFields(ev, now))
	return slices.DeleteFunc(list, func(f Field) bool { return f.Value == "" })
}

// fieldsWithoutRedirects returns the evidence without the redirects and the status.
func fieldsWithoutRedirects(ev *canon.Evidence) []Field {
	list := slices.Concat(accessFields(ev), pageFields(ev), otherFields(ev), fetchFields(ev, time.Time{}))
	return slices.DeleteFunc(list, func(f Field) bool { return f.Value == "" })
}

// answerFields returns the requested URL, each redirect, and the final answer.
func answerFields(ev *canon.Evidence) []Field {
	var list []Field
	if len(ev.Hops) > 0 {
		list = append(list, Field{"asked", cmp.Or(ev.Asked, ev.URL)})
	}
	for _, hop := range ev.Hops {
		list = append(list, Field{hopStatus(hop) + " →", hop.URL})
	}
	if n := len(ev.Hops); ev.FinalURL != "" && (n == 0 || ev.Hops[n-1].URL != ev.FinalURL) {
		list = append(list, Field{"final URL", ev.FinalURL})
	}
	list = append(list, Field{"status", number(ev.Status)}, Field{"no answer", ev.Error},
		Field{"shown at", ev.Alternative})
	return append(list, accessFields(ev)...)
}

// hopStatus returns the status of a redirect. The results of a link check do not tell it.
func hopStatus(h canon.Hop) string { return cmp.Or(number(h.Status), "not told") }

// accessFields returns the obstacles to fetching the page.
func accessFields(ev *canon.Evidence) []Field {
	return []Field{{"certificate", ev.TLSError}, {"blocked", ev.Blocked}, {"robots.txt", ev.Robots}}
}

// pageFields returns the properties of the page and its host.
func pageFields(ev *canon.Evidence) []Field {
	list := []Field{{"title", ev.Title}, {"language", ev.Language}}
	for _, tag := range slices.Sorted(maps.Keys(ev.LangVariants)) {
		list = append(list, Field{"also in " + tag, ev.LangVariants[tag]})
	}
	return append(list,
		Field{"canonical", ev.RelCanonical}, Field{"next page", ev.RelNext}, Field{"page before", ev.RelPrev},
		Field{"pages", number(max(ev.TotalPages, ev.PDFPages))}, Field{"goes on to", ev.MetaRefresh},
		Field{"HTTPS", works(ev.HTTPS)}, Field{"host", preferredHost(ev)}, Field{"slash", ev.TrailingSlash},
		Field{"type", ev.ContentType}, Field{"size", size(ev)})
}

// preferredHost returns the host that the evidence prefers, and how it was found.
func preferredHost(ev *canon.Evidence) string {
	known := ev.OwnHost()
	if asked, err := url.Parse(cmp.Or(ev.Asked, ev.URL)); err == nil {
		bare := strings.TrimPrefix(asked.Hostname(), "www.")
		known = known.Update(ev.Hosts[bare]).Update(ev.Hosts[asked.Hostname()])
	}
	text := known.PreferredHost
	switch r := known.Reached; r.By {
	case canon.ByRedirect:
		text += fmt.Sprintf(" (the domain redirects there: %d at %s)", r.Status, r.URL)
	case canon.ByAnswer:
		text += fmt.Sprintf(" (no redirect leads there: %d at %s)", r.Status, r.URL)
	case canon.ByFile:
		text += " (a file says so)"
	}
	if known.Reached.TLSError != "" {
		text += ", certificate " + known.Reached.TLSError
	}
	return text
}

// otherFields returns the answers of other URLs that were asked because they might be cited.
func otherFields(ev *canon.Evidence) (list []Field) {
	for _, other := range slices.Sorted(maps.Keys(ev.Answers)) {
		a := ev.Answers[other]
		list = append(list, Field{"asked too", other + ": " + cmp.Or(a.Error, strings.TrimSpace(
			fmt.Sprint(a.Status, " ", a.FinalURL)))})
	}
	return list
}

// fetchFields returns the time and the method of the fetch, the archived copy and the caveats.
func fetchFields(ev *canon.Evidence, now time.Time) []Field {
	list := []Field{
		{"modified", ev.LastModified}, {"etag", ev.ETag}, {"sha256", ev.SHA256}, {"fetched", fetched(ev, now)},
		{"ask after", ev.RetryAfter}, {"archive", strings.TrimSpace(ev.ArchiveURL + " " + ev.ArchiveDate)},
	}
	for _, c := range ev.Caveats {
		list = append(list, Field{"but", c})
	}
	return list
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func works(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "works"
	}
	return "does not work"
}

func size(ev *canon.Evidence) string {
	switch {
	case ev.Size == 0:
		return ""
	case ev.Truncated:
		return fmt.Sprintf("more than %d bytes", ev.Size)
	}
	return fmt.Sprintf("%d bytes", ev.Size)
}

// fetched returns the time, method and age of the fetch, and whether it is stale.
func fetched(ev *canon.Evidence, now time.Time) string {
	text := ev.FetchedAt
	if ev.Method != "" {
		text += " by " + strings.ReplaceAll(ev.Method, "_", " ")
	}
	at, err := time.Parse(time.RFC3339, ev.FetchedAt)
	if err != nil {
		return strings.TrimSpace(text)
	}
	if !now.IsZero() {
		text += ", " + Ago(now.Sub(at))
	}
	if ttl := time.Duration(ev.TTLHours) * time.Hour; ttl > 0 {
		if stale := at.Add(ttl); now.After(stale) {
			text += ", stale"
		} else {
			text += ", good until " + Stamp(stale)
		}
	}
	return text
}

// Ago returns an age in the largest whole unit: days, hours or minutes.
func Ago(d time.Duration) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		switch n := int(d / unit.size); {
		case n == 1:
			return "1 " + unit.name + " ago"
		case n > 1:
			return fmt.Sprintf("%d %ss ago", n, unit.name)
		}
	}
	return "less than a minute ago"
}
