package review

import "strings"

// cleanText is what is stored of a text that a person wrote. The log is JSON, which holds UTF-8 alone.
func cleanText(s string) string {
	return strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD")
}
