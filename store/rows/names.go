package rows

import (
	"fmt"
	"net/url"
	"strings"

	"visto/review"
)

// joinHosts writes names of hosts as one text, each between two spaces.
func joinHosts(hosts []string) string {
	if len(hosts) == 0 {
		return ""
	}
	return " " + strings.Join(hosts, " ") + " "
}

// joinNames writes names of parameters as one text, each query-escaped and between two "&". SplitNames reads it.
func joinNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	text := "&"
	for _, n := range names {
		text += url.QueryEscape(n) + "&"
	}
	return text
}

// SplitNames is the inverse of joinNames.
func SplitNames(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	inner, isList := strings.CutSuffix(strings.TrimPrefix(text, "&"), "&")
	if !isList || len(inner)+2 != len(text) {
		return nil, fmt.Errorf("no names between two &: %w", review.ErrDamaged)
	}
	names := strings.Split(inner, "&")
	for i, n := range names {
		name, err := url.QueryUnescape(n)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", err, review.ErrDamaged)
		}
		names[i] = name
	}
	return names, nil
}
