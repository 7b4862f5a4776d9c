package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// errDatabaseName is the error of a name that is neither a file nor a URL of PostgreSQL. It does not have the name,
// which may hold a password.
var errDatabaseName = errors.New("it names neither a file nor a database on PostgreSQL, postgres://HOST/NAME")

// notFile matches names that are meant for a server or a driver. As a file each would be a new folder or file with the
// password in its path:
//
//	mysql://ana:secret@db/visto, jdbc:postgresql://db, sqlite:visto.db, file:visto.db   a scheme
//	postgres//ana:secret@db/visto, ana:secret@db                                        a user
//	host=db user=ana password=secret                                                    words of libpq
//
// A name that begins with / or . is always a file.
var notFile = regexp.MustCompile(`(?i)^[\s"'<]*[a-z][a-z0-9+.\-]+:|^[^/.][^/]*(?:://|(?::|//).*@)|` +
	`^[\s"']*(?:host(?:addr)?|port|db(?:name)?|database|user|pass\w*|service\w*|ssl\w+)\s*=`)

// onServer reports whether the name of a database is the URL of one on a PostgreSQL server.
func onServer(name string) bool {
	scheme, _, isURL := strings.Cut(strings.ToLower(name), "://")
	return isURL && (scheme == "postgres" || scheme == "postgresql")
}

// checkDatabase refuses a name of a database that is neither a file nor a URL of PostgreSQL. from is the flag or the
// variable that has it.
func checkDatabase(from, name string) error {
	if onServer(name) {
		return nil
	}
	return checkDatabaseFile(from, name)
}

// checkDatabaseFile refuses a name of a database that is no file.
func checkDatabaseFile(from, name string) error {
	if !notFile.MatchString(name) {
		return nil
	}
	return withHint(fmt.Errorf("%s: %w", from, errDatabaseName),
		"a file whose name looks like a URL is ./NAME, with its folder in front")
}

// scheme matches the beginning of a URL in a text, with the slashes that it has or lacks.
var scheme = regexp.MustCompile(`(?i)\b(?:[a-z][a-z0-9+.\-]*:/+|postgres[a-z0-9+]*:)`)

// webScheme matches the schemes of pages, whose users canon masks.
var webScheme = regexp.MustCompile(`(?i)^https?:/`)

// password matches a password that is a parameter of a URL, or a word of libpq.
var password = regexp.MustCompile(`(?i)\b((?:ssl)?password\s*=\s*)(?:'(?:[^'\\]|\\.)*'?|[^\s&]+)`)

// withoutLogins masks users and passwords of databases in a text.
func withoutLogins(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(withoutLogin(line))
	}
	return password.ReplaceAllString(b.String(), "${1}***")
}

// withoutLogin masks users and passwords in a line from its first URL of a database to the last at sign before what is
// said about it: a password that nobody escaped may have any character.
func withoutLogin(line string) string {
	first := strings.IndexByte(line, '@')
	if first < 0 {
		return line
	}
	subject, _, _ := strings.Cut(line[first:], ": ")
	last := first + strings.LastIndexByte(subject, '@')
	for _, at := range scheme.FindAllStringIndex(line, -1) {
		if last > at[1] && !webScheme.MatchString(line[at[0]:]) {
			return line[:at[1]] + "***" + line[last:]
		}
	}
	return line
}
