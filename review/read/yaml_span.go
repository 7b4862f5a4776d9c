package read

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// marks finds the bytes of nodes. The parser gives the line and the column of the beginning of a node, in runes, and
// nothing of its end.
type marks struct {
	data  []byte
	lines []int // beginnings of lines, as the parser counts them
	ends  []int // line ends ("\n"), as people count them

	line, column, offset int // of the last node
}

func newMarks(data []byte) *marks {
	m := &marks{data: data, lines: []int{0}, line: 1, column: 1}
	for i := 0; i < len(data); {
		size := breakSize(data[i:])
		i += max(size, 1)
		if size > 0 {
			m.lines = append(m.lines, i)
		}
	}
	for i, b := range data {
		if b == '\n' {
			m.ends = append(m.ends, i)
		}
	}
	return m
}

// breakSize returns the number of bytes of the line break of YAML 1.1 at the beginning of text, or 0.
func breakSize(text []byte) int {
	for _, br := range []string{"\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"} {
		if len(text) >= len(br) && string(text[:len(br)]) == br {
			return len(br)
		}
	}
	return 0
}

// begin returns the offset of a node, which the parser may put at its tag or anchor. It goes on from the last node if
// that stands before on the same line, because a whole document may be one line.
func (m *marks) begin(n *yaml.Node) int {
	if n.Line != m.line || n.Column < m.column {
		if n.Line < 1 || n.Line > len(m.lines) {
			return len(m.data)
		}
		m.line, m.column, m.offset = n.Line, 1, m.lines[n.Line-1]
	}
	for m.column < n.Column && m.offset < len(m.data) {
		_, size := utf8.DecodeRune(m.data[m.offset:])
		m.offset += size
		m.column++
	}
	return m.offset
}

// at returns the line and the column in bytes of a node.
func (m *marks) at(n *yaml.Node) (line, column int) { return m.lineOf(m.begin(n)) }

func (m *marks) lineOf(offset int) (line, column int) {
	before, _ := slices.BinarySearch(m.ends, offset)
	first := 0
	if before > 0 {
		first = m.ends[before-1] + 1
	}
	return before + 1, offset - first + 1
}

// span returns the bytes of a scalar, quotes and all, without tag and anchor. It returns an empty span if it cannot
// tell them for certain: the bytes of a span always stand for the value of the scalar.
func (m *marks) span(n *yaml.Node) span {
	begin := m.begin(n)
	if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		begin = m.skipProperties(begin)
	}
	text := m.data[begin:]
	size := 0
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		size = blockSize(text)
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		size = quotedSize(text)
	case n.Value != "" && bytes.HasPrefix(text, []byte(n.Value)):
		return span{int64(begin), int64(begin + len(n.Value))}
	}
	if size == 0 || !standsFor(text[:size], n.Value) {
		return span{}
	}
	return span{int64(begin), int64(begin + size)}
}

// standsFor reports whether the bytes of a scalar stand for a value. Quotes around the value itself are the usual case.
func standsFor(text []byte, value string) bool {
	if len(text) == len(value)+2 && string(text[1:len(text)-1]) == value && !strings.ContainsAny(value, "\\'\r\n") {
		return true
	}
	text, slashes := plainYAML11(text)
	var decoded yaml.Node
	if unmarshalYAML(text, &decoded) != nil || len(decoded.Content) != 1 {
		return false
	}
	slashes.restore(&decoded)
	return decoded.Content[0].Kind == yaml.ScalarNode && decoded.Content[0].Value == value
}

// unmarshalYAML calls Unmarshal and turns its panics on malformed documents into errors.
func unmarshalYAML(data []byte, to any) (err error) {
	defer recovered(&err)
	return yaml.Unmarshal(data, to)
}

// skipProperties returns the offset after a tag and an anchor, and the white space and comments behind them.
func (m *marks) skipProperties(offset int) int {
	for offset < len(m.data) {
		switch c := m.data[offset]; {
		case c == '&' || c == '!':
			offset += wordSize(m.data[offset:])
		case c == '#':
			offset += lineSize(m.data[offset:])
		case c == ' ' || c == '\t' || breakSize(m.data[offset:]) > 0:
			offset++
		default:
			return offset
		}
	}
	return offset
}

// wordSize returns the number of bytes before the next white space.
func wordSize(text []byte) int {
	for i := range text {
		if text[i] == ' ' || text[i] == '\t' || breakSize(text[i:]) > 0 {
			return i
		}
	}
	return len(text)
}

// lineSize returns the number of bytes of the first line with its line break.
func lineSize(text []byte) int {
	for i := range text {
		if size := breakSize(text[i:]); size > 0 {
			return i + size
		}
	}
	return len(text)
}

// quotedSize returns the size of the quoted scalar at the beginning of text, or 0.
func quotedSize(text []byte) int {
	if len(text) == 0 || text[0] != '"' && text[0] != '\'' {
		return 0
	}
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return 0
}

// blockSize returns the size of the block scalar at the beginning of text. It returns 0 if the header tells the
// indentation, which counts from that of the parent.
func blockSize(text []byte) int {
	size := lineSize(text)
	header := text[:wordSize(text[:size])]
	if bytes.ContainsAny(header, "0123456789") {
		return 0
	}
	keep := bytes.IndexByte(header, '+') >= 0 // blank lines at the end
	indent, end := 0, size
	for size < len(text) {
		line := text[size : size+lineSize(text[size:])]
		spaces := skipAny(line, 0, " ")
		blank := spaces == len(line) || breakSize(line[spaces:]) > 0
		switch {
		case blank:
		case indent == 0:
			indent = spaces
		case spaces < indent:
			return end
		}
		if size += len(line); !blank || keep {
			end = size
		}
	}
	return end
}
