package main

import (
	"math/rand/v2"
	"strings"
)

// hostsSize is the length of the measured list of many hosts. It has more hosts than an engine should remember, so a
// host is new again when the list starts anew.
const hostsSize = 32 * setSize

func manyHosts() []string {
	urls := make([]string, hostsSize)
	for i := range urls {
		urls[i] = manyHostsURL(i)
	}
	return urls
}

// manyHostsURL returns URL i of an endless list with many hosts. Every second URL has a host that none before has. One
// of ten others repeats an earlier URL; the hosts of the rest follow Zipf's law: the first ones come back most often.
func manyHostsURL(i int) string {
	r := rand.New(rand.NewPCG(4, uint64(i)))
	switch {
	case i%2 == 0:
		return urlOn(r, hostNumber(i/2))
	case in(r, 10):
		return manyHostsURL(r.IntN(i))
	}
	const exponent, offset = 1.2, 8
	return urlOn(r, hostNumber(int(rand.NewZipf(r, exponent, offset, uint64(i/2)).Uint64())))
}

// urlOn returns a URL of either usual shape on the host. In one of twenty the host is spelled unusually.
func urlOn(r *rand.Rand, host string) string {
	next := shortURL
	if in(r, 50) {
		next = govURL
	}
	scheme, rest, _ := strings.Cut(next(r), "://")
	_, rest, _ = strings.Cut(rest, "/")
	switch r.IntN(60) {
	case 0:
		host = strings.ToUpper(host)
	case 1:
		host += "."
	case 2:
		host += ":8443"
	}
	return scheme + "://" + host + "/" + rest
}

// hostNumber returns host n, always the same one, as lists of links have them: a subdomain of a public body, a town or
// an association, a firm at home or abroad, and one of a hundred each in another script, as a look-alike, or none that
// resolves.
func hostNumber(n int) string {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	name := pick(r, names) + pick(r, joints) + pick(r, names) + inSyllables(n)
	switch n := r.IntN(100); {
	case n < 15:
		return name + "." + pick(r, bodies)
	case n < 20:
		return pick(r, subdomains) + name + "." + pick(r, bodies)
	case n < 45:
		return pick(r, subdomains) + name + pick(r, spanishEndings)
	case n < 97:
		return pick(r, subdomains) + name + pick(r, endings)
	case n == 97:
		return name + pick(r, otherScripts)
	case n == 98:
		return pick(r, lookalikes) + "." + name + pick(r, endings)
	}
	return name + pick(r, damages)
}

// inSyllables writes a number in letters, so that each host is another one.
func inSyllables(n int) string {
	const syllables = "babecacodadefigagomalamelisonitarotusuvaza"
	text := ""
	for ; n > 0; n /= len(syllables) / 2 {
		at := n % (len(syllables) / 2) * 2
		text += syllables[at : at+2]
	}
	return text
}

// The parts of hosts. The default policy allows the bodies.
var (
	names = strings.Fields(`ayto villa santa san rio sierra mar norte valle puente campo torre molino nueva castro
		fuente cabildo consejo colegio museo biblioteca hospital radio diario viajes hotel tienda libros casa garden
		market cloud media health travel data bank school news verein stadt haus mairie ville cidade comune shop photo
		music sport tech lab green blue river north`)
	joints     = []string{"", "", "-", "de", "-de-"}
	subdomains = []string{"www.", "www.", "www.", "", "", "sede.", "blog.", "m.", "en.", "docs.api."}
	bodies     = strings.Fields(`gob.es gob.es gob.es gencat.cat juntadeandalucia.es gva.es xunta.gal jcyl.es carm.es
		euskadi.eus madrid.es aragon.es caib.es`)
	spanishEndings = strings.Fields(".es .es .com .org .sedelectronica.es")
	endings        = strings.Fields(`.com .com .com .com .org .net .de .fr .co.uk .it .pt .com.br .com.mx .com.ar .eu
		.cat .nl .pl .ru .jp .cn .info .io .github.io .wordpress.com .blogspot.com`)
	otherScripts = strings.Fields("españa.es -münchen.de .xn--p1ai .xn--espaa-rta.es 日本.jp")
	lookalikes   = strings.Fields("b0e.es sepe.es agenciatributaría.es www.rnadrid.es")
	damages      = strings.Fields("..es {}.es .es%20 .0x7f.1 _.es")
)
