package cli_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"visto/canon/suite"
	"visto/review"
	"visto/store/storetest"
)

// citing is a record to write into a file.
type citing struct{ id, name, url string }

// generators write files of a format, in the styles in which people and programs write them.
var generators = map[string]func(*rand.Rand, []citing) string{
	"txt": generateText, "csv": generateCSV, "tsv": generateTSV, "json": generateJSON, "jsonl": generateJSONL,
	"yaml": generateYAML,
}

// generatedFiles writes files of a format, a hundred if all tests run. Some have a byte order mark, CRLF, or no newline
// at the end.
func generatedFiles(t *testing.T, format string) (files []string) {
	t.Helper()
	dir := t.TempDir()
	pool := strings.Fields(corpus(uint64(len(format)), 150))
	number := suite.Rounds(30, 100)
	if testing.Short() {
		number = 10
	}
	for i := range number {
		r := rand.New(rand.NewPCG(uint64(i), 14))
		var list []citing
		for n := range 1 + r.IntN(5) {
			name := fmt.Sprintf("Trámite %d, «%d»", i, n)
			list = append(list, citing{fmt.Sprintf("r%d-%d", i, n), name, pool[r.IntN(len(pool))]})
		}
		text := generators[format](r, list)
		if r.IntN(5) == 0 {
			text = "\ufeff" + text
		}
		if r.IntN(4) == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if r.IntN(4) == 0 {
			text = strings.TrimRight(text, "\r\n")
		}
		files = append(files, filepath.Join(dir, fmt.Sprintf("%03d.%s", i, format)))
		write(t, files[i], text)
	}
	return files
}

// either returns one of the texts.
func either(r *rand.Rand, texts ...string) string { return texts[r.IntN(len(texts))] }

func generateText(r *rand.Rand, list []citing) (text string) {
	for _, c := range list {
		text += either(r, "", "# "+c.name+"\n", "\n") + fmt.Sprintf(either(r, "%s\n", "  %s\t\n", "<%s>\n"), c.url)
	}
	return text
}

func generateCSV(r *rand.Rand, list []citing) string {
	text := "id,nombre,url,notas\n"
	for _, c := range list {
		url := c.url
		if strings.ContainsAny(url, `",`) || r.IntN(2) == 0 {
			url = `"` + strings.ReplaceAll(url, `"`, `""`) + `"`
		}
		text += fmt.Sprintf("%s,\"%s\",%s,%s\n", c.id, c.name, url, either(r, "", "1", "\"a\nb, \"\"c\"\"\""))
	}
	return text
}

func generateTSV(_ *rand.Rand, list []citing) string {
	text := "id\turl\tnombre\n"
	for _, c := range list {
		text += c.id + "\t" + c.url + "\t" + c.name + "\n"
	}
	return text
}

// inJSON returns a URL as a string of JSON, in some style.
func inJSON(r *rand.Rand, url string) string {
	url = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(url)
	return `"` + either(r, url, url, strings.ReplaceAll(url, "/", `\/`), strings.ReplaceAll(url, "e", `\u0065`)) + `"`
}

func generateJSON(r *rand.Rand, list []citing) string {
	space := either(r, "", " ", "\n  ", "\n\t")
	var records []string
	for i, c := range list {
		field := either(r, `"url":%s%s`, `"fuente_url":%s%s`, `"source_urls":[%s%s,"mailto:a"]`)
		if strings.Contains(field, "mailto") {
			field = strings.Replace(field, `,"mailto:a"`, "", 1)
		}
		format := `{"n":%d.50,%s"tramite":%q,"nombre":"Tr\u00e1mite","hecho":null,` + field + `}`
		records = append(records, fmt.Sprintf(format, i, space, c.id, space, inJSON(r, c.url)))
	}
	return "[" + space + strings.Join(records, ","+space) + "]\n"
}

func generateJSONL(r *rand.Rand, list []citing) (text string) {
	for _, c := range list {
		text += fmt.Sprintf(`{"id": %q,"url" :%s, "n":1e3, "tags":["a","b"]}`+"\n", c.id, inJSON(r, c.url))
	}
	return text
}

func generateYAML(r *rand.Rand, list []citing) string {
	text := either(r, "", "%YAML 1.1\n---\n", "# the registry\n\n") + "version: '1.0'\nsources:\n"
	for i, c := range list {
		text += either(r, "", "  # ──────\n", "\n") + fmt.Sprintf("- id: %s\n  name: \"%s\"\n", c.id, c.name)
		switch style := r.IntN(6); {
		case style == 0:
			text += fmt.Sprintf("  portal_url: \"%s\"   # ñ: the site's \"own\"\n", c.url)
		case style == 1 && !strings.Contains(c.url, "'"):
			text += fmt.Sprintf("  portal_url: '%s'\n", c.url)
		case style == 2:
			text += fmt.Sprintf("  more: {url: \"%s\", n: 1}\n", c.url)
		case style == 3:
			text += fmt.Sprintf("  source_urls:\n  - &a%d \"%s\"\n  sede_url: *a%d\n", i, c.url, i)
		case style == 4 && !strings.ContainsAny(c.url, "#:%@`'\"{}[]&*!|>,? ") || !strings.ContainsAny(c.url, " #"):
			text += fmt.Sprintf("  portal_url:   %s\n  tier: 1\n", c.url)
		default:
			text += fmt.Sprintf("  portal_url: !!str \"%s\"\n", c.url)
		}
	}
	return text + either(r, "", "---\nurl: https://www.boe.es/otra/pagina/mas/\n", "...\n")
}

// corpus is a text of n generated URLs.
func corpus(seed uint64, n int) string {
	var b strings.Builder
	storetest.Corpus(seed, n)(func(f review.Found) error {
		fmt.Fprintln(&b, strings.ReplaceAll(f.URL, "\n", ""))
		return nil
	})
	return b.String()
}
