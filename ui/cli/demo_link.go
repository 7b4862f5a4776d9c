package cli

import (
	"context"
	"fmt"
	"time"

	"visto/review"
	"visto/review/health"
	"visto/review/probe/extract"
	"visto/store/sqlite"
)

// sampleLink is a sample whose link was checked once a night.
type sampleLink struct {
	url      string
	approved bool // before the first check
	nights   []sampleNights
}

// sampleNights is a run of equal checks, up to the next one or the last night.
type sampleNights struct {
	ago    int // nights before the last one, of the first check
	status int // 0: there was no answer in time
	page   health.Page
	text   string
	ends   int // days until the certificate ends, from the last night; 0: not told
}

// sampleAge is the age of the demo's input, of the approvals before the checks, and of the first check.
const sampleAge, sampleNight = 45 * 24 * time.Hour, 24 * time.Hour

const (
	grantBefore = "Becas de carácter general para estudiantes universitarios.\n\n" +
		"La cuantía fija ligada a la renta es de 1.700 euros y la de residencia de 2.500 euros.\n\n" +
		"El plazo de solicitud termina el 15 de mayo."
	grantAfter = "Becas de carácter general para estudiantes universitarios.\n\n" +
		"La cuantía fija ligada a la renta es de 1.700 euros y la de residencia de 2.700 euros.\n\n" +
		"Las solicitudes de quienes vivan fuera del domicilio familiar llevan el contrato de alquiler.\n\n" +
		"El plazo de solicitud termina el 14 de mayo."
)

// sampleLinks are the samples whose links were checked: one for each flag of a link, and one that is all right.
var sampleLinks = []sampleLink{
	{url: "https://sede.dgt.gob.es/es/vehiculos/informe-de-vehiculo/index.shtml", approved: true,
		nights: []sampleNights{{ago: 40, status: 200, text: "Informe de un vehículo"}, {ago: 9, status: 404}}},
	{url: "https://sede.dgt.gob.es/es/permisos-de-conducir/canje-de-permisos", approved: true,
		nights: []sampleNights{{ago: 40, status: 200, text: "Canje de permisos"}, {ago: 18, status: 503},
			{ago: 17, status: 200, text: "Canje de permisos"}, {ago: 3, status: 0}}},
	{url: "https://www.becaseducacion.gob.es/becas-y-ayudas/general/universidad.html", nights: []sampleNights{
		{ago: 35, status: 200, page: health.Page{Title: "Becas para la universidad 2025-26"}, text: grantBefore},
		{ago: 2, status: 200, page: health.Page{Title: "Becas para la universidad 2026-27"}, text: grantAfter}}},
	{url: "http://www.sepe.es/HomeSepe/Personas/distributiva-prestaciones/quiero-cobrar-paro.html?utm_source=boletin" +
		"&utm_campaign=enero",
		nights: []sampleNights{{ago: 30, status: 200, text: "He dejado de trabajar"}, {ago: 5, status: 200,
			page: health.Page{Hops: []string{"https://www.sepe.es/HomeSepe/prestaciones/he-dejado-de-trabajar.html"}},
			text: "He dejado de trabajar"}}},
	{url: "https://www.comunidad.madrid/servicios/salud/tarjeta-sanitaria", nights: []sampleNights{
		{ago: 30, status: 200, text: "Tarjeta sanitaria", ends: 11}}},
	{url: "https://universidades.sede.gob.es/pagina/index/directorio/Equivalencia_y_Homologacion",
		nights: []sampleNights{{ago: 30, status: 200, text: "Equivalencia y homologación"}, {ago: 1, status: 200,
			page: health.Page{Canonical: "https://universidades.sede.gob.es/procedimientos/homologacion-de-titulos"},
			text: "Equivalencia y homologación"}}},
	{url: "https://sede.agenciatributaria.gob.es/Sede/declaraciones-informativas/modelo-303.html",
		nights: []sampleNights{{ago: 40, status: 200, text: "Modelo 303", ends: 200}, {ago: 22, status: 429},
			{ago: 21, status: 200, text: "Modelo 303"}}},
}

// approveLinks approves the samples that were approved before their links were checked.
func approveLinks(ctx context.Context, desk *review.Desk) error {
	var targets []review.Target
	for _, s := range sampleLinks {
		if s.approved {
			it, err := findOne(ctx, desk, s.url)
			if err != nil {
				return err
			}
			targets = append(targets, review.Target{ID: it.ID})
		}
	}
	_, err := desk.Decide(ctx, review.Choice{Kind: review.Approve}, targets...)
	return err
}

// checkLinks writes the histories of the samples. Their last check was in the night before now.
func checkLinks(ctx context.Context, store *sqlite.Store, desk *review.Desk, now time.Time) error {
	last := now.UTC().Truncate(sampleNight).Add(3*time.Hour - sampleNight)
	for i := range sampleLinks {
		s := &sampleLinks[i]
		it, err := findOne(ctx, desk, s.url)
		if err != nil {
			return err
		}
		var batch int64
		if it.Decision != nil {
			batch = it.Decision.Batch
		}
		settings := health.SettingsOf(desk.Policy())
		evidence := review.ItemEvidence{ID: it.ID, Link: &health.Record{}}
		for _, o := range s.checks(last) {
			evidence.Link.Add(o, batch, settings)
		}
		for _, n := range s.nights {
			if n.text != "" {
				evidence.Content = &extract.Document{Title: n.page.Title, Text: n.text}
			}
			if err := store.KeepChecks(ctx, []review.ItemEvidence{evidence}); err != nil {
				return fmt.Errorf("the checks of %s: %w", s.url, err)
			}
		}
	}
	return nil
}

// checks returns the checks of a sample, one each night up to the last.
func (s *sampleLink) checks(last time.Time) (list []health.Observation) {
	for i, n := range s.nights {
		until := -1
		if i+1 < len(s.nights) {
			until = s.nights[i+1].ago
		}
		for ago := n.ago; ago > until; ago-- {
			list = append(list, n.check(last, ago))
		}
	}
	return list
}

func (n *sampleNights) check(last time.Time, ago int) health.Observation {
	c := health.Check{At: last.Add(-time.Duration(ago) * sampleNight), Status: n.status,
		Outcome: health.OutcomeOf(n.status), Took: time.Duration(120+ago*7%90) * time.Millisecond}
	if n.ends > 0 {
		c.Certificate = last.Add(time.Duration(n.ends) * sampleNight)
	}
	if n.status == 0 {
		c.Error, c.Took = "dialling: no answer in time", 0
	}
	if c.Outcome != health.Answered {
		return health.Observation{Check: c}
	}
	page := n.page
	page.Sketch = health.SketchOf(page.Title, n.text)
	return health.Observation{Check: c, Page: &page}
}
