package read

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"visto/canon"
)

// writing is how a scalar is written: for finding the bytes of a URL that is a part of its value.
type writing struct {
	raw   string // the bytes of the scalar, quotes and all; empty: not known
	quote byte   // around it; 0: none
	unit  unit   // of the text within the quotes
}

// piece is a URL in a value.
type piece struct {
	text   string
	number int // as Place.Part
	span       // in the input; empty: not known
	line   int // from 1, of the first byte
	column int
}

// pieces returns the URLs of a value that holds several, or one between white space, quotes or brackets, which stay in
// the file. It returns nil for a value that is a URL as a whole.
func (s scalar) pieces() (list []piece) {
	found := canon.SplitURLs(s.text)
	if trimmed := canon.Trim(s.text); found == nil && trimmed != "" && len(trimmed) < len(s.text) && !s.isBlock() {
		begin := strings.Index(s.text, trimmed)
		found = []canon.Span{{Begin: begin, End: begin + len(trimmed)}}
	}
	from := 0 // of the search in the bytes
	for i, at := range found {
		p := piece{text: s.text[at.Begin:at.End], number: partNumber(i), line: s.line, column: s.column}
		if begin, end, ok := s.bytesOf(at, from); ok {
			from = end
			p.span = span{s.begin + int64(begin), s.begin + int64(end)}
			p.column += begin
			if last := strings.LastIndexByte(s.raw[:begin], '\n'); last >= 0 {
				p.line, p.column = p.line+strings.Count(s.raw[:begin], "\n"), begin-last
			}
		}
		list = append(list, p)
	}
	return list
}

// isBlock reports whether the scalar is one of YAML over several lines, whose bytes are those of all of its lines.
func (s scalar) isBlock() bool {
	return s.quote == 0 && s.raw != "" && (s.raw[0] == '|' || s.raw[0] == '>')
}

// bytesOf returns the bytes of a part of the value. Where the unit cannot tell, as in several lines, the text itself is
// looked for from an offset on, if nothing in it is escaped.
func (s scalar) bytesOf(at canon.Span, from int) (begin, end int, ok bool) {
	if s.end == 0 || s.raw == "" {
		return 0, 0, false
	}
	inner := 0
	if s.quote != 0 {
		inner = 1
	}
	if s.unit != nil {
		if begin, end, ok := locate(s.raw[inner:len(s.raw)-inner], s.text, at.Begin, at.End, s.unit); ok {
			return begin + inner, end + inner, true
		}
	}
	if begin = strings.Index(s.raw[from:], s.text[at.Begin:at.End]); begin < 0 || strings.Contains(s.raw, `\`) {
		return 0, 0, false
	}
	return from + begin, from + begin + at.End - at.Begin, true
}

// eachPart calls yield with the parts of a scalar: itself, or if it has pieces, these and what stands around them.
func (s scalar) eachPart(p part, yield func(part) error) error {
	p.kind, p.text, p.span = s.kind, s.text, s.span
	list := s.pieces()
	if s.kind != kindText || list == nil {
		return yield(p)
	}
	rest := s.text
	for _, one := range list {
		among := p
		among.among, among.quote, among.text, among.span = true, s.quote, one.text, one.span
		if err := yield(among); err != nil {
			return err
		}
		rest = strings.Replace(rest, one.text, "\x00", 1)
	}
	p.kind, p.text, p.span = kindOther, rest, span{}
	return yield(p)
}

// unit returns the size of the first element of the raw text of a scalar, and the part of the value that it stands
// for; ok is false if it cannot tell.
type unit func(raw string) (size int, value string, ok bool)

// locate returns the bytes of the raw text of a scalar that stand for value[begin:end], or false if it cannot tell for
// certain.
func locate(raw, value string, begin, end int, next unit) (from, to int, ok bool) {
	done, at := 0, 0
	for at < len(raw) && done < end {
		if done == begin {
			from = at
		}
		size, part, ok := next(raw[at:])
		if !ok || !strings.HasPrefix(value[done:], part) || done < begin && done+len(part) > begin {
			return 0, 0, false
		}
		done, at = done+len(part), at+size
	}
	return from, at, done == end
}

// plainUnit is a unit that stands for itself.
func plainUnit(raw string) (int, string, bool) {
	_, size := utf8.DecodeRuneInString(raw)
	return size, raw[:size], true
}

// doubled returns the unit of a text in which a quote is written twice.
func doubled(quote byte) unit {
	return func(raw string) (int, string, bool) {
		switch {
		case raw[0] == quote:
			return 2, raw[:1], len(raw) > 1 && raw[1] == quote
		case strings.HasPrefix(raw, "\r\n"): // as the parser of tables reads it
			return 2, "\n", true
		}
		return plainUnit(raw)
	}
}

// jsonUnit is a unit of a string of JSON.
func jsonUnit(raw string) (size int, value string, ok bool) {
	if raw[0] != '\\' {
		return plainUnit(raw)
	}
	size = 2
	if len(raw) > 1 && raw[1] == 'u' {
		if size = 6; len(raw) >= 12 && strings.Contains("d8d9dadb", strings.ToLower(raw[2:4])) && raw[6] == '\\' {
			size = 12 // a pair of surrogates
		}
	}
	ok = len(raw) >= size && json.Unmarshal([]byte(`"`+raw[:size]+`"`), &value) == nil
	return size, value, ok
}

// yamlUnit is a unit of a double-quoted scalar of YAML on one line.
func yamlUnit(raw string) (size int, value string, ok bool) {
	if raw[0] != '\\' {
		size, value, _ = plainUnit(raw)
		return size, value, !isBreak(rune(raw[0]))
	}
	size = 2
	if len(raw) > 1 {
		if raw[1] == '/' { // of YAML 1.2
			return size, "/", true
		}
		size += map[byte]int{'x': 2, 'u': 4, 'U': 8}[raw[1]]
	}
	ok = len(raw) >= size && unmarshalYAML([]byte(`"`+raw[:size]+`"`), &value) == nil
	return size, value, ok
}

// latinUnit is a unit of a text in Windows-1252. What the inner one does is done with ASCII.
func latinUnit(inner unit) unit {
	return func(raw string) (int, string, bool) {
		if raw[0] < utf8.RuneSelf {
			return inner(raw)
		}
		text, ok := decodeLatin(raw[:1])
		return 1, text, ok
	}
}

// guardedUnit is a unit of a cell with the quote of Guard, which is no part of its value.
func guardedUnit(whole string, inner unit) unit {
	whole = strings.Trim(whole, `"`)
	return func(raw string) (int, string, bool) {
		if raw[0] == '\'' && len(raw) >= len(whole) {
			return 1, "", true
		}
		return inner(raw)
	}
}
