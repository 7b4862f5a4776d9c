package review

import "strings"

// cleanText trims a text that a person wrote and makes it valid UTF-8, for the log is JSON.
func cleanText(s string) string {
	return strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD")
}
