package read

import (
	"errors"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"visto/review/lazyregexp"
)

var (
	escapes = lazyregexp.New("\\\\[!-/:-@\\[-`{-~]|" + entity)
	// entity is a reference to a character. HTML knows some without a semicolon, Markdown none.
	entity   = `&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);`
	entities = lazyregexp.New(entity)
)

func unescapeMarkdown(text string) string {
	return escapes().ReplaceAllStringFunc(text, func(e string) string {
		if e[0] == '\\' {
			return e[1:]
		}
		return html.UnescapeString(e)
	})
}

func unescapeEntities(text string) string {
	return entities().ReplaceAllStringFunc(text, html.UnescapeString)
}

// writeMarkdown returns the text of a link in the form of the old one.
func writeMarkdown(old part, raw, value string) (string, error) {
	switch spaces := strings.ContainsFunc(value, unicode.IsSpace); {
	case old.form == formTag:
		return writeHTML(old, raw, value)
	case old.form == formBare && bareSize(escapeEntities(value), 0) == len(escapeEntities(value)):
		return escapeEntities(value), nil
	case (old.form == formBare || old.form == formAngle) && autolink().FindString("<"+value+">") == "<"+value+">":
		return "<" + escapeEntities(value) + ">", nil
	case old.form == formIn, old.form == formPlain && spaces:
		return "<" + escapeMarkdown(value, `<>`) + ">", nil
	case old.form == formPlain && balanced(value) && value[0] != '<':
		return escapeMarkdown(value, ""), nil
	case old.form == formPlain:
		return escapeMarkdown(value, `<()`), nil
	}
	return "", errors.New("the new value cannot stand in the text as a link")
}

// escapeEntities escapes text that a reader would take for a reference to a character.
func escapeEntities(text string) string {
	return entities().ReplaceAllStringFunc(text, func(e string) string { return "&amp;" + e[1:] })
}

// escapeMarkdown escapes the given characters, and text that a reader would take for an escape.
func escapeMarkdown(text, chars string) string {
	text = escapeEntities(text)
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case strings.IndexByte(chars, c) >= 0, c == '\\' && (i+1 == len(text) || isPunct(text[i+1])):
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// balanced reports whether every parenthesis has its counterpart.
func balanced(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}
