package canon

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// languageTable tells language codes from words. It is empty if the policy has no languages.
type languageTable struct {
	codes     map[string]languageCode // by code or word in lower case
	sizes     wordSizes               // of the codes of languages that are no words
	hasOthers bool                    // codes that languages lacks are among them
}

// languageCode holds the properties of a code, or of a word that is like one, under the policy.
type languageCode struct {
	name      string // the language, such as "es"; empty: a word of path_words that is no code
	isOther   bool   // languages lacks it; it is a registered code of two letters
	isLeading bool   // leading_languages: it counts only as the first segment of a path
	isWord    bool   // path_words: in a path it is no language
}

func newLanguageTable(doc *document) languageTable {
	t := languageTable{codes: map[string]languageCode{}}
	for code := range lowerSet(doc.Leading) {
		t.codes[code] = languageCode{isLeading: true}
	}
	for code := range lowerSet(doc.PathWords) {
		t.codes[code] = languageCode{isLeading: t.codes[code].isLeading, isWord: true}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Languages)) {
		for _, code := range doc.Languages[name] {
			code = strings.ToLower(code)
			t.name(code, name, false)
			if t.hasOthers = true; !t.codes[code].isWord {
				t.sizes.add(code)
			}
		}
	}
	if t.hasOthers {
		t.addOthers()
	}
	return t
}

func (t *languageTable) name(code, name string, isOther bool) {
	c := t.codes[code]
	c.name, c.isOther = name, isOther
	t.codes[code] = c
}

// addOthers adds the registered codes of two letters (ISO 639-1) that the table lacks.
func (t *languageTable) addOthers() {
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			code := string([]rune{a, b})
			if name := t.registered(code); name != "" && t.codes[code].name == "" {
				t.name(code, name, true)
			}
		}
	}
}

// own returns the language of a code that languages has, or "".
func (t *languageTable) own(code string) string {
	if c := t.codes[code]; !c.isOther {
		return c.name
	}
	return ""
}

// isRegistered reports whether a code is a language subtag in the registry of BCP 47. The registry has no codes of
// three letters for the languages with one of two: "va-de" and "por-la" are words.
func isRegistered(code []byte) bool {
	base, err := language.ParseBase(string(code))
	return err == nil && (len(code) == 2 || base.String() == string(code))
}

// registered returns the language of a tag in the registry of BCP 47 (RFC 5646), or "". Its present code stands for
// older ones: "he" for "iw".
func (t *languageTable) registered(tag string) string {
	parsed, err := language.Parse(tag)
	if err != nil {
		return ""
	}
	base, _, _ := parsed.Raw()
	switch code := base.String(); code {
	case "und", "mul", "mis", "zxx": // not known, several, without a code, none
		return ""
	default:
		return cmp.Or(t.own(code), code)
	}
}

// ofTag returns the language of a code of the table, or of a tag such as "ca-ES" or "ca_ES", or "". The tag is in lower
// case.
func (t *languageTable) ofTag(tag []byte) string {
	if name := t.own(string(tag)); name != "" || !t.hasOthers {
		return name
	}
	code, isTag := cutTag(tag)
	switch name := t.codes[string(code)].name; {
	case name != "" && isTag:
		return name
	case name == "" && len(code) != 3: // the registry has no more codes of two letters, and none of four
		return ""
	}
	return t.registered(string(tag))
}

// ofSegment returns the language of a path segment that is a code or tag, or "". Only script and region may follow the
// code. Elsewhere than at the beginning of the path, codes that are also words do not count, nor those that the table
// lacks.
func (t *languageTable) ofSegment(segment []byte, first bool, room *[]byte) string {
	if !t.mayBeCode(segment, first) {
		return ""
	}
	tag := lowerASCII(append((*room)[:0], segment...))
	*room = tag
	c := t.codes[string(tag)]
	if c.isWord || c.isLeading && !first {
		return ""
	}
	if c.name == "" {
		code, isTag := cutTag(tag)
		if c = t.codes[string(code)]; !isTag || c.isWord || !isRegistered(code) {
			return ""
		}
	}
	if c.isOther && !first {
		return ""
	}
	return c.name
}

// maxCode is the maximal length in bytes of a language code with script and region in a path.
const maxCode = 12

// mayBeCode reports whether a path segment has the length and the first letters of a code, with or without more behind
// it.
func (t *languageTable) mayBeCode(segment []byte, first bool) bool {
	if len(segment) < 2 || len(segment) > maxCode {
		return false
	}
	if first && t.hasOthers && (len(segment) == 2 || isJoiner(segment[2])) {
		return true
	}
	sizes := t.sizes.of(segment)
	if sizes>>len(segment)&1 == 1 {
		return true
	}
	for ; sizes != 0; sizes &= sizes - 1 {
		if n := bits.TrailingZeros32(sizes); n < len(segment) && isJoiner(segment[n]) {
			return true
		}
	}
	return false
}

// cutTag returns the language code at the beginning of a tag in lower case. It also reports whether nothing follows the
// code but a registered script, a registered region, or both.
func cutTag(tag []byte) (code []byte, isTag bool) {
	i := slices.IndexFunc(tag, isJoiner)
	if i < 0 {
		return tag, true
	}
	code, tag = tag[:i], tag[i+1:]
	if len(tag) == 4 || len(tag) > 4 && isJoiner(tag[4]) {
		if _, err := language.ParseScript(string(tag[:4])); err != nil || len(tag) == 4 {
			return code, err == nil
		}
		tag = tag[5:]
	}
	return code, isRegion(tag)
}

// isJoiner reports a character between the parts of a language tag.
func isJoiner(x byte) bool { return x == '-' || x == '_' }

// isRegion reports whether a subtag is the registered code of a country, or of a group of them such as "419".
func isRegion(tag []byte) bool {
	region, err := language.ParseRegion(string(tag))
	return err == nil && (len(tag) == 2 && region.IsCountry() || region.IsGroup())
}
