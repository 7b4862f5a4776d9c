package canon

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// hostTriggers: capitals, and hosts that look suspicious. With a host of the policy's own, the URL moves to it, and
// every step is due there.
func hostTriggers(r *registrar) {
	mark(&r.inHost, r.step|capital, isCapital)
	mark(&r.inHost, hyphen, in("-"))
	r.onHosts(r.step, func(h *hostFacts) bool { return h.suspicious })
	if r.policy.doc.CanonicalHost != "" {
		r.always = everyStep
	}
}

// stepHost is step 3, rule 6: the host in wire form, without the default port.
func (r *run) stepHost() {
	if !bytes.Equal(r.u.host, r.u.ascii) {
		if r.tracing {
			r.note("host %s", changeOfHost(string(r.u.host), string(r.u.ascii)))
		}
		r.u.host = r.u.ascii
	}
	r.enforceHost()
	if r.u.dropDefaultPort(); r.u.hasPort && r.raise(NonstandardPort) {
		r.flag(NonstandardPort, "port %s on %s; accept it on this host if the page really lives there",
			r.u.port, r.u.host)
	}
	if r.host().suspicious && r.raise(SuspiciousHost) {
		_, why := r.policy.judgeHost(r.u.ascii)
		r.flag(SuspiciousHost, "%s", why.explain(string(r.u.ascii)))
	}
}

// changeOfHost returns the kind of change from a host to its wire form.
func changeOfHost(host, ascii string) string {
	switch {
	case strings.EqualFold(host, ascii):
		return "in lower case"
	case strings.EqualFold(host, ascii+"."):
		return "without the dot at its end"
	}
	return "in the form that goes over the wire"
}

// enforceHost replaces any host by the policy's one host (seed 004, step 2).
func (r *run) enforceHost() {
	host := r.policy.doc.CanonicalHost
	if host == "" {
		return
	}
	r.u.port, r.u.hasPort = r.policy.base.port, r.policy.base.hasPort
	if host != string(r.u.ascii) {
		r.note("%s is the host of this site", host)
		r.setHost(host)
	}
}

// dropDefaultPort removes the default port of the present scheme, and writes any other without leading zeros. It runs
// with the input's scheme and again with the final one, so "http://h:80" and "http://h:443" both lose their port.
// Judged only after https was forced, ":80" would stay.
func (a *address) dropDefaultPort() {
	if !a.hasPort {
		return
	}
	n, _ := strconv.Atoi(string(a.port)) // parse has checked it
	if n == 80 && !a.secure() || n == 443 && a.secure() {
		a.port, a.hasPort = nil, false
		return
	}
	if len(a.port) > 1 && a.port[0] == '0' {
		a.port = strconv.AppendInt(nil, int64(n), 10)
	}
}

// isAddress reports whether a host in wire form is an IP address: no name ends in a digit or a bracket.
func isAddress(host []byte) bool {
	last := host[len(host)-1]
	return last == ']' || isDigit(last) && endsInNumber(host)
}

// suspicion is the reason why a host may deceive. The words are made when a person reads them.
type suspicion struct {
	kind  suspicionKind
	about string // the letters of a foreignScript; the imitated pattern
}

type suspicionKind uint8

const (
	notSuspicious suspicionKind = iota
	foreignScript
	imitation
)

// judgeHost reports whether the allowlist has an ASCII host, and the reason why the host may deceive. It mixes scripts,
// has letters that no language of Spain uses, or imitates a host of the allowlist.
func (p *Policy) judgeHost(ascii []byte) (allowed bool, why suspicion) {
	allowed = p.allowed.has(ascii)
	isPlain := ascii[0] != '[' && !bytes.Contains(ascii, []byte("xn--")) // the other wire forms
	if isPlain && allowed {
		return allowed, suspicion{}
	}
	shown := ascii
	if !isPlain {
		text := shownHost(string(ascii))
		for label := range strings.SplitSeq(text, ".") {
			if letters := foreignLetters(label); letters != "" {
				return allowed, suspicion{foreignScript, letters}
			}
		}
		shown = []byte(casefold(text))
	}
	if !allowed {
		if target := p.allowed.imitated(shown); target != "" {
			return allowed, suspicion{imitation, target}
		}
	}
	return allowed, suspicion{}
}

// shownHost returns the host as a browser shows it.
func shownHost(ascii string) string {
	shown, _ := idna.Punycode.ToUnicode(ascii)
	return shown
}

// explain tells a person why the host may deceive.
func (s suspicion) explain(host string) string {
	if s.kind == foreignScript {
		return fmt.Sprintf("%s (%s) %s: reject it unless you know the site", host, shownHost(host), s.about)
	}
	return fmt.Sprintf("%s imitates %s, which is on the allowlist: reject it unless you know the site", host, s.about)
}

// foreignLetters returns a description of the unusual letters of a label, or "". The languages of Spain are written in
// ASCII and the letters of Latin-1.
func foreignLetters(label string) string {
	latin, other := false, ""
	for _, c := range label {
		switch {
		case c < 0x100:
			latin = latin || unicode.IsLetter(c)
		case !unicode.IsLetter(c) && !unicode.IsSymbol(c):
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
