package canon_test

import (
	"testing"

	"visto/canon"
)

// TestErrorPageByTitle judges short pages at their own URL.
func TestErrorPageByTitle(t *testing.T) {
	p := builtin(t, "clara")
	for title, want := range map[string]canon.ErrorPage{
		"Error 404 - Página no encontrada": canon.MissingPage,
		"404":                              canon.MissingPage,
		"404 Not Found":                    canon.MissingPage,
		"HTTP Status 404 – Not Found":      canon.MissingPage,
		"Página no encontrada | Ayuntamiento de Alcalá":      canon.MissingPage,
		"Ayuntamiento de Alcalá - Página no encontrada":      canon.MissingPage,
		"La página solicitada no existe":                     canon.MissingPage,
		"Lo sentimos. La página que busca ya no existe":      canon.MissingPage,
		"No se ha encontrado la página":                      canon.MissingPage,
		"No hemos podido encontrar lo que buscas":            canon.MissingPage,
		"Contenido no disponible":                            canon.MissingPage,
		"El trámite no está disponible":                      canon.MissingPage,
		"Pàgina no trobada":                                  canon.MissingPage,
		"No s'ha trobat la pàgina":                           canon.MissingPage,
		"No s’ha trobat el contingut que busqueu":            canon.MissingPage,
		"Páxina non atopada - Xunta de Galicia":              canon.MissingPage,
		"Non se atopou a páxina":                             canon.MissingPage,
		"A páxina que busca non existe":                      canon.MissingPage,
		"Ez da orria aurkitu":                                canon.MissingPage,
		"Orria ez da aurkitu":                                canon.MissingPage,
		"Bilatzen ari zaren orria ez da existitzen":          canon.MissingPage,
		"Page not found":                                     canon.MissingPage,
		"Oops! That page can’t be found.":                    canon.MissingPage,
		"The page you are looking for does not exist":        canon.MissingPage,
		"We couldn't find that page":                         canon.MissingPage,
		"Error":                                              canon.FaultPage,
		"Error interno del servidor":                         canon.FaultPage,
		"500 - Internal Server Error":                        canon.FaultPage,
		"Se ha producido un error":                           canon.FaultPage,
		"Ha ocurrido un error inesperado":                    canon.FaultPage,
		"S'ha produït un error":                              canon.FaultPage,
		"Produciuse un erro":                                 canon.FaultPage,
		"Errore bat gertatu da":                              canon.FaultPage,
		"Something went wrong":                               canon.FaultPage,
		"Acceso denegado":                                    canon.FaultPage,
		"Su sesión ha caducado":                              canon.FaultPage,
		"Aviso de cookies":                                   canon.CookiePage,
		"Uso de cookies | Sede electrónica":                  canon.CookiePage,
		"Configuración de cookies":                           canon.CookiePage,
		"Utilizamos cookies":                                 canon.CookiePage,
		"Este sitio utiliza cookies propias":                 canon.CookiePage,
		"Aquest lloc web utilitza galetes pròpies i cookies": canon.CookiePage,
		"Cookieen erabilera":                                 canon.CookiePage,
		"Cookie consent":                                     canon.CookiePage,
		"Valoramos tu privacidad":                            canon.CookiePage,
		"Iniciar sesión":                                     canon.LoginPage,
		"Inici de sessió - Generalitat":                      canon.LoginPage,
		"Saioa hasi":                                         canon.LoginPage,
		"Log in":                                             canon.LoginPage,
		"Acceso de usuarios":                                 canon.LoginPage,
		"Sitio en mantenimiento":                             canon.MaintenancePage,
		"Estamos realizando tareas de mantenimiento":         canon.MaintenancePage,
		"Mantenimiento programado":                           canon.MaintenancePage,
		"Aviso de mantenimiento":                             canon.MaintenancePage,
		"Portal en proceso de mantenimiento":                 canon.MaintenancePage,
		"Sede electrónica en mantenimiento":                  canon.MaintenancePage,
		"Lloc web en manteniment":                            canon.MaintenancePage,
		"Web en mantemento":                                  canon.MaintenancePage,
		"Mantentze lanak":                                    canon.MaintenancePage,
		"Site under maintenance":                             canon.MaintenancePage,
		"Service temporarily unavailable":                    canon.MaintenancePage,
		"Servicio no disponible temporalmente":               canon.MaintenancePage,
		"Volvemos en breve":                                  canon.MaintenancePage,

		"404 plazas de auxiliar administrativo":           "",
		"Convocatoria de 404 plazas":                      "",
		"Orden 404/2025, de 3 de mayo":                    "",
		"Política de cookies":                             "",
		"Mantenimiento de parques y jardines":             "",
		"Contrato de mantenimiento de ascensores":         "",
		"Plan de mantenimiento de carreteras":             "",
		"Corte de agua por obras de mantenimiento":        "",
		"Oficial de mantenimiento":                        "",
		"Iniciar sesión con Cl@ve":                        "",
		"Acceso a la universidad para mayores de 25 años": "",
		"Identificación de animales de compañía":          "",
		"Registro de identificación fiscal":               "",
		"Corrección de errores de la Orden 5/2024":        "",
		"Corrección de error material en las bases":       "",
		"Errores frecuentes al pedir cita":                "",
		"Objetos perdidos y no reclamados":                "",
		"Certificado de no existencia de antecedentes":    "",
		"Sede electrónica":                                "",
		"Ayudas al alquiler":                              "",
		"Solicitud de tarjeta no renovada":                "",
		"Qué hacer si no encuentra su expediente":         "",
		"Personas sin hogar: recursos disponibles":        "",
		"Documentos no electrónicos: dónde presentarlos":  "",
		"Sesión plenaria de 3 de mayo":                    "",
		"Acceso a la información pública":                 "",
		"Obras de construcción en la vía pública":         "",
		"Licencia de obras y construcción":                "",
		"Fuera de plazo: qué hacer":                       "",
	} {
		for _, f := range []canon.PageFacts{{Title: title, Short: true}, {Title: "Sede", Heading: title, Short: true}} {
			f.Asked, f.URL = "https://errores.ejemplo.es/tramites/alta", "https://errores.ejemplo.es/tramites/alta/"
			got, seen := p.ErrorPage(f)
			if got != want || want != "" && seen != title {
				t.Errorf("%q: %q (%q), want %q", title, got, seen, want)
			}
			if f.Short = false; want != "" {
				if got, _ := p.ErrorPage(f); got != "" {
					t.Errorf("%q on a long page: %q", title, got)
				}
			}
		}
	}
}

// TestErrorPageByAddress judges pages by where they are, and by the words of the URL that was asked.
func TestErrorPageByAddress(t *testing.T) {
	p := builtin(t, "clara")
	for _, tt := range []struct {
		asked, at, title string
		want             canon.ErrorPage
	}{
		{"/tramites/alta", "/error/404.html", "Sede", canon.MissingPage},
		{"/tramites/alta", "/404", "", canon.MissingPage},
		{"/tramites/alta", "/paginaNoEncontrada.aspx", "", canon.MissingPage},
		{"/tramites/alta", "/es/pagina-no-encontrada", "", canon.MissingPage},
		{"/tramites/alta", "/page_not_found.html", "", canon.MissingPage},
		{"/tramites/alta", "/error.html", "", canon.FaultPage},
		{"/tramites/alta", "/errores/generico.jsp", "", canon.FaultPage},
		{"/tramites/alta", "/mensaje-error.do", "", canon.FaultPage},
		{"/tramites/alta", "/portal?vista=error", "", canon.FaultPage},
		{"/tramites/alta", "/cookies-consent?return=%2Ftramites%2Falta", "", canon.CookiePage},
		{"/tramites/alta", "/aviso_cookies.html", "", canon.CookiePage},
		{"/tramites/alta", "/mantenimiento.html", "", canon.MaintenancePage},
		{"/tramites/alta", "/inicio", "Página no encontrada", canon.MissingPage},
		{"/tramites/alta", "/tramites/baja", "Baja", ""},
		{"/p/7", "/empleo/404-plazas-de-auxiliar", "404 plazas de auxiliar", ""},
		{"/p/8", "/servicios/mantenimiento-de-parques", "Mantenimiento de parques", ""},
		{"/p/9", "/boletin/correccion-errores-orden-5", "Corrección de errores", ""},
		{"/lista?pagina=3", "/lista?pagina=404", "Lista", ""},
		{"/politica-de-cookies", "/es/politica-de-cookies", "Política de cookies", ""},
		{"/politica-cookies", "/politica-cookies", "Uso de cookies", ""},
		{"/ayuda/error-404", "/ayuda/error-404", "Error 404", ""},
		{"/mantenimiento", "/mantenimiento", "Mantenimiento", ""},
		{"/login", "/login", "Iniciar sesión", ""},
		{"/ayuda/error-404", "/es/ayuda/error-404", "Error 404", ""},
		{"/ayuda/error-de-calculo", "/error.html", "Error", canon.FaultPage},
	} {
		const host = "https://www.ejemplo.es"
		got, _ := p.ErrorPage(canon.PageFacts{Asked: host + tt.asked, URL: host + tt.at, Title: tt.title, Short: true})
		if got != tt.want {
			t.Errorf("%s to %s (%q): %q, want %q", tt.asked, tt.at, tt.title, got, tt.want)
		}
	}
	elsewhere := canon.PageFacts{Asked: "https://www.ejemplo.es/tramites/alta",
		URL: "https://mantenimiento.ejemplo.es/tramites/alta"}
	if got, _ := p.ErrorPage(elsewhere); got != canon.MaintenancePage {
		t.Errorf("on a host for it: %q", got)
	}
}
