package review

import (
	"strings"

	"visto/canon"
)

// cleanText trims a text that a person wrote, makes it valid UTF-8, for the log is JSON, and masks user and password of
// each URL in it.
func cleanText(s string) string {
	return canon.MaskUsers(strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD"))
}
