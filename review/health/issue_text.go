package health

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Text describes the issue now in sentences with days of the zone of now, such as "404 since 2026-02-15. 3 consecutive
// failures. ALERT." An error in it is untrusted text.
func (i *Issue) Text(now time.Time) string {
	day := func(t time.Time) string { return t.In(now.Location()).Format(time.DateOnly) }
	since := ""
	if !i.Since.IsZero() {
		since = " since " + day(i.Since)
	}
	text := i.subject(now, day) + since
	switch i.Kind {
	case Down, OldTLS:
		if i.Status == 0 && i.Error != "" {
			text += ": " + i.Error
		}
		text += ". " + plural(i.Failures, "consecutive failure")
		if i.State == Inactive {
			text += ". Inactive"
		}
	case ContentNew, RedirectNew:
		text = strings.Replace(text, " since ", " ", 1)
	case CertificateEnds, DomainExpired:
		text = strings.TrimSuffix(text, since)
	}
	if i.ID == 0 {
		text += ", " + plural(i.URLs, "URL")
	}
	return text + map[Severity]string{
		Alert: ". ALERT.", Warning: ". Warning.", Review: ". Review pending.", Notice: ".",
	}[i.Severity]
}

// subject returns the beginning of the text.
func (i *Issue) subject(now time.Time, day func(time.Time) string) string {
	switch i.Kind {
	case Down:
		if i.Status != 0 {
			return strconv.Itoa(i.Status)
		}
		return "No answer"
	case OldTLS:
		return "No TLS of version 1.2 or newer"
	case DomainDark:
		return "No URL has answered"
	case DomainFailing:
		return "More than half of the URLs fail"
	case DomainExpired:
		return "SSL certificate expired " + day(i.Certificate) + " and not renewed"
	case CertificateEnds:
		if i.Certificate.Before(now) {
			return "SSL certificate expired " + day(i.Certificate)
		}
		return "SSL certificate expires " + day(i.Certificate)
	case LeavesAllowlist:
		return "Redirects to " + i.Stray + ", off the allowlist"
	case AnswersAgain:
		return "Inactive, and answers again"
	case RedirectNew:
		return "Redirect changed"
	case ContentNew:
		return "Content changed"
	case OtherCanonical:
		return "Names another page as canonical"
	}
	return slowText
}

const slowText = "Slow (>1s)"

// Short describes the issue in a word or two, such as "Down 3 days, ALERT".
func (i *Issue) Short(now time.Time) string {
	text := map[Kind]string{
		Down: "Down", OldTLS: "TLS below 1.2", AnswersAgain: "Answers again", RedirectNew: "Redirect changed",
		CertificateEnds: "Certificate expires", ContentNew: "Content changed", OtherCanonical: "Canonical conflict",
		Slow: slowText, LeavesAllowlist: "Redirect off the allowlist",
	}[i.Kind]
	if !failed.has(i.Kind) {
		return text
	}
	if days := int(now.Sub(i.Since) / day); days > 0 {
		text += " " + plural(days, "day")
	}
	if i.Severity >= Warning {
		text += ", " + strings.ToUpper(i.Severity.String())
	}
	return text
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
