package canon

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// suspect returns the reason why an ASCII host may deceive, or "". It mixes scripts, has letters that no language of
// Spain uses, has an empty label, or imitates a host of the allowlist.
func (p *Policy) suspect(ascii []byte) string {
	host := string(ascii)
	if p.allowed.has(ascii) && isPlainHost(ascii) && !strings.Contains(host, "..") {
		return "" // the usual case; unusual characters are not plain
	}
	if strings.Contains(host, "..") || host[0] == '.' {
		return fmt.Sprintf("%s has an empty label: no resolver finds it", host)
	}
	if i := strings.IndexFunc(host, unusual); i >= 0 {
		return fmt.Sprintf("%s holds %q, which no host name has", host, host[i])
	}
	shown := host
	if strings.Contains(host, "xn--") {
		shown, _ = idna.Punycode.ToUnicode(host)
		for label := range strings.SplitSeq(shown, ".") {
			if why := foreignLetters(label); why != "" {
				return fmt.Sprintf("%s (%s) %s: reject it unless you know the site", host, shown, why)
			}
		}
	}
	if p.allowed.has(ascii) {
		return ""
	}
	if target := p.imitated(casefold(shown)); target != "" {
		return fmt.Sprintf("%s imitates %s, which is on the allowlist: reject it unless you know the site",
			host, target)
	}
	return ""
}

// unusual reports a character that browsers accept in a host and registries do not. Brackets belong to an IPv6 address.
func unusual(c rune) bool {
	return !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.ContainsRune(".-_[:]", c))
}

// foreignLetters returns a description of the unusual letters of a label, or "". The languages of Spain are written in
// ASCII and the letters of Latin-1.
func foreignLetters(label string) string {
	latin, other := false, ""
	for _, c := range label {
		switch {
		case !unicode.IsLetter(c):
		case c < 0x100:
			latin = true
		default:
			other = scriptOf(c)
		}
	}
	switch {
	case other == "":
		return ""
	case latin:
		return "mixes Latin letters with " + other + " ones"
	}
	return "is written in " + other + " letters"
}

func scriptOf(c rune) string {
	for _, script := range []string{
		"Cyrillic", "Greek", "Armenian", "Cherokee", "Hebrew", "Arabic", "Han", "Hangul", "Hiragana",
		"Katakana", "Thai",
	} {
		if unicode.Is(unicode.Scripts[script], c) {
			return script
		}
	}
	return "unusual"
}

// lookalikes reverts the usual substitutions in ASCII.
var lookalikes = strings.NewReplacer("0", "o", "1", "l", "3", "e", "5", "s", "rn", "m", "vv", "w")

// imitated returns the allowed domain that the host resembles, or has in front of its own ("boe.es.example.com").
func (p *Policy) imitated(host string) string {
	plain := lookalikes.Replace(host)
	for _, pattern := range p.allowed.sorted {
		domain, isSuffix := strings.CutPrefix(pattern, "*.")
		if strings.Contains("."+host+".", "."+domain+".") && (!isSuffix || strings.Contains(host, "."+domain+".")) {
			return pattern
		}
		if like := lookalikes.Replace(domain); !isSuffix && (plain == like || strings.HasSuffix(plain, "."+like)) {
			return pattern
		}
	}
	return ""
}
