package storetest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"visto/review/probe/extract"
)

// Pages returns the contents of n pages like those of Spanish government sites, with 100 to 10,000 words and 20 to 120
// links. Three in ten are equal to an earlier one. The same seed gives the same contents.
func Pages(seed uint64, n int) []*extract.Document {
	w := writer{Rand: rand.New(rand.NewPCG(seed, 2))}
	w.zipf = rand.NewZipf(w.Rand, 1.05, 3, uint64(len(pageWords)-1))
	list := make([]*extract.Document, n)
	for i := range list {
		if i%10 >= 7 {
			list[i] = list[w.IntN(i)]
		} else {
			list[i] = w.page(i)
		}
	}
	return list
}

// writer writes sentences of words whose shares are as in a language: the word of rank r has about 1/r.
type writer struct {
	*rand.Rand
	zipf *rand.Zipf
}

// pageWords are words of such pages, the frequent ones first.
var pageWords = strings.Fields(`de la en el y a los que del las se para por con una un o su al no es como
	solicitud ayuda plazo documentación persona trámite electrónica sede ser sobre este esta podrá deberá caso más
	ayuntamiento servicio municipal inscripción padrón certificado información vivienda familia fecha mes año días
	hábiles presentación requisitos importe tasa resolución convocatoria bases artículo ley real decreto ordenanza
	interesado solicitante titular representante domicilio empadronamiento residencia alta baja cambio registro general
	oficina atención ciudadanía cita previa teléfono correo presencial identificación DNI NIE pasaporte extranjería
	permiso trabajo empleo desempleo prestación subvención beca comedor escolar transporte alumnado centro educativo
	curso matrícula menores mayores discapacidad dependencia grado reconocimiento valoración pensión jubilación
	viudedad orfandad incapacidad cotización seguridad social hacienda impuesto bienes inmuebles vehículos recibo
	domiciliación bancaria pago fraccionamiento aplazamiento recurso reposición alzada contencioso silencio
	administrativo positivo negativo notificación publicación boletín oficial provincia comunidad autónoma estado
	europea unión fondos proyecto obra licencia urbanística apertura actividad comercio hostelería terraza vado
	ocupación vía pública residuos recogida limpieza agua alcantarillado alumbrado parque jardín deporte instalación
	piscina polideportivo biblioteca cultura museo fiesta turismo juventud igualdad violencia género voluntariado
	asociación entidad participación presupuesto contratación licitación pliego transparencia datos protección
	consentimiento responsable tratamiento derechos acceso rectificación supresión oposición portabilidad
	hasta desde entre sin ante bajo cuando donde quien cuyo siempre también además mediante través conforme según
	previsto establecido vigente aplicable correspondiente acreditativa original copia fotocopia compulsada firmada
	impreso modelo formulario anexo declaración responsable jurada autorización poder notarial libro escritura
	contrato arrendamiento propiedad factura presupuesto justificante ingreso transferencia cuenta titularidad`)

func (w *writer) page(i int) *extract.Document {
	var text strings.Builder
	words := 100 + int(w.ExpFloat64()*700)
	for n := 0; n < min(words, 10_000); {
		if w.IntN(4) == 0 {
			fmt.Fprintf(&text, "## %s\n\n", w.sentence(2+w.IntN(4)))
		}
		sign, many := "", 1+w.IntN(5)
		if w.IntN(3) == 0 {
			sign = "- "
		}
		for range many {
			length := 6 + w.IntN(25)
			n += length
			fmt.Fprintf(&text, "%s%s.", sign, w.sentence(length))
			text.WriteString(map[bool]string{true: "\n", false: " "}[sign != ""])
		}
		text.WriteString("\n")
	}
	return &extract.Document{Title: fmt.Sprintf("%s (%d)", w.sentence(3+w.IntN(5)), i), Language: "es",
		Links: w.links(fmt.Sprintf("https://sede.ayto%d.es", i/20)), Text: text.String()}
}

func (w *writer) links(site string) []extract.Link {
	list := make([]extract.Link, 20+w.IntN(101))
	for i := range list {
		name := w.sentence(1 + w.IntN(7))
		path := strings.ToLower(strings.ReplaceAll(name, " ", "-"))
		list[i] = extract.Link{URL: fmt.Sprintf("%s/sede/tramites/%s/%d", site, path, w.IntN(1000)), Text: name,
			Main: w.IntN(4) == 0}
	}
	return list
}

// sentence returns n words, with a number or a date now and then.
func (w *writer) sentence(n int) string {
	list := make([]string, n)
	for i := range list {
		switch list[i] = pageWords[w.zipf.Uint64()]; w.IntN(40) {
		case 0:
			list[i] = fmt.Sprint(w.IntN(3000))
		case 1:
			list[i] = fmt.Sprintf("%d/%02d/%d", 1+w.IntN(28), 1+w.IntN(12), 2015+w.IntN(12))
		}
	}
	text := strings.Join(list, " ")
	return strings.ToUpper(text[:1]) + text[1:]
}
