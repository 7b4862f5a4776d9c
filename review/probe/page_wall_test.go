package probe

import (
	"net/http"
	"testing"
	"time"

	"visto/canon"
)

func TestIsLogin(t *testing.T) {
	tests := map[string]bool{
		"https://sede.ejemplo.gob.es/login":                                   true,
		"https://sede.ejemplo.gob.es/acceso/login?destino=%2Ftramites":        true,
		"https://sede.ejemplo.gob.es/Login.aspx":                              true,
		"https://sede.ejemplo.gob.es/app/login.jsf;jsessionid=1":              true,
		"https://sede.ejemplo.gob.es/cas/login":                               true,
		"https://sede.ejemplo.gob.es/idp/profile/SAML2/Redirect/SSO":          true,
		"https://sede.ejemplo.gob.es/auth/realms/x/protocol/openid-connect/a": true,
		"https://sede.ejemplo.gob.es/oauth2/authorize":                        true,
		"https://sede.ejemplo.gob.es/es/iniciar-sesion":                       true,
		"https://se-pasarela.clave.gob.es/Proxy2/ServiceProvider":             true,
		"https://pasarela.clave.gob.es/":                                      true,
		"https://SSO.ejemplo.es/x":                                            true,
		"https://valid.aoc.cat/o/oauth":                                       true,
		"https://eidas.izenpe.com/trustedx-authserver/":                       true,

		"https://sede.ejemplo.gob.es/cas/tramites":                      false, // in Spanish
		"https://cas.ejemplo.cat/tramites":                              false,
		"https://clave.gob.es/clave_Home/registro.html":                 false,
		"https://sede.ejemplo.gob.es/ayuda/como-iniciar-sesion-en-sede": false,
		"https://sede.ejemplo.gob.es/loginex":                           false,
		"https://sede.ejemplo.gob.es/tramites?next=/login":              false,
		"https://authors.ejemplo.es/":                                   false,
		"https://notvalid.aoc.cat/":                                     false,
		"https://sede.ejemplo.gob.es/":                                  false,
		"%":                                                             false,
		"":                                                              false,
	}
	for url, want := range tests {
		if got := isLogin(url); got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
}

// TestSentToLogin reads logins without a password. They block a page only after a redirect.
func TestSentToLogin(t *testing.T) {
	const asked, login, page = "https://sede.ejemplo.gob.es/mi-carpeta",
		"https://pasarela.clave.gob.es/Proxy2/ServiceProvider", "https://sede.ejemplo.gob.es/mi-carpeta/inicio"
	tests := []struct {
		name, asked string
		hops        []string
		status      int
		blocked     string
		final       string
	}{
		{"sent there", asked, []string{login}, 200, "login", asked},
		{"sent there by another page", asked, []string{page, login}, 200, "login", page},
		{"sent there and back", asked, []string{login, page}, 200, "", page},
		{"asked for", login, []string{login + "/"}, 200, "", login + "/"},
		{"asked for, at once", login, nil, 200, "", ""},
		{"sent there, and it is gone", asked, []string{login}, 404, "", login},
	}
	for _, tt := range tests {
		w := &redirectChain{asked: parseURL(tt.asked), at: parseURL(tt.asked), ending: arrived}
		for _, hop := range tt.hops {
			w.hops = append(w.hops, canon.Hop{Status: 302, URL: hop})
			w.at = parseURL(hop)
		}
		w.last = &Response{URL: w.at.String(), Method: "GET", Status: tt.status,
			Header: http.Header{"Content-Type": {"text/html"}},
			Body: []byte("<html lang=es><title>Cl@ve</title><p>Elija cómo quiere " +
				"identificarse.<button>DNIe</button>")}
		ev := &canon.Evidence{}
		v := &visit{Prober: proberFor(t, Config{})}
		if err := v.readPage(t.Context(), nil, request{purpose: forPage}, w.last); err != nil {
			t.Fatal(err)
		}
		v.writeAnswer(ev, w, time.Time{})
		if ev.Blocked != tt.blocked || ev.FinalURL != tt.final || tt.blocked != "" &&
			(ev.Language != "" || ev.Method != "blocked") {
			t.Errorf("%s: blocked %q, final %q, language %q, method %q", tt.name, ev.Blocked, ev.FinalURL,
				ev.Language, ev.Method)
		}
	}
}
