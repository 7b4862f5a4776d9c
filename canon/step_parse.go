package canon

import (
	"bytes"
	"fmt"
	"strings"
)

// parseTriggers marks the delimiters, and the bytes that only parse reads. Parse itself runs on every URL.
func parseTriggers(r *registrar) {
	mark(&r.inHost, hasDot, in("."))
	for _, part := range []struct {
		table      *[256]stepSet
		escaped    *[256]stepSet // the table for escapes
		delimiters string
		needsParse func(x byte) bool
		isHarmless func(x byte) bool // no pasted text begins with this byte here
	}{
		{&r.inHost, nil, "/?#", func(x byte) bool { return !plainHost[x] && !isCapital(x) }, nil},
		{&r.inPath, &r.escapedInPath, "/?#", in("\t\r\n\\"), in("?#%")},
		{&r.inName, &r.escapedInName, "=&#", in("\t\r\n"), in("&#%,|")},
		{&r.inValue, &r.escapedInValue, "&#", in("\t\r\n"), in("&#%,|")},
		{&r.inFragment, &r.escapedInValue, "", in("\t\r\n"), in("?&#%,|")},
	} {
		if part.escaped != nil {
			mark(part.table, colon, in(":"))
			mark(part.table, escapes, in("%"))
			r.markPasted(part.table, part.escaped, part.isHarmless)
		}
		mark(part.table, delimits, in(part.delimiters))
		mark(part.table, delimits|needsParse, part.needsParse)
	}
}

// stepParse is step 1, the one place that turns the input into a URL or rejects it.
func (r *run) stepParse() {
	if r.laterPass {
		return
	}
	if !r.fastScan() {
		r.parse()
	}
	if r.policy.blocked != nil && !r.rejected() {
		r.checkBlocked(r.inHost)
	}
	if !r.rejected() {
		r.findRules()
	}
}

// checkBlocked rejects a URL whose host, as it came or in the end, is on the blocklist. The redirects step looks up the
// hosts in between.
func (j *judge) checkBlocked(host []byte) {
	if j.ofHost(host).blocked {
		j.reject(j.policy.blocks(host))
	}
}

// parse reads the input in any spelling. It takes user and password out of the input first.
func (r *run) parse() {
	if masked := MaskUser(r.raw); masked != r.raw {
		r.raw, r.before = masked, masked
	}
	r.u, r.inHost, r.inFacts, r.due = address{}, nil, nil, everyStep
	if len(r.raw) >= r.policy.doc.MaxLength {
		r.reject(r.policy.tooLong(len(r.raw)))
		return
	}
	if holdsSecondScheme(r.raw) && len(urlStarts(r.raw)) > 1 {
		r.reject(severalURLs)
		return
	}
	r.text = append(r.text[:0], r.raw...)
	text, isBare := r.policy.onSite(r.text[:len(r.raw):len(r.raw)])
	u, credentials, bad := parse(text)
	if r.u = u; bad != nil {
		r.reject(bad)
		return
	}
	if bad = r.policy.checkSite(r.raw, &u); bad != nil {
		r.reject(bad)
		return
	}
	r.checkPasted(r.raw)
	r.inHost = u.ascii
	if r.ev == nil {
		r.due = r.scanParts()
	}
	if r.tracing {
		r.noteParse(isBare)
	}
	if credentials {
		r.flagCredentials()
	}
}

func (r *run) flagCredentials() {
	r.flag(Credentials, "a user name or password was removed; whoever published it should know")
	r.note("credentials removed")
}

// checkSite refuses two texts of people in the place of a URL, under a policy with an allowlist: a host of one label
// ("N/A", "pendiente") that is not on it, and an e-mail address with nothing behind it.
func (p *Policy) checkSite(raw string, u *address) *rejection {
	user, host, isMail := strings.Cut(raw, "@")
	switch {
	case p.allowed == nil:
		return nil
	case u.ascii[0] != '[' && bytes.IndexByte(u.ascii, '.') < 0 && !p.mayCite(u.ascii):
		return invalid(`"%s" is a host of one label: no site of an administration has one`, u.ascii)
	case isMail && !strings.ContainsAny(user, `:/\`) && !strings.ContainsAny(host, `/\?#`):
		return invalid("it is an e-mail address")
	}
	return nil
}

// noteParse notes how an unusual spelling was read.
func (r *run) noteParse(isBare bool) {
	raw := strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(r.raw)
	switch lower := strings.ToLower(raw); {
	case isBare:
		r.note("a path of %s", r.u.host)
	case !strings.HasPrefix(lower, "http:") && !strings.HasPrefix(lower, "https:"):
		r.note("no scheme: https supplied")
	}
	if raw != r.raw {
		r.note("line breaks and tabs inside removed")
	}
	if before, _, _ := strings.Cut(r.raw, "?"); strings.Contains(before, `\`) {
		r.note("backslashes read as slashes")
	}
}

// tooLong is the rejection of a URL with n bytes.
func (p *Policy) tooLong(n int) *rejection {
	return &rejection{TooLong, fmt.Sprintf("it has %d bytes; the limit is %d", n, p.doc.MaxLength)}
}
