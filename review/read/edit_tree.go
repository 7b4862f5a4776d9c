package read

import (
	"encoding/json"
	"fmt"
	"strings"
)

// lister yields the parts of trees.
type lister struct {
	cursor
	yield func(part) error
	seen  []map[string]bool // for each level, the keys so far
	err   error
}

func (l *lister) document(prefix string) {
	l.cursor.document(prefix)
	l.seen = append(l.seen[:0], nil)
	l.part(part{kind: kindDocument})
}

// part yields a part, unless an earlier one has failed.
func (l *lister) part(p part) error {
	if l.err == nil {
		p.key = string(l.pointer)
		l.err = l.yield(p)
	}
	return l.err
}

func (l *lister) key(name string) {
	l.cursor.key(name)
	seen := l.seen[len(l.seen)-1]
	if seen[name] {
		l.part(part{kind: kindRepeated})
	}
	seen[name] = true
}

func (l *lister) open(object bool) error {
	l.value()
	kind := kindList
	if object {
		kind = kindObject
	}
	err := l.part(part{kind: kind})
	l.push(object)
	l.seen = append(l.seen, map[string]bool{})
	return err
}

func (l *lister) close() error {
	l.pop()
	l.seen = l.seen[:len(l.seen)-1]
	return l.part(part{kind: kindEnd})
}

func (l *lister) scalar(s scalar) error {
	l.value()
	return s.eachPart(part{inFlow: s.inFlow, alias: s.alias}, l.part)
}

func (in *input) jsonParts(yield func(part) error) error {
	return newJSON(in.r, &lister{yield: yield}).walk()
}

func (in *input) jsonlParts(yield func(part) error) error {
	l := &lister{yield: yield}
	return in.eachLine(func(one line) error {
		if one.long() || !json.Valid([]byte(one.text)) {
			return yield(part{kind: kindOther, text: one.text})
		}
		return newJSONLine(one, l).walk()
	})
}

func (in *input) yamlParts(yield func(part) error) error {
	data, err := in.whole(adviceYAML)
	if err == nil {
		_, err = walkYAML(data, &lister{yield: yield})
	}
	return err
}

// writeJSON returns the text of a value of JSON. A number stays a number, and true or false stays one of them.
func writeJSON(old part, _, value string) (string, error) {
	switch kind := kindOfJSON(value); {
	case old.among:
		quoted := quoteJSON(value)
		return quoted[1 : len(quoted)-1], nil
	case old.kind == kindText:
		return quoteJSON(value), nil
	case old.kind == kindNull && kind == kindText:
		return quoteJSON(value), nil
	case old.kind == kindNull || old.kind == kind:
		return value, nil
	}
	return "", fmt.Errorf("it is %s, which %q is not", old.kind, value)
}

func kindOfJSON(text string) kind {
	var v any
	if json.Unmarshal([]byte(text), &v) == nil && strings.TrimSpace(text) == text {
		switch v.(type) {
		case bool:
			return kindBool
		case float64:
			return kindNumber
		}
	}
	return kindText
}

// quoteJSON returns a string of JSON. It escapes no more than it must; text holds no control characters.
func quoteJSON(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
