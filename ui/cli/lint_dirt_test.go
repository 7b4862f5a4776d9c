package cli_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"visto/canon/suite"
)

// TestDirtyFiles: "after add, deciding, lint --fix, every byte outside a decided URL is what it was; nothing is
// accepted that holds raw white space, HTML escapes, a placeholder, or a second scheme outside a parameter's value and
// not directly behind a / of the path".
func TestDirtyFiles(t *testing.T) {
	p := newProgram(t)
	dir := t.TempDir()
	files := map[string]*dirtyFile{}
	for format := range dirtyFormats {
		for seed := range suite.Rounds(4, 60) {
			f := newDirtyFile(format, uint64(seed))
			name := filepath.Join(dir, fmt.Sprintf("%d-%s", seed, format))
			files[name] = f
			write(t, name, f.text())
		}
	}
	names := slices.Sorted(maps.Keys(files))
	p.run(3, nil, append([]string{"add"}, names...)...) // 3: a URL with a backslash is not taken
	nothingDirtyAccepted(t, p)
	meant := p.decideAll()
	p.run(1, nil, append([]string{"lint", "--fix"}, names...)...)
	changed := 0
	for _, name := range names {
		changed += files[name].check(t, name, read(t, name), meant)
	}
	if changed < 3*len(names) {
		t.Errorf("only %d URLs of %d files changed", changed, len(names))
	}
}

// dirt matches what no accepted URL holds. The second scheme stands neither in a value nor behind a slash.
var dirt = regexp.MustCompile(`\s|&(?:#\d+|#x[0-9A-Fa-f]+|amp);|\{\{|\{%|\$\{|<%|^[^?]+[^/=]https?://`)

func nothingDirtyAccepted(t *testing.T, p *program) {
	t.Helper()
	accepted := lines(p.ok("export", "--status", "accepted"))
	for _, line := range accepted {
		var it struct{ Original, Canonical string }
		if err := json.Unmarshal([]byte(line), &it); err != nil {
			t.Fatal(err)
		}
		if dirt.MatchString(it.Original) || dirt.MatchString(it.Canonical) {
			t.Errorf("%q is accepted as %q", it.Original, it.Canonical)
		}
	}
	if len(accepted) < 20 {
		t.Errorf("only %d URLs are accepted", len(accepted))
	}
}

// dirtyFile is a file with URLs of which the test knows where they stand: texts and URLs take turns. Every text is
// another one, so that the places of the URLs are found again.
type dirtyFile struct {
	r      *rand.Rand
	texts  []string
	slots  []slot
	encode func(string) string // the whole file
}

// slot is a URL: as it is meant, and as it is written.
type slot struct{ url, raw string }

// dirtyFormats write files of a format.
var dirtyFormats = map[string]func(*dirtyFile){
	"list.txt": (*dirtyFile).list, "prose.adoc": (*dirtyFile).prose, "tex.tex": (*dirtyFile).tex,
	"table.csv": (*dirtyFile).csv, "latin.csv": (*dirtyFile).latin, "table.tsv": (*dirtyFile).tsv,
	"tree.json": (*dirtyFile).json, "lines.jsonl": (*dirtyFile).jsonl, "tree.yaml": (*dirtyFile).yaml,
	"page.html": (*dirtyFile).html, "page.md": (*dirtyFile).markdown, "map.xml": (*dirtyFile).sitemap,
}

func newDirtyFile(format string, seed uint64) *dirtyFile {
	f := &dirtyFile{r: rand.New(rand.NewPCG(seed, 38)), texts: []string{""}, encode: func(s string) string { return s }}
	dirtyFormats[format](f)
	return f
}

func (f *dirtyFile) text() string {
	text := f.texts[0]
	for i, s := range f.slots {
		text += s.raw + f.texts[i+1]
	}
	return f.encode(text)
}

// add appends a text, in which @ stands for another number each time.
func (f *dirtyFile) add(text string) *dirtyFile {
	f.texts[len(f.texts)-1] += strings.ReplaceAll(text, "@", fmt.Sprintf("‹%d›", len(f.texts)))
	return f
}

// url appends a URL, as escape writes it.
func (f *dirtyFile) url(url string, escape func(string) string) *dirtyFile {
	if escape != nil {
		f.slots = append(f.slots, slot{url, escape(url)})
	} else {
		f.slots = append(f.slots, slot{url, url})
	}
	f.texts = append(f.texts, "")
	return f
}

// clean returns a URL that nobody has to look at, or one with an odd but right part.
func (f *dirtyFile) clean() string {
	return fmt.Sprintf("http://www.boe.es/a/b/ficha-%d", f.r.IntN(1e6)) + either(f.r, "/", "/?utm_source=x", "",
		"/?id=1&utm_medium=y", "/a-l'estudi-1/", "/Decreto_(2020)/", "/?volver=https://www.boe.es/x")
}

// dirty returns a URL with something that does not belong there.
func (f *dirtyFile) dirty() string {
	return f.clean() + either(f.r, "&#038;b=2", "&amp;b=2", "/tr&#225;mite", "?a=1?utm_source=x", "/https://www.boe.es/a",
		"&b=https://www.boe.es/")
}

// spoilt returns a URL with white space in it, as only a field has it.
func (f *dirtyFile) spoilt() string {
	return f.clean() + either(f.r, " (consultado en mayo)", "  Nota: y más", "x con espacios/ficha-1", ".", "»")
}

const placeholders = "http://www.boe.es/{{ x }}/|http://www.boe.es/${x}/|{{ base }}/x/|http://www.boe.es/{% x %}"

func (f *dirtyFile) placeholder() string { return either(f.r, strings.Split(placeholders, "|")...) }

func (f *dirtyFile) list() {
	for range 6 {
		f.url(f.clean(), nil).add(either(f.r, "", " Padrón @", "\t«@», mayores de 18", "   # nota") + "\n\n# @\n")
	}
}

func (f *dirtyFile) prose() {
	for range 6 {
		f.add("Véase @ ").url(f.clean(), nil).add(either(f.r, "[BOE @].", ", @", "»; @", "… @", "`@ y ") + "\n")
		f.add("plantilla " + f.placeholder() + " y http://www.boe.es\\a\\b @ \n")
	}
}

func (f *dirtyFile) tex() {
	escape := strings.NewReplacer("&", `\&`, "_", `\_`).Replace
	for range 6 {
		f.add("Véase @ \\href{").url(f.clean(), escape).add("}{BOE \\# @}\\\\\n% nota\n")
	}
}

// cell appends a cell between the quotes, with one URL or several.
func (f *dirtyFile) cell(escape func(string) string) *dirtyFile {
	switch f.r.IntN(5) {
	case 0:
		return f.url(f.clean(), escape).add(either(f.r, " | ", ", ", " ; ")).url(f.clean(), escape)
	case 1:
		return f.url(f.dirty(), escape)
	case 2:
		return f.url(f.spoilt(), escape)
	case 3:
		return f.add(f.placeholder())
	}
	return f.url(f.clean(), escape)
}

func (f *dirtyFile) csv() {
	f.add(either(f.r, "", "sep=;\n") + "id;nombre;url;notas\r\n")
	for i := range 6 {
		f.add(fmt.Sprintf("%d;\"@ \"\"x\"\"\";\"", i)).cell(nil).add("\";\"a\nb; @\"\r\n")
	}
}

func (f *dirtyFile) latin() {
	f.encode = func(text string) string {
		encoded, err := charmap.Windows1252.NewEncoder().String(text)
		if err != nil {
			panic(err)
		}
		return encoded
	}
	f.csv()
}

func (f *dirtyFile) tsv() {
	f.add("url\tnombre\n")
	for range 6 {
		f.cell(nil).add("\tPadrón @\n")
	}
}

func (f *dirtyFile) inJSON(url string) string {
	return either(f.r, url, strings.ReplaceAll(url, "/", `\/`))
}

func (f *dirtyFile) json() {
	f.add("[")
	for i := range 6 {
		f.add(fmt.Sprintf(`{"n":%d.50, "nombre":"\u00f1 @", "url" :"`, i)).cell(f.inJSON).add("\"\n, \"s\":\"\\/@\"},")
	}
	f.add(`{"x":"@"}]`)
}

func (f *dirtyFile) jsonl() {
	for range 6 {
		f.add(`{"nombre":"\u00f1 @","link": "`).cell(f.inJSON).add("\", \"s\":\"\\/@\"}\n")
	}
}

func (f *dirtyFile) yaml() {
	f.add(either(f.r, "", "%YAML 1.2\n---\n") + "# registro\n")
	for range 6 {
		f.add("- nombre: \"@\" # nota\n  url:   \"").cell(f.inJSON).add("\"   # \"otra\"\n")
	}
}

func (f *dirtyFile) html() {
	f.add("<!DOCTYPE html><p>@")
	for range 6 {
		f.add("<a class=x HREF = \"").url(f.clean(), strings.NewReplacer("&", "&amp;").Replace).add("\">&ntilde; @</a>\n")
		f.add("<a href='/x/@'>").add("<a href=\"" + f.placeholder() + "\">@</a><!-- http://www.boe.es/x/ -->")
	}
}

func (f *dirtyFile) markdown() {
	for range 6 {
		f.add(either(f.r, "", "> ", "- ")+"[@](").url(f.clean(), strings.NewReplacer("&", "&amp;").Replace).add(" 't')\n\n")
		f.add("Dice «").url(f.clean(), nil).add("»; `http://www.boe.es/x/` @ \n\n- x\n\n      http://www.boe.es/y/@\n\n")
	}
}

func (f *dirtyFile) sitemap() {
	f.add("<urlset>")
	for range 6 {
		f.add("<url><loc> ").url(f.clean(), strings.NewReplacer("&", "&amp;").Replace).add("\n</loc><!-- @ --></url>")
	}
	f.add("</urlset>")
}

// check checks a file after its URLs were decided, and returns the number of those that changed.
func (f *dirtyFile) check(t *testing.T, name, now string, meant map[string]string) (changed int) {
	t.Helper()
	for i, text := range f.texts {
		text = f.encode(text)
		at := strings.Index(now, text)
		if i == 0 && at != 0 || at < 0 || i == len(f.slots) && len(now) != at+len(text) && text != "" {
			t.Errorf("%s: %q is not what it was: %q", name, text, now)
			return changed
		}
		if i > 0 {
			slot, got := f.slots[i-1], now[:at]
			if got != f.encode(slot.raw) {
				changed++
				if want := meant[slot.url]; want == "" || plainly(got) != plainly(want) {
					t.Errorf("%s: %q became %q, decided was %q", name, slot.raw, got, want)
				}
			}
		}
		now = now[at+len(text):]
	}
	return changed
}

// plainly returns a URL without the escapes of JSON, HTML and TeX.
func plainly(url string) string {
	return strings.NewReplacer(`\/`, "/", "&amp;", "&", `\&`, "&", `\_`, "_", "&#39;", "'").Replace(url)
}
