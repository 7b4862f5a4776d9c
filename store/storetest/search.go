package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// Spec 10: a search ignores case and accents, and whether letters are composed, in each text of a URL. Regular
// expressions do not.
func testSearchFolds(f *fixture) {
	cited := at("https://boe.es/registro", "r", "url", "/0/url", 1, &read.Record{Path: "/0", ID: "Teléfono",
		Name: "Ayuntamiento de Cáceres", Attributes: []read.Attribute{{Name: "organismo", Values: []string{"Niñez"}}}})
	f.cite("r", cited, titled(2, "La ATENCIÓN de Mun\u0303oz"), titled(3, "STRASSE: ΟΔΟΣ, o\ufb01cina, Plaça"),
		titled(4, "हिन्दी में"), titled(5, "atencion"))
	f.commit(review.AddNotes{Notes: []review.ItemNote{{ID: 5, Text: "Llámese a Núñez"}}})
	f.commit(review.Decide{Action: review.ActReject, Decisions: []review.ItemDecision{
		{ID: 4, Decision: review.Decision{Kind: review.Reject, Note: "Página caída"}}}})
	none := []int64{}
	for range 2 {
		for text, want := range map[string][]int64{
			"telefono": {1}, "TELE\u0301FONO": {1}, "caceres": {1}, "NINEZ": {1}, "niñez": {1}, "atencion": {2, 5},
			"atención": {2, 5}, "munoz": {2}, "MUÑOZ": {2}, "straße": {3}, "οδοσ": {3}, "ΟΔΌΣ": {3}, "oficina": {3},
			"placa": {3}, "aça": {3}, "हिन्दी": {4}, "हिन्दु": none, "हन": none, "llamese": {5}, "nunez": {5},
			"pagina cai": {4}, "zç": none, "\u0301": {1, 2, 3, 4, 5},
		} {
			f.filter(review.Filter{Search: text}, want)
		}
		f.filter(review.Filter{Regexp: "atencion"}, []int64{5})
		f.filter(review.Filter{Regexp: "atenci[oó]n"}, []int64{2, 5})
		f.filter(review.Filter{Regexp: "página.ca"}, []int64{4})
		f.filter(review.Filter{Where: []read.Attribute{{Name: "organismo", Values: []string{"Niñez"}}}}, []int64{1})
		f.filter(review.Filter{Where: []read.Attribute{{Name: "organismo", Values: []string{"Ninez"}}}}, none)
		f.must(f.Maintain(f.ctx))
	}
	f.sound()
}

// titled returns an item with a title.
func titled(n int, title string) review.NewItem {
	it := at(fmt.Sprintf("https://boe.es/%d", n), "r", "url", fmt.Sprintf("%d:1", n), n, nil)
	it.Title = title
	return it
}

func (f *fixture) foundBy(text string) []int64 {
	ids := []int64{}
	f.must(f.Each(f.ctx, review.Filter{Search: text}, func(it review.Item) error {
		ids = append(ids, it.ID)
		return nil
	}))
	return ids
}

// searchLetters are letters of texts that a search folds, marks, and bytes that are not UTF-8.
var searchLetters = []string{"a", "A", "á", "Á", "a\u0301", "ñ", "Ñ", "n\u0303", "ç", "ß", "ss", "ẞ", "\ufb01", "fi", "İ",
	"ı", "i", "\u212a", "k", "σ", "ς", "Σ", "ώ", "ж", "й", "\u0915\u093c", "\u0958", "\u0941", "\u094d", "한", "\u1112",
	"\u3099", "か", "が", "\u05e9\u05c1\u05bc", "\ufb2c", "\u0301", "\u0323", "\x00", "\xff", "\xc3", "%", "_", "\\", "\"", "'",
	"\n", " ", "\u0100", "\u0101"}

// The titles that a search finds are those whose fold contains the fold of what is searched for.
func testSearchRandom(f *fixture) {
	random := rand.New(rand.NewPCG(10, 12))
	var list []review.NewItem
	for i := range 60 {
		n := flagged(fmt.Sprintf("https://%d", i), canon.HomePage)
		n.Title = randomText(random, 12)
		list = append(list, n)
	}
	f.add(list...)
	for range 2 {
		for range 120 {
			title := []rune(list[random.IntN(len(list))].Title)
			from := random.IntN(len(title))
			text := string(title[from:min(len(title), from+1+random.IntN(4))])
			if random.IntN(3) == 0 {
				text = randomText(random, 3)
			}
			text = []string{text, norm.NFC.String(text), norm.NFD.String(text), strings.ToUpper(text)}[random.IntN(4)]
			want := []int64{}
			for i, n := range list {
				if slices.ContainsFunc([]string{n.Title, n.Original}, func(s string) bool {
					return strings.Contains(review.Fold(s), review.Fold(text))
				}) {
					want = append(want, int64(i+1))
				}
			}
			equal(f, fmt.Sprintf("%+q", text), f.foundBy(text), want)
		}
		f.must(f.Maintain(f.ctx))
	}
}

func randomText(random *rand.Rand, most int) (text string) {
	for range 1 + random.IntN(most) {
		text += searchLetters[random.IntN(len(searchLetters))]
	}
	return text
}
