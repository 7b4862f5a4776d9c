package pane

import (
	"strings"

	"visto/review"
)

// Cited describes the place where a URL stands: file:path (field), and the record. files are the names of files as
// they are shown. The text is untrusted.
func Cited(o review.Occurrence, files map[string]string) string {
	text := files[o.File]
	if o.Path != "" {
		text += ":" + o.Path
	}
	if o.Field != "" {
		text += " (" + o.Field + ")"
	}
	if o.Record != nil {
		text += " " + o.Record.String()
	}
	if o.Gone {
		text += ", gone"
	}
	return strings.TrimSpace(text)
}
