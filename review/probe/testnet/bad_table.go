package testnet

import (
	"net/http"
	"slices"

	"visto/canon"
)

// BadWeb returns the table of the bad web: each behaviour in several clothes, and pages that only look bad. Each call
// makes new sites, because some of them have state. The hosts work together as one test internet.
func BadWeb() []Kind {
	return slices.Concat(badHosts(), badLanguages(), badPages(), badChains(), badAnswers(), goodPages())
}

// badHosts are domains whose preferred host must be seen to answer.
func badHosts() []Kind {
	return []Kind{{
		Does: "the certificate is for www alone; http://bare answers 200, without a redirect", Right: "www stays",
		Cases: []Case{
			{"https://www.padron.gob.es/tramites/alta-en-el-padron", stays(),
				certified("padron.gob.es", "www.padron.gob.es")},
			{"https://www.turismo.gva.es/es/guias/ruta-4711", stays(),
				certified("turismo.gva.es", "www.turismo.gva.es")},
			{"http://www.cultura.xunta.gal/es/axudas/bolsas-2026",
				moves("https://www.cultura.xunta.gal/es/axudas/bolsas-2026"),
				certified("cultura.xunta.gal", "www.cultura.xunta.gal", "correo.cultura.xunta.gal")},
		},
	}, {
		Does: "HTTPS of the bare host has another site's certificate; http://bare answers 200", Right: "www stays",
		Cases: []Case{
			{"https://www.catastro.gob.es/consulta/datos-catastrales", stays(),
				certified("catastro.gob.es", "hosting-provider.example")},
			{"https://www.museo.aragon.es/visita/horario-de-verano", stays(),
				certified("museo.aragon.es", "plesk.example", "*.plesk.example")},
			{"https://www.becas.navarra.es/es/becas/beca-3021", stays(),
				certified("becas.navarra.es", "otra-consejeria.navarra.es")},
		},
	}, {
		Does: "the bare host answers an error", Right: "www stays",
		Cases: []Case{
			{"https://www.pesca.gob.es/licencias/licencia-de-pesca", stays(), bareError("pesca.gob.es", 404)},
			{"https://www.montes.cantabria.es/permisos/corta-de-lena", stays(), bareError("montes.cantabria.es", 410)},
			{"https://www.aguas.carm.es/tarifas/tarifa-2026", stays(), bareError("aguas.carm.es", 500)},
		},
	}, {
		Does: "https://bare answers its home page, but not the page's path", Right: "www stays",
		Cases: []Case{
			{"https://www.empleo.gob.es/ofertas/oferta-8812",
				stays().asking("https://empleo.gob.es/ofertas/oferta-8812"), bareLacks("empleo.gob.es", Gone(404))},
			{"https://www.caza.jccm.es/licencias/licencia-de-caza", stays(), bareLacks("caza.jccm.es", Gone(403))},
			{"https://www.puertos.asturias.es/amarres/solicitud-de-amarre", stays(),
				bareLacks("puertos.asturias.es", Redirect(302, "/"))},
			{"https://www.minas.extremadura.es/permisos/permiso-de-investigacion", stays(),
				bareLacks("minas.extremadura.es", procedure("Error 404 - Página no encontrada"))},
		},
	}, {
		Does: "robots.txt of the bare host forbids the page", Right: "www stays, and the bare host is not asked for it",
		Cases: []Case{
			{"https://www.archivo.gob.es/fondos/fondo-1492",
				stays().unasked("https://archivo.gob.es/fondos/fondo-1492"),
				bareForbids("archivo.gob.es", "/fondos/")},
			{"https://www.censo.madrid.org/consulta/datos-del-censo",
				stays().unasked("https://censo.madrid.org/consulta/datos-del-censo"),
				bareForbids("censo.madrid.org", "/")},
			{"https://www.actas.zaragoza.es/plenos/acta-2201",
				stays().unasked("https://actas.zaragoza.es/plenos/acta-2201"),
				bareForbids("actas.zaragoza.es", "/*acta")},
		},
	}, {
		Does: "http://bare redirects to https://www", Right: "the bare host moves to www", Good: true,
		Cases: []Case{
			{"https://juventud.gob.es/carnet/carnet-joven", moves("https://www.juventud.gob.es/carnet/carnet-joven"),
				bareRedirects("juventud.gob.es", 301)},
			{"https://deportes.bilbao.eus/cursos/curso-5512",
				moves("https://www.deportes.bilbao.eus/cursos/curso-5512"), bareRedirects("deportes.bilbao.eus", 302)},
			{"http://vivienda.malaga.eu/ayudas/ayuda-al-alquiler",
				moves("https://www.vivienda.malaga.eu/ayudas/ayuda-al-alquiler"),
				bareRedirects("vivienda.malaga.eu", 308)},
		},
	}, {
		Does: "www and bare answer the page over HTTPS, no redirect between them", Good: true,
		Right: "moves to bare, which was asked for the page",
		Cases: []Case{
			{"https://www.salud.gob.es/vacunas/calendario-de-vacunas",
				movesToSeen("https://salud.gob.es/vacunas/calendario-de-vacunas"),
				twins("salud.gob.es")},
			{"https://www.taxi.sevilla.org/licencias/licencia-1206",
				movesToSeen("https://taxi.sevilla.org/licencias/licencia-1206"),
				twins("taxi.sevilla.org")},
			{"http://www.playas.gva.es/es/banderas/bandera-azul",
				movesToSeen("https://playas.gva.es/es/banderas/bandera-azul"),
				twins("playas.gva.es")},
		},
	}, {
		Does:  "443 has another site's certificate; http answers the page",
		Right: "stays https, unreachable, with the names",
		Cases: []Case{
			{"https://feria.gob.es/expositores/alta-de-expositor", unreachable("servidor-compartido.example"),
				foreign("feria.gob.es", "servidor-compartido.example")},
			{"http://rutas.larioja.org/senderos/sendero-118",
				unreachable("hosting.larioja.org").at("https://rutas.larioja.org/senderos/sendero-118"),
				foreign("rutas.larioja.org", "hosting.larioja.org")},
			{"https://mercados.barcelona.cat/parades/parada-2077", unreachable("www.botiga.example"),
				foreign("mercados.barcelona.cat", "botiga.example", "www.botiga.example")},
		},
	}}
}

// badLanguages are pages with a Spanish version that is named and does not answer.
func badLanguages() []Kind {
	return []Kind{{
		Does:  "hreflang names a Spanish version that answers with no page",
		Right: "stays, no-spanish; the version was asked",
		Cases: []Case{
			{"https://web.comarca.gencat.cat/ca/tramits/ajut-al-lloguer",
				noSpanish("https://web.comarca.gencat.cat/es/tramits/ajut-al-lloguer"),
				translated("web.comarca.gencat.cat", "ca", "/es/tramits/ajut-al-lloguer", Gone(404))},
			{"https://sede.concello.xunta.gal/gl/tramites/axuda-aluguer",
				noSpanish("https://sede.concello.xunta.gal/es/tramites/axuda-aluguer"),
				translated("sede.concello.xunta.gal", "gl", "/es/tramites/axuda-aluguer", Gone(410))},
			{"https://udala.euskadi.eus/eu/laguntzak/etxebizitza-saria",
				noSpanish("https://udala.euskadi.eus/es/laguntzak/etxebizitza-saria"),
				translated("udala.euskadi.eus", "eu", "/es/laguntzak/etxebizitza-saria", Redirect(302, "/"))},
			{"https://visit.caib.es/en/beaches/blue-flag-2026",
				noSpanish("https://visit.caib.es/es/beaches/blue-flag-2026"),
				translated("visit.caib.es", "en", "/es/beaches/blue-flag-2026", procedure("Página no encontrada"))},
		},
	}, {
		Does:  "hreflang names a private address or a commercial site as Spanish",
		Right: "stays, no-spanish; nobody asks there",
		Cases: []Case{
			{"https://tramits.gva.es/va/ajudes/ajuda-menjador", noSpanish().unasked("http://127.0.0.1/es/ayudas"),
				translated("tramits.gva.es", "ca", "http://127.0.0.1/es/ayudas", nil)},
			{"https://izapideak.bilbao.eus/eu/baimenak/lur-jabetza", noSpanish().unasked(shop + "/es/ofertas"),
				translated("izapideak.bilbao.eus", "eu", shop+"/es/ofertas", nil)},
			{"https://web.parcs.gencat.cat/ca/reserves/reserva-2210", noSpanish().unasked("http://localhost/es"),
				translated("web.parcs.gencat.cat", "ca", "http://0x7f.1/es", nil)},
		},
	}, {
		Does: "hreflang names a Spanish version that answers", Right: "moves to it, which was asked", Good: true,
		Cases: []Case{
			{"https://ajuntament.barcelona.cat/ca/tramits/alta-al-padro",
				movesToSeen("https://ajuntament.barcelona.cat/es/tramits/alta-al-padro"),
				translated("ajuntament.barcelona.cat", "ca", "/es/tramits/alta-al-padro", ordinary)},
			{"https://egoitza.euskadi.eus/eu/tramiteak/txartela-9917",
				movesToSeen("https://egoitza.euskadi.eus/es/tramites/tarjeta-9917"),
				translated("egoitza.euskadi.eus", "eu", "/es/tramites/tarjeta-9917", ordinary)},
			{"https://portal.sergas.es/gl/citas/cita-medico",
				movesToSeen("https://portal.sergas.es/es/citas/cita-medico"),
				translated("portal.sergas.es", "gl", "/es/citas/cita-medico", wrongLang)},
		},
	}}
}

// badPages are error pages, walls and notices in the place of a page.
func badPages() []Kind {
	return []Kind{{
		Does: "answers 200 with an error page", Right: "unreachable, with the title as the reason",
		Cases: []Case{
			{"https://notarios.gob.es/tramites/copia-de-escritura", unreachable("Error 404 - Página no encontrada"),
				all("notarios.gob.es", procedure("Error 404 - Página no encontrada"))},
			{"https://registre.gencat.cat/es/tramits/certificat-2211", unreachable("Pàgina no trobada"),
				all("registre.gencat.cat", Page{Lang: "es", Title: "Pàgina no trobada"})},
			{"https://rexistro.xunta.gal/es/tramites/certificado-781", unreachable("Páxina non atopada"),
				all("rexistro.xunta.gal", Page{Lang: "es", Title: "Páxina non atopada"})},
			{"https://erregistro.euskadi.eus/es/tramites/certificado-782", unreachable("Ez da orria aurkitu"),
				all("erregistro.euskadi.eus", Page{Lang: "es", Title: "Ez da orria aurkitu"})},
			{"https://aduanas.gob.es/tramites/despacho-de-equipaje", unreachable("404 Not Found"),
				all("aduanas.gob.es", Page{Lang: "es", Title: "404 Not Found"})},
			{"https://puertas.ceuta.es:8443/tramites/pase-fronterizo",
				unreachable("Se ha producido un error").and(canon.NonstandardPort),
				all("puertas.ceuta.es", procedure("Se ha producido un error"))},
		},
	}, {
		Does: "redirects to an error page, which answers 200", Right: "canonical stays, unreachable",
		Cases: []Case{
			{"https://loterias.gob.es/premios/premio-4410", unreachable(""),
				leads("loterias.gob.es", 302, "/error/404.html", procedure("Aviso"))},
			{"https://parques.andalucia.es/permisos/permiso-de-acampada", unreachable(""),
				leads("parques.andalucia.es", 301, "/pagina-no-encontrada", procedure("Página no encontrada"))},
			{"https://tasas.madrid.es/pagos/tasa-de-basuras", unreachable("Error del servidor"),
				leads("tasas.madrid.es", 303, "/portal/aviso.jsp?c=17", procedure("Error del servidor"))},
			{"https://beques.valencia.es/es/ajudes/beca-1199", unreachable(""),
				leads("beques.valencia.es", 307, "/errors/500.aspx?aspxerrorpath=/es/ajudes", procedure("Portal"))},
		},
	}, {
		Does: "redirects to a cookie wall or a consent page", Right: "canonical stays; a person decides",
		Cases: []Case{
			{"https://teatros.madrid.org/abonos/abono-joven", unreachable(""),
				leads("teatros.madrid.org", 302, "/cookies-consent?return=%2Fabonos", procedure("Antes de continuar"))},
			{"https://trenes.gob.es/billetes/billete-combinado", unreachable(""),
				leads("trenes.gob.es", 307, "/aviso-cookies.php?u=3", procedure("Aviso de cookies"))},
			{"https://visites.caib.es/es/entrades/entrada-2026", unreachable(""),
				leads("visites.caib.es", 302, "/consent/?back=1", procedure("Su privacidad"))},
		},
	}, {
		Does:  "a notice of maintenance in the place of the page",
		Right: "canonical stays, unreachable; it is asked again",
		Cases: []Case{
			{"https://multas.gob.es/pagos/pago-de-multas", unreachable(""),
				leads("multas.gob.es", 302, "/mantenimiento.html", procedure("Volvemos en breve"))},
			{"https://citas.murciaregion.es/medico/cita-previa", unreachable("Sitio en mantenimiento"),
				all("citas.murciaregion.es", procedure("Sitio en mantenimiento"))},
			{"https://cita.castillalamancha.es/itv/cita-itv-2026", unreachable("Portal en manteniment"),
				all("cita.castillalamancha.es", Page{Lang: "es", Title: "Portal en manteniment"})},
		},
	}, {
		Does: "redirects to a login", Right: "canonical stays, unreachable",
		Cases: []Case{
			{"https://nominas.gob.es/empleados/nomina-electronica", unreachable("login"),
				leads("nominas.gob.es", 302, "/acceso/login?destino=1", signIn)},
			{"https://aula.gobiernodecanarias.org/cursos/curso-7781", unreachable("login"),
				leads("aula.gobiernodecanarias.org", 303, "/cas/login", signIn)},
			{"https://expedientes.melilla.es/consulta/expediente-2026", unreachable("login"),
				leads("expedientes.melilla.es", 307, "/iniciar-sesion", signIn)},
		},
	}, {
		Does: "scripts draw an error into an empty page", Right: "flagged unreachable",
		Cases: []Case{
			{"https://escritorio.gob.es/expedientes/expediente-4410", unreachable("no such page"),
				drawn("escritorio.gob.es", procedure("Página no encontrada"))},
			{"https://citas.jcyl.es/citas/solicitud-de-cita", unreachable("shows an error"),
				drawn("citas.jcyl.es", procedure("Ha ocurrido un error en la aplicación"))},
			{"https://gestions.gencat.cat/es/ajuts/solicitud-de-ayuda", unreachable("shows an error"),
				drawn("gestions.gencat.cat", procedure("Accés denegat - Seu electrònica"))},
		},
	}, {
		Does: "answers HTML without any text", Right: "no-content",
		Cases: []Case{
			{"https://vados.gob.es/permisos/permiso-de-vado", flagged(canon.NoContent, ""),
				all("vados.gob.es", Data("text/html", nil))},
			{"https://obras.zaragoza.es/licencias/licencia-de-obra", flagged(canon.NoContent, ""),
				all("obras.zaragoza.es", Redirect(http.StatusNoContent, ""))},
			{"https://terrazas.sevilla.org/permisos/permiso-de-terraza", flagged(canon.NoContent, ""),
				all("terrazas.sevilla.org", cutGzip)},
			{"https://podas.madrid.es/avisos/poda-de-arboles", flagged(canon.NoContent, ""),
				all("podas.madrid.es", cutBody)},
		},
	}}
}

// badChains are redirects that need a cookie, redirects in the page or in a header, and routes of scripts.
func badChains() []Kind {
	return []Kind{{
		Does: "redirects to itself with Set-Cookie, then answers 200", Right: "200 at the URL", Good: true,
		Cases: []Case{
			{"https://becas.gob.es/convocatorias/beca-general", stays(), all("becas.gob.es", CookieGate(ordinary))},
			{"https://plenos.bilbao.eus/actas/acta-9001", stays(),
				all("plenos.bilbao.eus", gate(307, "PLENO=1; Path=/; Secure; HttpOnly"))},
			{"https://huertos.malaga.eu/solicitudes/huerto-urbano", stays(),
				all("huertos.malaga.eu", gate(303, "visto=si; Domain=malaga.eu; Max-Age=600"))},
		},
	}, {
		Does: "redirects to a check that wants the cookie and leads back", Right: "200 at the URL", Good: true,
		Cases: []Case{
			{"https://subastas.gob.es/lotes/lote-5520", stays(),
				checked("subastas.gob.es", "/lotes/lote-5520", "/check")},
			{"https://padel.aragon.es/reservas/reserva-de-pista", stays(),
				checked("padel.aragon.es", "/reservas/reserva-de-pista", "/sesion/comprobar?v=2")},
			{"https://radon.csic.es/mapas/mapa-2025", stays(),
				checked("radon.csic.es", "/mapas/mapa-2025", "/_cookie")},
		},
	}, {
		Does: "refreshes at once to another page of the site", Right: "a hop: moves there", Good: true,
		Cases: []Case{
			{"https://faros.gob.es/visitas/visita-antigua", moves("https://faros.gob.es/nuevo/visita-guiada"),
				refreshing("faros.gob.es", `<meta http-equiv="refresh" content="0; url=/nuevo/visita-guiada">`)},
			{"https://nieve.aragon.es/partes/parte-antiguo", moves("https://nieve.aragon.es/nuevo/parte-de-nieve"),
				refreshing("nieve.aragon.es", `<META CONTENT='0;URL="../nuevo/parte-de-nieve"' HTTP-EQUIV=Refresh>`)},
			{"https://olivar.jccm.es/ayudas/ayuda-antigua", moves("https://olivar.jccm.es/nuevo/ayuda-2026"),
				refreshing("olivar.jccm.es",
					`<meta http-equiv="refresh" content="0.5, https://olivar.jccm.es/nuevo/ayuda-2026">`)},
		},
	}, {
		Does: "sends a Refresh header", Right: "a hop: moves there", Good: true,
		Cases: []Case{
			{"https://sellos.correos.es/emisiones/emision-antigua",
				moves("https://sellos.correos.es/nuevo/emision-44"),
				all("sellos.correos.es", refreshHeader("0; url=/nuevo/emision-44"))},
			{"https://aulas.xunta.gal/es/cursos/curso-antiguo", moves("https://aulas.xunta.gal/nuevo/curso-4711"),
				all("aulas.xunta.gal", refreshHeader("0;URL='https://aulas.xunta.gal/nuevo/curso-4711'"))},
			{"https://trafico.dgt.es/permisos/permiso-antiguo", moves("https://trafico.dgt.es/nuevo/permiso-b96"),
				all("trafico.dgt.es", refreshHeader("0, /nuevo/permiso-b96"))},
		},
	}, {
		Does: "refreshes to a commercial site", Right: "rejected off-allowlist, as any hop; nobody asks there",
		Cases: []Case{
			{"https://ferias.gob.es/stands/stand-1200", rejected(canon.LeftAllowlist).unasked(shop + "/ofertas"),
				refreshing("ferias.gob.es", `<meta http-equiv="refresh" content="0; url=`+shop+`/ofertas">`)},
			{"https://cine.cantabria.es/sesiones/sesion-golfa", rejected(canon.LeftAllowlist).unasked(shop + "/cine"),
				refreshing("cine.cantabria.es", `<meta http-equiv="Refresh" content="0;url='//shop.example/cine'">`)},
			{"https://vinos.larioja.org/catas/cata-2026", rejected(canon.LeftAllowlist).unasked(shop + "/vinos"),
				all("vinos.larioja.org", refreshHeader("0; url="+shop+"/vinos"))},
		},
	}, {
		Does: "refreshes to a private address", Right: "rejected private-address; nobody asks there",
		Cases: []Case{
			{"https://camaras.dgt.es/camaras/camara-404", rejected(canon.PrivateAddress).unasked("http://127.0.0.1/"),
				refreshing("camaras.dgt.es", `<meta http-equiv="refresh" content="0; url=http://127.0.0.1/">`)},
			{"https://riegos.carm.es/turnos/turno-de-riego",
				rejected(canon.PrivateAddress).unasked("http://localhost/"),
				refreshing("riegos.carm.es", `<meta http-equiv="refresh" content="0; url=http://localhost/">`)},
			{"https://boyas.puertos.gob.es/datos/boya-1731",
				rejected(canon.PrivateAddress).unasked("http://2130706433/"),
				all("boyas.puertos.gob.es", refreshHeader("0; url=http://2130706433/"))},
		},
	}, {
		Does: "leads to a route of a script", Right: "flagged fragment-route, as an input with one",
		Cases: []Case{
			{"https://tramita.gob.es/consulta/expediente-55", route("https://tramita.gob.es/ciudadania/mi-carpeta"),
				leads("tramita.gob.es", 301, "/ciudadania/mi-carpeta#/tramite/55", ordinary)},
			{"https://carpeta.andalucia.es/consulta/expediente-56",
				route("https://carpeta.andalucia.es/app/vista-unica"),
				leads("carpeta.andalucia.es", 307, "/app/vista-unica#!/expediente", ordinary)},
			{"https://oposita.castillalamancha.es/procesos/proceso-77",
				route("https://oposita.castillalamancha.es/app/portal-de-empleo"),
				leads("oposita.castillalamancha.es", 302, "/app/portal-de-empleo#/proceso/77", ordinary)},
		},
	}}
}

// badAnswers are servers that do not answer, or not now.
func badAnswers() []Kind {
	return []Kind{{
		Does: "429, always, where the page answered before", Right: "put off: the verdict stays, no failure",
		Cases: []Case{
			{"https://cupos.gob.es/visados/visado-de-estudios", putOff(),
				one("cupos.gob.es", "/visados/visado-de-estudios", Gone(429))},
			{"https://limites.ine.es/datos/tabla-2852", putOff(),
				one("limites.ine.es", "/datos/tabla-2852", withStatus(429, procedure("Demasiadas peticiones")))},
			{"https://colas.sepe.es/prestaciones/prestacion-por-desempleo", putOff(),
				one("colas.sepe.es", "/prestaciones/prestacion-por-desempleo", RetryAfter(429, "7"))},
		},
	}, {
		Does:  "429, always, and the page never answered",
		Right: "put off: no failure and no flag; after three runs a person looks at it",
		Cases: []Case{
			{"https://turnos.gob.es/visados/visado-de-residencia", refused(0),
				one("turnos.gob.es", "/visados/visado-de-residencia", Gone(429))},
			{"https://consultas.ine.es/datos/tabla-3117", refused(1),
				one("consultas.ine.es", "/datos/tabla-3117", withStatus(429, procedure("Tabla 3117")))},
			{"https://demanda.sepe.es/prestaciones/renta-activa", refused(2),
				one("demanda.sepe.es", "/prestaciones/renta-activa", RetryAfter(429, "7"))},
			{"https://afluencia.dgt.es/permisos/canje-de-permiso", refused(0),
				one("afluencia.dgt.es", "/permisos/canje-de-permiso", RetryAfter(429, "86400"))},
			{"https://saturada.catastro.gob.es/certificados/certificado-descriptivo", refused(2),
				one("saturada.catastro.gob.es", "/certificados/certificado-descriptivo", RetryAfter(429, "86400"))},
			{"https://espera.dgt.es/permisos/duplicado-2841", refused(0),
				leads("espera.dgt.es", 301, "/permisos/duplicado-2842", Gone(429))},
		},
	}, {
		Does: "one page of the host breaks the connection", Right: "that page alone is unreachable",
		Cases: []Case{
			{"https://sellado.gob.es/tramites/sellado-que-falla", unreachable(""),
				one("sellado.gob.es", "/tramites/sellado-que-falla", Reset())},
			{"https://sellado.gob.es/tramites/sellado-que-va", stays(), nil},
			{"https://legado.ceuta.es/fondos/fondo-que-falla", unreachable(""),
				one("legado.ceuta.es", "/fondos/fondo-que-falla", Empty())},
			{"https://legado.ceuta.es/fondos/fondo-que-va", stays(), nil},
			{"https://censos.melilla.es/datos/dato-que-falla", unreachable(""),
				one("censos.melilla.es", "/datos/dato-que-falla", Garbage())},
			{"https://censos.melilla.es/datos/dato-que-va", stays(), nil},
		},
	}}
}
