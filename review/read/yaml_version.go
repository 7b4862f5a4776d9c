package read

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"visto/canon"

	"visto/review/lazyregexp"
)

// The parser reads YAML 1.1 alone. Two things of YAML 1.2 that files do have are written in the words of 1.1 before it
// sees them, in as many bytes and characters, so that every place stays: the directive, and the escape \/ of JSON.

var directive12 = lazyregexp.New(`(?m)^(%YAML[ \t]+1\.)[02-9]([ \t\r\n]|$)`)

// slashes tells whether the escape \/ was written as \v, which the file does not have otherwise.
type slashes bool

const (
	slashEscape = `\/`
	standIn     = `\v`
)

// plainYAML11 returns a file in the words of YAML 1.1.
func plainYAML11(data []byte) ([]byte, slashes) {
	if bytes.HasPrefix(data, []byte("%")) || bytes.Contains(data, []byte("\n%")) {
		data = directive12().ReplaceAll(data, []byte("${1}1${2}"))
	}
	if !bytes.Contains(data, []byte(slashEscape)) || bytes.Contains(data, []byte(standIn)) ||
		bytes.IndexByte(data, '\v') >= 0 {
		return data, false
	}
	text := bytes.Clone(data)
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if i++; text[i] == '/' {
			text[i] = 'v'
		}
	}
	return text, true
}

// restore puts the slashes back into a document.
func (s slashes) restore(n *yaml.Node) {
	if !s {
		return
	}
	for _, text := range []*string{&n.Value, &n.HeadComment, &n.LineComment, &n.FootComment} {
		*text = strings.ReplaceAll(*text, standIn, slashEscape)
	}
	if n.Style&yaml.DoubleQuotedStyle != 0 {
		n.Value = strings.ReplaceAll(n.Value, "\v", "/")
	}
	for _, child := range n.Content {
		s.restore(child)
	}
}

// writingOf returns how a scalar is written, from its bytes.
func writingOf(raw string, n *yaml.Node) writing {
	switch {
	case strings.Count(n.Value, "://") < 2 && canon.Trim(n.Value) == n.Value:
		return writing{}
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return writing{raw, '"', yamlUnit}
	case n.Style&yaml.SingleQuotedStyle != 0:
		return writing{raw, '\'', doubled('\'')}
	}
	return writing{raw: raw}
}
