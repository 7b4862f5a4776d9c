package read_test

import (
	"strings"
	"testing"

	"visto/review/read"
)

// BenchmarkURLs reads 100,000 URLs of each format that is read line by line.
func BenchmarkURLs(b *testing.B) {
	const url = "https://sede.ejemplo.gob.es/tramites/12/solicitud-de-alta-en-el-padron?plaza=7"
	for name, line := range map[string]string{"x.txt": url + "\n", "x.csv": "título," + url + "\n",
		"x.jsonl": `{"title":"título","url":"` + url + "\"}\n"} {
		head := ""
		if name == "x.csv" {
			head = "title,url\n"
		}
		input := head + strings.Repeat(line, 100_000)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				if got := readFrom(name, strings.NewReader(input), read.Options{}); len(got.found) != 100_000 {
					b.Fatal(len(got.found), got.err)
				}
			}
		})
	}
}
