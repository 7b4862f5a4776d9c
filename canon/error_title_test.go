package canon_test

import (
	"testing"

	"visto/canon"
)

// TestTitles judges the titles of short pages at their own URL, in five languages: those of procedures that hold words
// of error pages, and those of error pages with other words beside.
func TestTitles(t *testing.T) {
	p := builtin(t, "clara")
	for _, row := range []struct {
		title string
		want  canon.ErrorPage // "": a page
	}{
		{"Error en el recibo: cómo reclamar", ""},
		{"Error en el padrón: cómo corregirlo", ""},
		{"Error en la nómina", ""},
		{"Error en la factura del agua. Qué hacer", ""},
		{"Error de datos catastrales: subsanación", ""},
		{"Página no encontrada en el registro: cómo aportarla", ""},
		{"Acceso denegado a la vivienda: recursos", ""},
		{"Cookies: qué son y cómo borrarlas", ""},
		{"Mantenimiento de ascensores: ayudas", ""},
		{"Mantenimiento: ayudas a comunidades de vecinos", ""},
		{"Documento no encontrado: solicitud de duplicado", ""},
		{"Objeto no encontrado (oficina de objetos perdidos)", ""},
		{"Identificación: documentos que puede usar", ""},
		{"Acceso de usuarios al servicio de ayuda a domicilio", ""},
		{"Incidencia en el pago: se ha producido un error en la cuota", ""},
		{"He recibido un error al presentar el modelo 303: qué hacer", ""},
		{"Ha habido un error en mi declaración de la renta", ""},
		{"Servicio no disponible en su municipio: transporte a la demanda", ""},
		{"Comedor fuera de servicio: ayuda sustitutoria", ""},
		{"No encuentro el documento de identidad: denuncia por pérdida", ""},
		{"El documento de identidad está caducado: renovación", ""},
		{"Documento caducado en el extranjero", ""},
		{"Enlace roto de la cadena de custodia", ""},
		{"404: licitación de obras", ""},
		{"Expediente 404", ""},
		{"Acceso denegado: recurso de alzada", ""},
		{"Acceso denegado al expediente", ""},
		{"Permiso denegado de residencia", ""},
		{"Sesión finalizada del pleno", ""},
		{"Consentimiento informado para intervenciones", ""},
		{"Web en construcción: licencias de actividad", ""},

		{"Error en el rebut: com reclamar", ""},
		{"Error en la nòmina: correcció", ""},
		{"Manteniment d'ascensors: ajuts", ""},
		{"Document no trobat al registre: què fer", ""},
		{"Accés denegat a l'habitatge: recursos", ""},
		{"Accés d'usuaris al servei de teleassistència", ""},
		{"Servei no disponible al municipi: transport a demanda", ""},

		{"Erro no recibo: como reclamar", ""},
		{"Erro na nómina", ""},
		{"Mantemento de ascensores: axudas", ""},
		{"Documento non atopado no rexistro: que facer", ""},
		{"Acceso denegado á vivenda: recursos", ""},

		{"Errorea ordainagirian: nola erreklamatu", ""},
		{"Igogailuen mantentze-lanak: laguntzak", ""},
		{"Mantentze lanak etxebizitzan: diru-laguntzak", ""},
		{"Agiria ez da aurkitu erregistroan: zer egin", ""},
		{"Sarbidea ukatua etxebizitzara: baliabideak", ""},
		{"Errolda: errore bat egon da nire datuetan", ""},

		{"Error in your council tax bill: how to appeal", ""},
		{"Access denied to housing: appeals", ""},
		{"Document not found in the register: what to do", ""},
		{"Lift maintenance: grants", ""},
		{"Maintenance: child support", ""},
		{"Need cookies: school kitchen courses", ""},
		{"Session expired: residence permits", ""},
		{"Acceso denegado – recurso de alzada", ""},
		{"Página no encontrada - cómo recurrir la baja del registro", ""},

		{"Error en la aplicación", canon.FaultPage},
		{"Error en el servidor: inténtelo de nuevo", canon.FaultPage},
		{"Error: página no encontrada", canon.MissingPage},
		{"Error: no se ha podido procesar su petición", canon.FaultPage},
		{"Error en el sistema", canon.FaultPage},
		{"Error 500: contacte con el administrador", canon.FaultPage},
		{"Error interno. Inténtelo más tarde", canon.FaultPage},
		{"Ha ocurrido un error en la aplicación", canon.FaultPage},
		{"Se ha producido un error al procesar su solicitud", canon.FaultPage},
		{"Acceso denegado - Sede electrónica", canon.FaultPage},
		{"Acceso denegado. No tiene permisos", canon.FaultPage},
		{"Acceso denegado - no tiene permisos", canon.FaultPage},
		{"Page not found - gencat", canon.MissingPage},
		{"Error 404 - page not found", canon.MissingPage},
		{"Página no encontrada: vuelva al inicio", canon.MissingPage},
		{"404: página no encontrada", canon.MissingPage},
		{"Error 404: la página no existe", canon.MissingPage},
		{"Documento no encontrado", canon.MissingPage},
		{"Cookies", canon.CookiePage},
		{"Cookies - Ayuntamiento de Soria", canon.CookiePage},
		{"Cookies: configuración", canon.CookiePage},
		{"Mantenimiento", canon.MaintenancePage},
		{"Mantenimiento: volvemos en breve", canon.MaintenancePage},
		{"Sitio en mantenimiento. Disculpe las molestias", canon.MaintenancePage},
		{"Mantenimiento de la sede electrónica", canon.MaintenancePage},
		{"Error en el servidor - Generalitat", canon.FaultPage},
		{"Error en l'aplicació", canon.FaultPage},
		{"Accés denegat", canon.FaultPage},
		{"S'ha produït un error: torneu-ho a provar", canon.FaultPage},
		{"Pàgina no trobada: torneu a l'inici", canon.MissingPage},
		{"Lloc en manteniment: disculpeu les molèsties", canon.MaintenancePage},
		{"Erro no servidor", canon.FaultPage},
		{"Erro na aplicación", canon.FaultPage},
		{"Erro interno do servidor", canon.FaultPage},
		{"Páxina non atopada: volva ao inicio", canon.MissingPage},
		{"Errorea zerbitzarian", canon.FaultPage},
		{"Sarbidea ukatua", canon.FaultPage},
		{"Errore bat gertatu da: saiatu berriro", canon.FaultPage},
		{"Orria ez da aurkitu: itzuli hasierara", canon.MissingPage},
		{"Access denied", canon.FaultPage},
		{"Error: something went wrong", canon.FaultPage},
		{"Page not found: go back home", canon.MissingPage},
		{"Session expired", canon.FaultPage},
	} {
		got, _ := p.ErrorPage(canon.PageFacts{Title: row.title, Short: true,
			Asked: "https://ejemplo.es/a", URL: "https://ejemplo.es/a"})
		if got != row.want {
			t.Errorf("%q: %q, want %q", row.title, got, row.want)
		}
	}
}

// TestMayName: a title that is more than that of an error page gives reason to doubt the page.
func TestMayName(t *testing.T) {
	p := builtin(t, canon.DefaultPolicy)
	for _, row := range []struct {
		title string
		kind  canon.ErrorPage
		want  bool
	}{
		{"Página no encontrada en el registro: qué hacer", canon.MissingPage, true},
		{"Acceso denegado – recurso de alzada", canon.FaultPage, true},
		{"Acceso denegado – recurso de alzada", canon.MissingPage, false},
		{"Sede electrónica | Iniciar sesión", canon.LoginPage, true},
		{"404 plazas de auxiliar", canon.MissingPage, false},
		{"Recurso de alzada", canon.FaultPage, false},
	} {
		if got := p.MayName(row.kind, row.title); got != row.want {
			t.Errorf("%q, %s: %v, want %v", row.title, row.kind, got, row.want)
		}
	}
}

// TestMayNameOfPolicy: the patterns are the policy's own.
func TestMayNameOfPolicy(t *testing.T) {
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "mine.yaml", Data: []byte(
		"{name: mine, extends: clara, error_pages: {missing: {titles: ['no queda nada']}}}")})
	if err != nil {
		t.Fatal(err)
	}
	for title, want := range map[string]bool{"No queda nada: consulte": true, "Página no encontrada": false} {
		if got := p.MayName(canon.MissingPage, title); got != want {
			t.Errorf("%q: %v, want %v", title, got, want)
		}
	}
}
