package read

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// writeYAML returns the text of a scalar of YAML in the style of the old one. A plain scalar is quoted if it would not
// be the same text or type without quotes.
func writeYAML(old part, raw, value string) (string, error) {
	switch {
	case old.among:
		return writeAmong(old.quote, value)
	case raw[0] == '|' || raw[0] == '>' || strings.ContainsFunc(raw, isBreak):
		return "", errors.New(whyForm)
	case old.kind == kindOther:
		return "", fmt.Errorf("it is %s", old.kind)
	case raw[0] == '"':
		return quoteYAML(value), nil
	case raw[0] == '\'' && !strings.ContainsFunc(value, needsEscape):
		return "'" + strings.ReplaceAll(value, "'", "''") + "'", nil
	}
	kind, plain := plainYAML(value, old.inFlow)
	switch {
	case plain && kind == old.kind:
		return value, nil
	case plain && old.kind == kindNull && kind != kindText:
		return value, nil
	case old.kind == kindText || old.kind == kindNull:
		return quoteYAML(value), nil
	}
	return "", fmt.Errorf("it is %s, which %q is not", old.kind, value)
}

// writeAmong returns the text of a URL in a scalar of YAML with the quote.
func writeAmong(quote byte, value string) (string, error) {
	switch {
	case quote == '"':
		quoted := quoteYAML(value)
		return quoted[1 : len(quoted)-1], nil
	case strings.ContainsFunc(value, needsEscape) || strings.ContainsFunc(value, unicode.IsSpace):
		return "", errors.New(whyForm)
	case quote == '\'':
		return strings.ReplaceAll(value, "'", "''"), nil
	}
	return value, nil
}

func isBreak(c rune) bool { return strings.ContainsRune("\n\r\u0085\u2028\u2029", c) }

// plainYAML returns the kind of the plain scalar that a text is as the value of a key, or inside a flow collection.
// plain is false if it is none.
func plainYAML(text string, inFlow bool) (kind kind, plain bool) {
	form := "k: %s\n"
	if inFlow {
		form = "{k: %s}\n"
	}
	var doc yaml.Node
	err := unmarshalYAML(fmt.Appendf(nil, form, text), &doc)
	if err != nil || len(doc.Content) != 1 || len(doc.Content[0].Content) != 2 {
		return "", false
	}
	n := doc.Content[0].Content[1]
	bare := n.Value == text && text != "" && !strings.ContainsFunc(text, needsEscape)
	return yamlKinds[n.ShortTag()], bare
}

// needsEscape reports whether a character must be escaped in YAML.
func needsEscape(c rune) bool {
	return c != ' ' && !unicode.IsPrint(c)
}

// quoteYAML returns a double-quoted scalar. It escapes quotes, backslashes and characters that are not printable.
func quoteYAML(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteRune('\\')
			b.WriteRune(c)
		case needsEscape(c) && c <= 0xFFFF:
			fmt.Fprintf(&b, `\u%04X`, c)
		case needsEscape(c):
			fmt.Fprintf(&b, `\U%08X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
