package read

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"visto/canon"
)

// html reads the links (a href) of a page.
func (in *input) html() error {
	data, err := in.whole(adviceLink)
	if err != nil {
		return err
	}
	l := &links{in: in, field: "href", marks: newMarks(data)}
	return eachTag(data, func(t tag) error {
		switch href, ok := t.href(); {
		case !ok:
		case t.atom == atom.Base && l.base == nil:
			l.base, _ = url.Parse(strings.TrimSpace(href.target))
			if l.base != nil && !l.base.IsAbs() {
				l.base = nil
			}
		case t.atom == atom.A:
			return l.take(href)
		}
		return in.ctx.Err()
	})
}

// tag is a token of a page.
type tag struct {
	html.Token
	atom  atom.Atom // of a start tag; 0 for other tokens
	raw   []byte
	begin int
}

// eachTag calls fn for each token of a page. Text in scripts, styles and comments is no tag.
func eachTag(data []byte, fn func(tag) error) error {
	z := html.NewTokenizer(bytes.NewReader(data))
	begin := 0
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		t := tag{begin: begin}
		begin += len(z.Raw())
		t.raw = data[t.begin:begin]
		if t.Token = z.Token(); kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			t.atom = t.DataAtom
		}
		if err := fn(t); err != nil {
			return err
		}
	}
	return nil
}

// href returns the href attribute of a tag. Its bytes are known if they stand for the value for certain, and for nothing
// else: white space around the URL is no part of it, and stays.
func (t tag) href() (k link, ok bool) {
	if t.atom == 0 {
		return k, false
	}
	for _, a := range t.Attr {
		if a.Key != "href" {
			continue
		}
		k.target = a.Val
		if at := attributeSpan(t.raw, "href"); at.end > 0 && attributeOf(string(t.raw[at.begin:at.end])) == a.Val &&
			canon.Trim(a.Val) == a.Val {
			k.form = '='
			k.span = span{int64(t.begin) + at.begin, int64(t.begin) + at.end}
		}
		return k, true
	}
	return k, false
}

// attributeSpan returns the bytes of the value of the first attribute of a tag with the name, quotes and all. It is
// empty for an attribute without a value. It reads as the tokenizer does (WHATWG, 13.2.5.32 to 13.2.5.39).
func attributeSpan(raw []byte, name string) span {
	const space = " \t\r\n\f"
	i := skipTo(raw, 1, space+"/>")
	for {
		i = skipAny(raw, i, space+"/")
		if i >= len(raw) || raw[i] == '>' {
			return span{}
		}
		key := i
		i = skipTo(raw, i+1, space+"/>=") // a name may begin with =
		same := strings.EqualFold(string(raw[key:i]), name)
		after := skipAny(raw, i, space)
		if after < len(raw) && raw[after] == '=' {
			begin := skipAny(raw, after+1, space)
			if i = valueEnd(raw, begin); same && i > begin {
				return span{int64(begin), int64(i)}
			}
		}
		if same {
			return span{}
		}
	}
}

// valueEnd returns the end of the value of an attribute.
func valueEnd(raw []byte, begin int) int {
	if begin < len(raw) && (raw[begin] == '"' || raw[begin] == '\'') {
		return min(skipTo(raw, begin+1, string(raw[begin]))+1, len(raw))
	}
	return skipTo(raw, begin, " \t\r\n\f>")
}

// skipAny returns the index of the first byte from i on that is none of chars.
func skipAny(raw []byte, i int, chars string) int {
	for i < len(raw) && strings.IndexByte(chars, raw[i]) >= 0 {
		i++
	}
	return i
}

// skipTo returns the index of the first byte from i on that is one of chars.
func skipTo(raw []byte, i int, chars string) int {
	for i < len(raw) && strings.IndexByte(chars, raw[i]) < 0 {
		i++
	}
	return i
}

// htmlParts yields the tokens of a page, with a part of its own for each link.
func (in *input) htmlParts(yield func(part) error) error {
	data, err := in.whole(adviceLink)
	if err != nil {
		return err
	}
	return eachTag(data, func(t tag) error {
		href, ok := t.href()
		if !ok || t.atom != atom.A {
			return yield(part{kind: kindOther, text: t.Token.String()})
		}
		for _, a := range t.Attr {
			if a.Key != "href" {
				if err := yield(part{kind: kindOther, text: a.Key + "=" + a.Val}); err != nil {
					return err
				}
			}
		}
		return yield(linkPart(href))
	})
}

// writeHTML returns the value of an attribute with the quotes of the old one. A value without quotes gets them if it
// must. An & is escaped unless the old value has one that is not.
func writeHTML(_ part, raw, value string) (string, error) {
	quote := raw[:1]
	if quote != `"` && quote != "'" {
		quote = ""
	}
	if inner := strings.Trim(raw, quote); !strings.Contains(inner, "&") || attributeOf(`"`+inner+`"`) != inner ||
		attributeOf(`"`+value+`"`) != value {
		value = strings.ReplaceAll(value, "&", "&amp;")
	}
	value = strings.NewReplacer(`"`, "&#34;", "'", "&#39;").Replace(value)
	if quote == "" && strings.ContainsAny(value, " \t\r\n\f<>=`") {
		quote = `"`
	}
	return quote + value + quote, nil
}

// attributeOf returns the value that the bytes of an attribute stand for.
func attributeOf(raw string) string {
	z := html.NewTokenizer(strings.NewReader("<a href=" + raw + ">"))
	z.Next()
	_, value, _ := z.TagAttr()
	return string(value)
}
