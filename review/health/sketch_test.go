package health_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"visto/review/health"
)

// TestSketchIsSmall: a sketch is stored twice for each of a million URLs.
func TestSketchIsSmall(t *testing.T) {
	for _, text := range []string{"una palabra", strings.Repeat("muchas palabras y un importe de 30 euros\n", 5000)} {
		if n := len(health.SketchOf("Título", text)); n == 0 || n > 300 {
			t.Errorf("%d bytes for a text of %d", n, len(text))
		}
	}
}

// TestLongLists makes sketches of long lines of numbers. With work that grows by the square of their length it would
// not come to its end.
func TestLongLists(t *testing.T) {
	for _, item := range []string{"7 ", "777 ", "7 de ", "mil ", "30 euros "} {
		if s := health.SketchOf("Sorteo", strings.Repeat(item, 250_000/len(item))); len(s) == 0 {
			t.Errorf("%q: there is no sketch", item)
		}
	}
}

// TestSketchIsStable: sketches are stored, so they must be the same in every process and on every machine. Those
// without the numbers that name something are older.
func TestSketchIsStable(t *testing.T) {
	s := health.SketchOf("Bono de alquiler", "250 euros al mes. Plazo: del 1 al 31 de marzo de 2025")
	for size, want := range map[int]string{269: "bac1e5a025130f87", 273: "24c501fa29b6efad"} {
		sum := sha256.Sum256(s[:size])
		if got := hex.EncodeToString(sum[:8]); got != want {
			t.Errorf("%d bytes: %s, want %s: a new form needs a new sketchVersion", size, got, want)
		}
	}
}

// TestSketchNames checks that a sketch tells pages apart by the number of a form, which is no change of one page. The
// sketches that were stored before they did so compare as ever.
func TestSketchNames(t *testing.T) {
	const text = "Impreso normalizado EX-%d. Se presenta en la oficina de registro, con el documento de identidad."
	a, b := health.SketchOf("Impresos", strings.Replace(text, "%d", "10", 1)), health.SketchOf("Impresos",
		strings.Replace(text, "%d", "11", 1))
	if bytes.Equal(a, b) {
		t.Error("the sketches of two forms are the same")
	}
	for _, other := range []health.Sketch{b, b[:len(b)-4]} {
		if d := health.Compare(a, other); d.Similarity != 1 || d.Substantial(1) {
			t.Errorf("%+v", d)
		}
	}
}

func TestCompareWithoutText(t *testing.T) {
	page := health.SketchOf("Tasa", "La tasa cuesta 30 euros.")
	signs, other := health.SketchOf("Tasa", " \n--\n"), bytes.Repeat([]byte{9}, len(page))
	for _, empty := range []health.Sketch{nil, {}, {1}, other, signs} {
		for _, d := range []health.Difference{health.Compare(page, empty), health.Compare(empty, page)} {
			if !d.None || d.Substantial(1) {
				t.Errorf("%v with %v", d, empty)
			}
		}
	}
}

// TestDifference: which of two pages of one line differ, and by which sign.
func TestDifference(t *testing.T) {
	const filler = "La ayuda se pide en la oficina de la plaza con los papeles que allí se dicen a cada persona.\n\n"
	for _, test := range []struct{ name, before, after, want string }{
		{"case and accents", "Trámite GRATUITO", "tramite gratuito", ""},
		{"form of an amount", "Son 1.200,50 € al mes", "Son 1200,5 euros al mes", ""},
		{"amount", "Son 1.200,50 € al mes", "Son 1.200,60 € al mes", "figures"},
		{"numeral", "El plazo es de veinte días", "El plazo es de diez días", "figures"},
		{"numeral and number", "El plazo es de treinta y cinco días", "El plazo es de 35 días", ""},
		{"years of a requirement", "Titular desde hace cinco años", "Titular desde hace tres años", "figures"},
		{"time ago", "Visto hace 5 horas", "Visto hace 2 días", ""},
		{"law", "Según la Ley 39/2015, artículo 14", "Según la Ley 40/2015, artículo 15", ""},
		{"telephone", "Llame al 900 123 456", "Llame al 900 654 321", ""},
		{"hours", "Abierto de lunes a viernes, de 9 a 14 h", "Abierto de lunes a viernes, de 8:30 a 15 h", ""},
		{"date of news", "El 3 de marzo se inauguró", "El 4 de marzo se inauguró", ""},
		{"term", "Puede pedirse hasta el 3 de marzo", "Puede pedirse hasta el 4 de marzo", "figures"},
		{"term by its heading", "## Plazo\n\n3 de marzo de 2025", "## Plazo\n\n4 de marzo de 2025", "figures"},
		{"term and update", "Publicado el 1/2/2025. Plazo hasta el 3/3/2025",
			"Publicado el 2/2/2025. Plazo hasta el 3/3/2025", ""},
		{"form of a term", "Hasta el 03/03/2025", "Hasta el 3 de marzo de 2025", ""},
		{"counter with a blank", "1 234 visitas", "1 235 visitas", ""},
		{"address of a link", "[Impreso](https://a.example/x?sid=1(2))", "[Impreso](https://b.example/)", ""},
		{"picture", "![Logo nuevo](/a.png) Impreso", "Impreso", ""},
		{"survey that is handed in", "", "Encuesta de satisfacción firmada por el alumnado", "text"},
		{"app to sign with", "", "La aplicación se descarga de la sede y hay que firmar con Autofirma", "text"},
		{"labelled", "", "Importante: no se admiten copias sin compulsar", "text"},
		{"welcome", "", "Presente el certificado en la nueva oficina de bienvenida", "text"},
		{"language", "", "La comunicación se hará en castellano o gallego según esté disponible", "text"},
		{"payment", "", "El pago se hace por la web; el sistema no funciona con tarjetas de otros bancos los domingos",
			"text"},
		{"payment that does not work", "", "El pago en la web no funciona. Disculpen las molestias", ""},
		{"course", "Ayudas del curso 2024-2025", "Ayudas del curso 2025-2026", "figures"},
	} {
		d := health.Compare(health.SketchOf("", filler+test.before), health.SketchOf("", filler+test.after))
		got := ""
		if d.Figures {
			got = "figures"
		} else if d.Substantial(health.DefaultThreshold) {
			got = "text"
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q: %+v", test.name, got, test.want, d)
		}
	}
}

// TestLocalDifference: a new requirement counts on a long page as on a short one, and the similarity tells its size.
func TestLocalDifference(t *testing.T) {
	var long strings.Builder
	for i := range 3000 {
		long.WriteString(strings.Repeat("abcdefgh"[i%8:i%8+1], 1+i%11) + strings.Repeat("xyz"[i%3:i%3+1], i%13) + " ")
	}
	after := long.String() + "\n- Presentar además una declaración jurada de no tener deudas."
	d := health.Compare(health.SketchOf("", long.String()), health.SketchOf("", after))
	if d.Similarity < 0.95 || d.Local > 0.96 || !d.Substantial(health.DefaultThreshold) {
		t.Errorf("%+v", d)
	}
}

func FuzzSketch(f *testing.F) {
	f.Add("Ayuda", "Plazo: del 1 al 31 de marzo de 2025. 250 euros [impreso](https://a.example)", "hace 3 días")
	f.Add("", "2025eko apirilaren 14tik maiatzaren 9ra | 12.345 visites | Sesión: 8f3a9c2b71d04e55", "![](")
	f.Add("(3) Avisos", "Aviso: por mantenimiento\n\n1.200.300,50 € treinta y", "\xff\u00ad| 1: © 2025 -")
	f.Fuzz(func(t *testing.T, title, a, b string) {
		x, y := health.SketchOf(title, a), health.SketchOf(title, b)
		if !bytes.Equal(x, health.SketchOf(title, a)) {
			t.Fatal("equal texts have different sketches")
		}
		blanks := strings.NewReplacer(" ", " \t ", "\n", " \n\n ").Replace(a)
		if !bytes.Equal(x, health.SketchOf(title, blanks)) {
			t.Fatalf("blanks change the sketch of %q", a)
		}
		d := health.Compare(x, y)
		if d != health.Compare(y, x) {
			t.Fatalf("not symmetric: %v", d)
		}
		if !(0 <= d.Similarity && d.Similarity <= 1 && 0 <= d.Local && d.Local <= 1) {
			t.Fatalf("out of range: %+v", d)
		}
		if same := health.Compare(x, x); !same.None && same != (health.Difference{Similarity: 1, Local: 1}) {
			t.Fatalf("a text differs from itself: %+v", same)
		}
	})
}

func BenchmarkSketchOf(b *testing.B) {
	text := strings.Repeat("Renta mensual de la vivienda de hasta 600 euros, o 300 euros por habitación.\n"+
		"Publicado el 3 de marzo de 2025; plazo de veinte días hábiles para las alegaciones. 1.234 visitas\n", 6000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		health.SketchOf("Bono de alquiler joven", text)
	}
}

func BenchmarkCompare(b *testing.B) {
	x, y := health.SketchOf("", "una tasa de 3 euros"), health.SketchOf("", "otra tasa de 4 euros")
	for b.Loop() {
		health.Compare(x, y)
	}
}
