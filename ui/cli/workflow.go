package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inLog returns text as it may stand in the log of a GitHub workflow; elsewhere, the text as it is. The runner takes a
// line that begins with two colons, behind white space or without, as a command, and also "##[" anywhere in a line.
// Such a sign and every control character becomes a \u escape; line ends and tabs stay.
func (a *app) inLog(text string) string {
	if a.getenv("GITHUB_ACTIONS") != "true" {
		return text
	}
	var safe strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		safe.WriteString(logLine(body) + line[len(body):])
	}
	return safe.String()
}

// logLine returns a line without its end, as inLog returns it.
func logLine(line string) string {
	line = strings.ReplaceAll(controlsShown(line), "##[", `##\u005b`)
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(text, "::") {
		return line[:len(line)-len(text)] + `\u003a` + text[1:]
	}
	return line
}

// controlsShown returns a text with an escape for each control character. Bytes that are not UTF-8 stay.
func controlsShown(text string) string {
	hidden := func(c rune) bool { return unicode.IsControl(c) && c != '\t' }
	var shown strings.Builder
	for {
		at := strings.IndexFunc(text, hidden)
		if at < 0 {
			return shown.String() + text
		}
		c, size := utf8.DecodeRuneInString(text[at:])
		fmt.Fprintf(&shown, `%s\u%04x`, text[:at], c)
		text = text[at+size:]
	}
}
