package storetest

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"visto/review"
	"visto/review/read"
)

// Corpus yields n different URLs for review.Desk.Add, like those of a crawl of government sites. About half of them
// become flagged, with one flag or several, and one in a hundred is rejected. The same seed gives the same URLs. They
// come in twelve files. One URL in ten is on BigHost; the others are on about n/50 hosts of very different size, and
// follow each other host by host.
func Corpus(seed uint64, n int) func(yield func(review.Found) error) error {
	return func(yield func(review.Found) error) error {
		c := corpus{Rand: rand.New(rand.NewPCG(seed, 0)), hosts: max(1, n/50)}
		for i := range n {
			if err := yield(c.found(i, n)); err != nil {
				return err
			}
		}
		return nil
	}
}

// Crawl yields n URLs like Corpus, in the order of a crawl of many sites: their hosts are Zipf-distributed, with the
// exponent 1.1 over n/3 hosts, and change with every URL. One URL in twenty came before.
func Crawl(seed uint64, n int) func(yield func(review.Found) error) error {
	return func(yield func(review.Found) error) error {
		c := corpus{Rand: rand.New(rand.NewPCG(seed, 1))}
		c.zipf = rand.NewZipf(c.Rand, 1.1, 1, uint64(max(1, n/3)))
		earlier := make([]review.Found, 0, 1000)
		for i := range n {
			f := c.found(i, n)
			if i%20 == 19 {
				f.URL = earlier[c.IntN(len(earlier))].URL
			}
			if len(earlier) < cap(earlier) {
				earlier = append(earlier, f)
			} else {
				earlier[c.IntN(len(earlier))] = f
			}
			if err := yield(f); err != nil {
				return err
			}
		}
		return nil
	}
}

// BigHost is the host of one tenth of Corpus.
const BigHost = "sede.grande.gob.es"

// corpus generates the URLs of Corpus in their order.
type corpus struct {
	*rand.Rand
	hosts int
	host  string     // of the next URLs
	left  int        // URLs that are still to come on host
	zipf  *rand.Zipf // of the numbers of the hosts of Crawl
}

var (
	corpusWords = [...]string{
		"tramites", "ayudas", "padron", "solicitud", "empadronamiento", "certificado", "licencia-de-obras", "sede",
		"catalogo", "procedimiento", "detalle", "ciudadania", "empresas", "tributos", "vivienda", "cita-previa",
		"registro", "nacimiento", "subvenciones", "becas", "comedor", "transporte", "dependencia", "discapacidad",
		"jubilacion", "oposiciones", "contratacion", "medio-ambiente", "urbanismo", "cultura", "deportes", "juventud",
		"igualdad", "consumo", "sanidad", "educacion",
	}
	corpusParams = [...]string{
		"plaza", "convocatoria", "mode", "view", "idNoticia", "op", "cod", "idTramite", "anio", "idioma_id",
		"APP_CODE", "PAGE_CODE", "tab", "orden", "modelo", "area", "clase", "v", "ambito", "c",
	}
	corpusFields    = [...]string{"url", "url", "portal_url", "sede_url", "fuente_url", "source_urls"}
	corpusLanguages = [...]string{"ca", "eu", "gl", "en"}
)

// corpusForms are the forms of a URL, each with its share in percent. page is the path of a page; i makes each URL
// unique.
var corpusForms = []struct {
	percent int
	url     func(c *corpus, host, page string, i int) string
}{
	{35, func(_ *corpus, host, page string, i int) string { return fmt.Sprintf("https://%s%s-%d", host, page, i) }},
	{6, func(_ *corpus, host, page string, i int) string {
		return fmt.Sprintf("http://www.%s%s/%d/?utm_source=boletin&utm_medium=email", host, page, i)
	}},
	{8, func(_ *corpus, host, page string, i int) string {
		return fmt.Sprintf("https://%s%s?id=%d", host, page, i)
	}},
	{24, func(c *corpus, host, page string, i int) string {
		return fmt.Sprintf("https://%s%s?%s=%d", host, page, c.of(corpusParams[:]), i)
	}},
	{7, func(c *corpus, host, page string, i int) string {
		return fmt.Sprintf("https://%s%s?%s=%d&%s=%d", host, page, corpusParams[i%8], i, c.of(corpusParams[8:]),
			c.IntN(50))
	}},
	{8, func(c *corpus, host, page string, i int) string {
		return fmt.Sprintf("https://%s/%s%s/%d", host, c.of(corpusLanguages[:]), page, i)
	}},
	{3, func(_ *corpus, host, page string, i int) string {
		return fmt.Sprintf("https://%s/#!%s/%d", host, page, i)
	}},
	{3, func(_ *corpus, host, page string, i int) string {
		return fmt.Sprintf("https://%s%s/tr%%E1mite-%d", host, page, i)
	}},
	{3, func(_ *corpus, host, page string, i int) string {
		return fmt.Sprintf("https://%s:8443%s/%d", host, page, i)
	}},
	{2, func(_ *corpus, host, _ string, i int) string { return fmt.Sprintf("https://%s/inicio/?id=%d", host, i) }},
	{1, func(_ *corpus, _, page string, i int) string { return fmt.Sprintf("http://10.0.0.1%s/%d", page, i) }},
}

func (c *corpus) of(list []string) string { return list[c.IntN(len(list))] }

func (c *corpus) found(i, n int) review.Found {
	file := i * 12 / n
	page := "/" + c.of(corpusWords[:]) + "/" + c.of(corpusWords[:]) + "/" + c.of(corpusWords[:])
	f := review.Found{URL: c.url(page, i), Place: read.Place{File: "crawl-" + strconv.Itoa(file+1) + ".jsonl",
		Field: corpusFields[file%len(corpusFields)], Line: i + 1}}
	if c.IntN(3) == 0 {
		f.Title = "Trámite de " + c.of(corpusWords[:]) + " y " + c.of(corpusWords[:]) + ": información"
	}
	return f
}

func (c *corpus) url(page string, i int) string {
	host := c.nextHost()
	if i%10 == 9 && c.zipf == nil {
		host = BigHost
	}
	roll := c.IntN(100)
	for _, form := range corpusForms {
		if roll -= form.percent; roll < 0 {
			return form.url(c, host, page, i)
		}
	}
	panic("the shares of the forms do not add up to 100")
}

// nextHost returns the same host a few times. The lower a host's number, the more often it comes.
func (c *corpus) nextHost() string {
	if c.zipf != nil {
		return fmt.Sprintf("ayto%d.gob.es", c.zipf.Uint64())
	}
	if c.left--; c.left < 0 {
		c.host = fmt.Sprintf("ayto%d.gob.es", int(float64(c.hosts)*c.Float64()*c.Float64()))
		c.left = c.IntN(40)
	}
	return c.host
}
