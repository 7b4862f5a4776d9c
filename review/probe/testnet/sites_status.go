package testnet

import (
	"net/http"

	"visto/canon"
)

// statusSites answer with no page, or not at once (seed 003, special page types and fallbacks).
func statusSites() []Site {
	const path = "/tramites/ayuda-alquiler"
	found := func(host string) []Want {
		return []Want{{URL: "https://" + host + path, Canonical: "https://" + host + path, Evidence: seen(ordinary)}}
	}
	lost := func(host string, e Evidence) []Want {
		return []Want{{URL: "https://" + host + path, Canonical: "https://" + host + path,
			Flags: flags(canon.Unreachable), Evidence: e}}
	}
	dead := lost("gone.gob.es", answered(410).archivedAs("https://gone.gob.es"+path))
	dead[0].LinkFlags = flags(canon.LinkBroken) // 410 makes a link inactive at once
	busy, down := RetryAfter(429, "9"), Gone(503)
	return []Site{
		{Host: "busy.gob.es", About: "429 with Retry-After: 9, then the page",
			Pages: pages(path, Sequence(busy, ordinary)), URLs: found("busy.gob.es")},
		{Host: "always-busy.gob.es", About: "429 with Retry-After: 9, always", Pages: pages(path, busy),
			Facts: Facts{HTTPS: Unknown}, URLs: []Want{{URL: "https://always-busy.gob.es" + path,
				Canonical: "https://always-busy.gob.es" + path,
				Evidence:  blocked(Evidence{Status: 429, PutOff: 1}, "rate-limited")}}},
		{Host: "flaky.gob.es", About: "503, then the page", Pages: pages(path, Sequence(down, ordinary)),
			URLs: found("flaky.gob.es")},
		{Host: "flaky-thrice.gob.es", About: "503 three times, then the page: the last retry finds it",
			Pages: pages(path, Sequence(down, down, down, ordinary)),
			URLs:  found("flaky-thrice.gob.es")},
		{Host: "down.gob.es", About: "500, always", Pages: pages(path, Gone(500)),
			URLs: lost("down.gob.es", answered(500))},
		{Host: "paywall.gob.es", About: "402: recorded, not got round", Pages: pages(path, Gone(402)),
			URLs: lost("paywall.gob.es", blocked(answered(402), "payment"))},
		{Host: "unauthorized.gob.es", About: "401", Pages: pages(path, Gone(401)),
			URLs: lost("unauthorized.gob.es", blocked(answered(401), "login"))},
		{Host: "forbidden.gob.es", About: "403", Pages: pages(path, Gone(403)),
			URLs: lost("forbidden.gob.es", blocked(answered(403), "forbidden"))},
		{Host: "not-found.gob.es", About: "404, and the web archive has no copy",
			URLs: lost("not-found.gob.es", answered(404))},
		{Host: "gone.gob.es", About: "410, and the web archive has a copy", Pages: pages(path, Gone(410)), URLs: dead},
		loginWall(path),
		{Host: "no-head.gob.es", About: "refuses HEAD with 405, 501 and 404",
			Pages: map[string]http.Handler{
				"/impresos/modelo-405.docx": HeadRefused(405, Data(word, wordFile)),
				"/impresos/modelo-501.docx": HeadRefused(501, Data(word, wordFile)),
				"/impresos/modelo-404.docx": HeadRefused(404, Data(word, wordFile)),
				"/":                         HeadRefused(405, home),
			},
			URLs: []Want{
				{URL: "https://no-head.gob.es/impresos/modelo-405.docx",
					Canonical: "https://no-head.gob.es/impresos/modelo-405.docx", Evidence: file(word, "", wordFile)},
				{URL: "https://no-head.gob.es/impresos/modelo-501.docx",
					Canonical: "https://no-head.gob.es/impresos/modelo-501.docx", Evidence: file(word, "", wordFile)},
				{URL: "https://no-head.gob.es/impresos/modelo-404.docx",
					Canonical: "https://no-head.gob.es/impresos/modelo-404.docx", Evidence: file(word, "", wordFile)},
			}},
		{Host: "validated.gob.es", About: "has an ETag and Last-Modified, and answers 304 to who has them",
			Pages: map[string]http.Handler{
				path:                       Validated(`"v1-5f1c"`, "Tue, 13 Jan 2026 09:20:00 GMT", ordinary),
				"/tramites/solo-por-fecha": Validated("", "Tue, 13 Jan 2026 09:20:00 GMT", ordinary),
			},
			URLs: []Want{
				{URL: "https://validated.gob.es" + path, Canonical: "https://validated.gob.es" + path,
					Evidence: seen(ordinary).validators(`"v1-5f1c"`, "Tue, 13 Jan 2026 09:20:00 GMT")},
				{URL: "https://validated.gob.es/tramites/solo-por-fecha",
					Canonical: "https://validated.gob.es/tramites/solo-por-fecha",
					Evidence:  seen(ordinary).validators("", "Tue, 13 Jan 2026 09:20:00 GMT")},
			}},
	}
}

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

var wordFile = []byte("PK\x03\x04 no real document")

// loginWall redirects everybody to a login, which is not the page to cite (seed 003, "login redirect").
func loginWall(path string) Site {
	const origin = "https://login-wall.gob.es"
	login := Page{Lang: "es", Title: "Identificación",
		Body: `<form method="post"><input name="usuario"><input type="password" name="clave"></form>` + "\n"}
	behind := blocked(seen(login, hop(302, origin+"/acceso/login?destino=%2Ftramites%2Fayuda-alquiler")), "login")
	behind.FinalURL, behind.Language = origin+path, "" // the form is in Spanish, the language of the page is unknown
	return Site{
		Host: "login-wall.gob.es", About: "redirects to a login page",
		Pages: map[string]http.Handler{
			path:            Redirect(302, "/acceso/login?destino=%2Ftramites%2Fayuda-alquiler"),
			"/acceso/login": login,
		},
		URLs: []Want{
			{URL: origin + path, Canonical: origin + path, Flags: flags(canon.Unreachable),
				Evidence: behind},
		},
	}
}
