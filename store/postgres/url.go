package postgres

import "strings"

// words are the parameters of a URL whose value may have an at sign as it is.
const words = " user password host passfile sslcert sslkey sslrootcert sslpassword service servicefile " +
	"application_name "

// isSplit reports whether a URL, as it is read, has a part of the password outside of it: a /, ? or # in the password
// ends the part with user and host. What follows would be taken for the name of the database, and be shown.
func isSplit(url string) bool {
	_, rest, isURL := strings.Cut(url, "://")
	if !isURL {
		return false
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		return false
	}
	path, query, _ := strings.Cut(rest[end:], "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if strings.Contains(name, "@") || strings.Contains(value, "@") && !strings.Contains(words, " "+name+" ") {
			return true
		}
	}
	return strings.Contains(path, "@") || strings.Contains(rest, "#")
}
