package testnet

// goodPages are pages that only look bad.
func goodPages() []Kind {
	return []Kind{{
		Does: "a title with the words of an error page", Right: "accepted: a page", Good: true,
		Cases: []Case{
			{"https://empleo.cantabria.es/oposiciones/auxiliar-administrativo", stays(),
				all("empleo.cantabria.es", procedure("404 plazas de auxiliar administrativo"))},
			{"https://becas.aragon.es/convocatorias/becas-de-excelencia", stays(),
				all("becas.aragon.es", procedure("500 becas de excelencia para estudiantes"))},
			{"https://archivos.gob.es/busquedas/expediente-no-encontrado", stays(),
				all("archivos.gob.es", procedure("Expediente no encontrado: qué hacer"))},
		},
	}, {
		Does: "a cookie policy, asked for by name", Right: "accepted: a page", Good: true,
		Cases: []Case{
			{"https://legal.gob.es/aviso/politica-de-cookies", stays(),
				all("legal.gob.es", procedure("Política de cookies"))},
			{"https://webs.xunta.gal/es/aviso/politica-cookies-2026", stays(),
				all("webs.xunta.gal", procedure("Cookies"))},
			{"https://info.caib.es/es/legal/aviso-de-cookies", stays(),
				all("info.caib.es", procedure("Aviso de cookies"))},
		},
	}, {
		Does: "a page about logins, asked for by name", Right: "accepted: a page", Good: true,
		Cases: []Case{
			{"https://clave.gob.es/ayuda/iniciar-sesion-con-clave", stays(),
				all("clave.gob.es", procedure("Iniciar sesión con Cl@ve"))},
			{"https://ayuda.sepe.es/guias/acceso-con-certificado", stays(),
				all("ayuda.sepe.es", procedure("Acceso con certificado electrónico"))},
			{"https://egov.valencia.es/es/guias/login-de-empresas", stays(),
				all("egov.valencia.es", procedure("Login de empresas: guía"))},
		},
	}, {
		Does: "maintenance of something else than the site", Right: "accepted: a page", Good: true,
		Cases: []Case{
			{"https://jardines.malaga.eu/servicios/cuidado-de-parques", stays(),
				all("jardines.malaga.eu", procedure("Mantenimiento de parques y jardines"))},
			{"https://industria.jccm.es/inspecciones/ascensores-2026", stays(),
				all("industria.jccm.es", procedure("Mantenimiento de ascensores: inspección"))},
			{"https://camins.gva.es/es/obras/caminos-rurales", stays(),
				all("camins.gva.es", procedure("Conservación y mantenimiento de caminos rurales"))},
		},
	}, {
		Does: "the title of an error page above a long text", Right: "accepted: a page", Good: true,
		Cases: []Case{
			{"https://formacion.gob.es/glosario/codigo-404", stays(),
				all("formacion.gob.es", longer(procedure("Error 404")))},
			{"https://guia.navarra.es/es/ayuda/mensajes-frecuentes", stays(),
				all("guia.navarra.es", longer(procedure("Página no encontrada")))},
			{"https://manual.extremadura.es/ayuda/avisos-del-portal", stays(),
				all("manual.extremadura.es", longer(procedure("Sitio en mantenimiento")))},
		},
	}, {
		Does: "the title of an error page, and text that goes on with it", Right: "accepted: a page", Good: true,
		Cases: []Case{
			{"https://recursos.gob.es/extranjeria/recurso-4120", stays(),
				all("recursos.gob.es", procedure("Acceso denegado – recurso de alzada"))},
			{"https://registro.carm.es/ayuda/baja-4121", stays(),
				all("registro.carm.es", procedure("Página no encontrada en el registro: qué hacer"))},
			{"https://ajuda.caib.es/es/tramits/baja-4122", stays(),
				all("ajuda.caib.es", procedure("Sesión caducada - cómo recuperar la solicitud"))},
		},
	}, {
		Does: "scripts draw the procedure into an empty page", Right: "accepted", Good: true,
		Cases: []Case{
			{"https://oficinas.gob.es/citas/cita-previa-4", stays(), drawn("oficinas.gob.es", procedure("Cita previa"))},
			{"https://oposiciones.gva.es/es/ofertas/oferta-404", stays(),
				drawn("oposiciones.gva.es", procedure("404 plazas de auxiliar"))},
			{"https://reservas.madrid.es/aulas/reserva-de-aulas", stays(),
				drawn("reservas.madrid.es", procedure("Reserva de aulas"))},
		},
	}, {
		Does: "a refresh that nobody follows", Right: "a page; no hop", Good: true,
		Cases: []Case{
			{"https://mareas.puertos.gob.es/tablas/tabla-2026", stays(),
				all("mareas.puertos.gob.es", unscripted)},
			{"https://avisos.aemet.es/avisos/aviso-costero", stays(),
				one("avisos.aemet.es", "/avisos/aviso-costero", ordinary.refreshes("0; url=/avisos/aviso-costero"))},
			{"https://vuelos.aena.es/llegadas/llegadas-de-hoy", stays(),
				all("vuelos.aena.es", ordinary.refreshes("300; url=/otra"))},
			{"https://noticias.ceuta.es/avisos/aviso-de-traslado", stays(),
				all("noticias.ceuta.es", longer(ordinary.refreshes("5; url=/otra")))},
		},
	}, {
		Does: "a scanned PDF without text", Right: "accepted: no no-content", Good: true,
		Cases: []Case{
			{"https://bop.cantabria.es/boletines/bop-1987.pdf", stays(),
				all("bop.cantabria.es", Data("application/pdf", PDF("", 3)))},
			{"https://planos.zaragoza.es/urbanismo/plano-12.pdf", stays(),
				all("planos.zaragoza.es", Data("application/pdf", PDF("Plano", 1)))},
			{"https://hemeroteca.csic.es/fondos/revista-1911", stays(),
				all("hemeroteca.csic.es", Data("application/pdf", PDF("", 12)))},
		},
	}, {
		Does: "a PDF or JSON with the title of an error page", Right: "accepted: never judged so", Good: true,
		Cases: []Case{
			{"https://manuales.ine.es/metodos/codigos.pdf", stays(),
				all("manuales.ine.es", Data("application/pdf", PDFText("Error 404", "El error 404.")))},
			{"https://datos.gob.es/catalogo/conjunto-404", stays(),
				all("datos.gob.es", Data("application/json", []byte(`{"title": "Página no encontrada", "id": 404}`)))},
			{"https://abierto.bilbao.eus/datos/registro-500", stays(),
				all("abierto.bilbao.eus", Data("application/pdf", PDFText("Sitio en mantenimiento", "Obras.")))},
		},
	}, {
		Does: "trouble once, then the page", Right: "accepted", Good: true,
		Cases: []Case{
			{"https://picos.gob.es/ayudas/ayuda-al-transporte", stays(),
				one("picos.gob.es", "/ayudas/ayuda-al-transporte", Sequence(RetryAfter(429, "3"), ordinary))},
			{"https://cola.correos.es/envios/envio-certificado", stays(),
				one("cola.correos.es", "/envios/envio-certificado", Sequence(Gone(503), ordinary))},
			{"https://corte.seg-social.es/informes/informe-de-bases", stays(),
				one("corte.seg-social.es", "/informes/informe-de-bases", Sequence(Reset(), ordinary))},
		},
	}, {
		Does: "cookies and logins beside the page", Right: "accepted", Good: true,
		Cases: []Case{
			{"https://recetas.gob.es/alimentos/cookies-de-avena", stays(),
				all("recetas.gob.es", procedure("Cookies de avena"))},
			{"https://museos.madrid.org/entradas/entrada-gratuita", stays(),
				all("museos.madrid.org",
					ordinary.with("<div id=\"cookies\"><h2>Aviso de cookies</h2><p>Usamos cookies.</p></div>\n"))},
			{"https://sede.dgt.es/permisos/permiso-internacional", stays(),
				all("sede.dgt.es",
					longer(ordinary.with(signIn.Body)))},
		},
	}}
}

// unscripted is a page that leads clients without scripts elsewhere.
var unscripted = Page{Lang: "es", Title: "Tabla de mareas",
	Head: `<noscript><meta http-equiv="refresh" content="0; url=/sin-script"></noscript>` + "\n"}
