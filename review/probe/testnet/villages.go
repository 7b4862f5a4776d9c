package testnet

import (
	"fmt"
	"net/http"
	"strings"
)

// Village is a small town with one record that cites its home page. The rivals of the right page are news, a closed
// call and a section page, which have more words of the record than it has.
type Village struct {
	Site    Site
	Record  TownRecord
	Allowed bool // its host is on the allowlist of the policy clara
}

// villageLayout is the places of the pages of a village, as its content management has them. %s is the name of a page.
type villageLayout struct{ procedure, news, closed, section string }

// villageLayouts are how villages are built. Two are built in the same way: one on the allowlist, and one off it.
var villageLayouts = []villageLayout{
	{"/tramites-municipales/%s", "/2026/01/20/%s", "/convocatorias-cerradas/%s", "/areas-municipales/%s"},
	{"/web/guest/w/%s", "/web/guest/novedades/%s", "/web/guest/historico-de-ayudas/%s", "/web/guest/temas/%s"},
	{"/sede/catalogo/%s", "/comunicacion/notas/%s", "/sede/convocatorias/finalizadas/%s", "/ciudadania/%s"},
	{"/es/servicios/detalle/%s", "/es/sala-de-prensa/%s", "/es/convocatorias/resueltas/%s", "/es/vivir-aqui/%s"},
	{"/index.php/gestiones/%s", "/index.php/ultimas-noticias/%s", "/index.php/archivo/%s", "/index.php/servicios/%s"},
	{"/atencion/%s", "/blog-municipal/%s", "/subvenciones/anteriores/%s", "/concejalias/%s"},
	{"/procedimientos/ficha/%s", "/actualidad/%s", "/ayudas/plazo-finalizado/%s", "/materias/%s"},
	{"/portal/oficina/%s", "/portal/hoy/%s", "/portal/tablon/%s", "/portal/areas/%s"},
}

// villageTasks are what the records want: the name of the record, its keywords, the title of the right page, and the
// title of the section page.
var villageTasks = [][4]string{
	{"Ayuda para pagar el alquiler", "subvención alquiler, vivienda joven", "Subvención al arrendamiento de vivienda",
		"Vivienda: ayudas para pagar el alquiler, rehabilitar y comprar"},
	{"Licencia para tener un perro peligroso", "perros, animales peligrosos",
		"Tenencia de animales potencialmente peligrosos", "Animales: licencia para perro, censo y adopción"},
	{"Beca de comedor escolar", "comedor, colegio, becas", "Solicitud de comedor escolar",
		"Educación: beca de comedor, beca de libros y matrícula escolar"},
	{"Inscripción en la escuela de música", "música, matrícula", "Matrícula en enseñanzas de música",
		"Cultura: escuela de música, inscripción en talleres y biblioteca"},
	{"Permiso para poner una terraza", "mesas y sillas, vía pública",
		"Ocupación de la vía pública con mesas y sillas", "Comercio: permiso para terraza, mercadillo y apertura"},
	{"Bono para el taxi de personas con discapacidad", "bonotaxi, discapacidad", "Bonotaxi para la movilidad reducida",
		"Movilidad: bono de taxi, tarjeta para personas con discapacidad y autobús"},
	{"Ayuda a domicilio para mayores", "dependencia, cuidados, mayores", "Servicio de ayuda a domicilio",
		"Mayores: ayuda a domicilio, teleasistencia y centros para mayores"},
	{"Subvención para placas solares", "energía solar, autoconsumo, IBI",
		"Bonificación por autoconsumo con energía solar",
		"Energía: subvención para placas solares, punto de recarga y ahorro"},
}

// villageOthers are the other procedures of every village.
var villageOthers = []string{"Alta en el padrón de habitantes", "Licencia de obra menor", "Pago de tributos en plazos",
	"Cambio de titular del agua", "Recogida de muebles viejos", "Reserva de pista deportiva", "Quejas y sugerencias",
	"Certificado de bienes", "Matrimonio civil", "Tarjeta de aparcamiento", "Sepulturas del cementerio",
	"Vado permanente"}

// Villages returns sixteen small towns. Each call makes new sites.
func Villages() (list []Village) {
	for i, task := range villageTasks {
		for j, name := range []string{"villanueva-%d.gob.es", "www.aytovillavieja%d.es"} {
			layout := villageLayouts[(i+3*j)%len(villageLayouts)]
			v := Village{Site: Site{Host: fmt.Sprintf(name, i+1), About: "a village"}, Allowed: j == 0}
			v.build(layout, task)
			list = append(list, v)
		}
	}
	return list
}

// build makes the pages and the record.
func (v *Village) build(at villageLayout, task [4]string) {
	name, title, topic := task[0], task[2], task[3]
	right := fmt.Sprintf(at.procedure, slug(title))
	section := fmt.Sprintf(at.section, slug(strings.SplitN(topic, ":", 2)[0]))
	all := map[string]http.Handler{
		right: villagePage(title, "<p>El ayuntamiento la concede a quien reside en el municipio.</p>"+villageSteps),
		fmt.Sprintf(at.news, slug("abierto el plazo "+name)): villagePage("Abierto el plazo: "+name,
			"<p>20 de enero de 2026. El alcalde ha presentado: "+name+". "+name+
				" ya se puede pedir, según la concejala.</p>"),
		fmt.Sprintf(at.closed, slug(name)): villagePage(name,
			"<p>Estado: cerrada. El plazo terminó el 31 de marzo. "+name+".</p>"+villageSteps),
	}
	links := []string{fmt.Sprintf(at.closed, slug(name)), name, right, title}
	for i, other := range villageOthers {
		path := fmt.Sprintf(at.procedure, slug(other))
		all[path] = villagePage(other, "<p>El ayuntamiento lo tramita.</p>"+villageSteps)
		if i < 4 {
			links = append(links, path, other)
		}
	}
	all[section] = villagePage(topic, villageTeasers(name, links))
	news := fmt.Sprintf(at.news, slug("abierto el plazo "+name))
	portal := []string{section, topic, news, "Abierto el plazo: " + name}
	all["/"] = villagePage("Ayuntamiento", villageTeasers("", portal))
	v.Site.Pages = all
	v.Record = TownRecord{ID: slug(name), Name: name, Keywords: strings.Split(task[1], ", "),
		Cites: "https://" + v.Site.Host, Truth: "https://" + v.Site.Host + right}
}

func villagePage(title, body string) Page {
	return Page{Lang: "es", Title: title, Body: "<main>" + body + "</main>\n"}
}

// villageTeasers are links with a sentence about each.
func villageTeasers(about string, pathsAndTexts []string) string {
	var b strings.Builder
	for i := 0; i < len(pathsAndTexts); i += 2 {
		fmt.Fprintf(&b, "<h2><a href=%q>%s</a></h2>\n<p>%s. Aquí se explica a quién se dirige, dónde se pide y cuánto "+
			"tarda, con los teléfonos del área y el horario de la oficina.</p>\n",
			pathsAndTexts[i], pathsAndTexts[i+1], about)
	}
	return b.String()
}

const villageSteps = `<h2>Requisitos</h2><p>Residir en el municipio y estar al corriente de los pagos.</p>
<h2>Documentación</h2><p>El impreso firmado y el documento de identidad.</p>
<h2>Dónde se presenta</h2><p>En el registro o en la sede electrónica.</p>`

// slug returns a text as the name of a page.
func slug(text string) string {
	plain := strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ñ", "n", ":", "", ",", "", " ", "-")
	return plain.Replace(strings.ToLower(text))
}
