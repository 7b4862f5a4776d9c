package lint

import (
	"cmp"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review"
)

// maxShown is the largest number of bytes of a URL in a message.
const maxShown = 200

// words returns a message without passwords and the values of secret parameters.
func words(format string, args ...any) string {
	return new(canon.Policy).MaskText(fmt.Sprintf(format, args...))
}

// shown returns a URL, cut if it is very long.
func shown(url string) string {
	if len(url) <= maxShown {
		return url
	}
	return strings.ToValidUTF8(url[:maxShown], "") + "…"
}

func canonicalMessage(urls []string, by *review.Decision) string {
	text := fmt.Sprintf("%s should be %s", shown(urls[0]), shown(urls[len(urls)-1]))
	if by != nil {
		text += ", approved" + byWhom(by)
	}
	return words("%s", text)
}

func correctedMessage(urls []string, by *review.Decision) string {
	return words("%s was corrected to %s%s", shown(urls[0]), shown(urls[len(urls)-1]), byWhom(by))
}

func openMessage(urls []string, why string) string {
	return words("%s waits for a decision: %s", subject(urls), why)
}

func putOffMessage(urls []string) string {
	return words("%s is put off: its server answered 429 (too many requests) so far; probe it again", subject(urls))
}

func decidedMessage(urls []string, did string, by *review.Decision) string {
	return words("%s is %s%s", subject(urls), did, byWhom(by))
}

func rulesMessage(urls []string, did, why string) string {
	return words("%s", strings.TrimSuffix(fmt.Sprintf("%s is %s: %s", subject(urls), did, why), ": "))
}

func circleMessage(urls []string) string {
	return words("the decisions lead in a circle: %s", strings.Join(shownAll(urls), ", then "))
}

// subject names the URL that a message is about: the first, and the last if that is another one.
func subject(urls []string) string {
	first, last := shown(urls[0]), shown(urls[len(urls)-1])
	if len(urls) == 1 {
		return first
	}
	return fmt.Sprintf("%s leads to %s, which", first, last)
}

func shownAll(urls []string) (list []string) {
	for _, u := range urls {
		list = append(list, shown(u))
	}
	return list
}

// byWhom returns the person behind a decision, with the note.
func byWhom(d *review.Decision) string {
	if d.Reviewer == "" {
		return ""
	}
	return strings.TrimSuffix(" by "+d.Reviewer+": "+d.Note, ": ")
}

// flagText returns the detail of a flag, or its meaning if there is none.
func flagText(f canon.Flag) string { return cmp.Or(f.Detail, f.Code.Summary()) }

func reasonText(e *Entry) string {
	return strings.TrimSuffix(e.Reason+": "+e.Detail, ": ")
}
