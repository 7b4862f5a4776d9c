package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"visto/store/storetest"
)

var reviewers = []string{"ana", "Íñigo"}

// found adds the first URLs: as many as a large change has, or few. A third of the histories asks for a second look.
func (h *history) found(large bool) {
	policy := "clara"
	if h.IntN(3) == 0 {
		policy = filepath.Join(h.folder, "two.yaml")
		write(h.T, policy, "name: two\nsecond_look: [off-allowlist, home-page]\n")
	}
	if h.large = large; large {
		h.both(corpus(h.Uint64(), townURLs), "add", "-", "--policy", policy)
		return
	}
	h.both("", "add", h.file(), "--policy", policy)
	h.both(h.probed, "add", "-")
}

// step has a reviewer do something. Often it is refused, as both programs must.
func (h *history) step() {
	h.Helper()
	steps := []struct {
		share int
		args  func() (stdin string, args []string)
	}{
		{12, h.decide}, {4, h.decideAll}, {3, h.correct}, {3, h.note},
		{8, h.rule}, {2, h.unrule}, {1, h.importRules}, {1, h.recanon},
		{4, h.add}, {2, h.evidence}, {2, h.forget}, {2, h.assign}, {3, h.probe},
		{6, h.undo}, {4, func() (string, []string) { return "", []string{"redo"} }},
	}
	n := 0
	for _, s := range steps {
		n += s.share
	}
	n = h.IntN(n)
	for _, s := range steps {
		if n -= s.share; n < 0 {
			stdin, args := s.args()
			h.both(stdin, append(args, "--reviewer", h.any(reviewers))...)
			break
		}
	}
	if h.batches++; h.batches%8 == 0 {
		h.look()
	}
}

func (h *history) any(list []string) string { return list[h.IntN(len(list))] }

// id is the ID of a URL, which may not be there.
func (h *history) id() string {
	if h.large {
		return fmt.Sprint(1 + h.IntN(townURLs))
	}
	return fmt.Sprint(1 + h.IntN(30))
}

func (h *history) host() string {
	hosts := []string{"sede.valencia.es", "www.boe.es", "tramites.gva.es", "web.gencat.cat", "www.ejemplo.com"}
	if h.large {
		hosts = []string{storetest.BigHost, storetest.BigHost, "*.es"}
	}
	return h.any(hosts)
}

func (h *history) url() string {
	host := h.any([]string{"sede.valencia.es", "SEDE.valencia.es", "www.boe.es", "boe.es", "tramites.gva.es",
		"web.gencat.cat", "www.ejemplo.com"})
	path := h.any([]string{"/", "/es/", "/ca/tramits/alta", "/a/b/c", "/a/b/d/", "/padron/alta.html"})
	query := h.any([]string{"", "", "?plaza=1", "?view=2&utm_source=x", "?id=5", "?p=2", "#arriba"})
	return h.any([]string{"https://", "http://"}) + host + path + query
}

// file writes one of three files anew, with records that cite URLs: some that it had, some new, others not any more.
func (h *history) file() string {
	var text strings.Builder
	to := json.NewEncoder(&text)
	for range 6 + h.IntN(12) {
		n := h.IntN(20)
		to.Encode(map[string]string{"id": fmt.Sprint("r", n), "name": fmt.Sprint("Oficina ", n%5),
			h.any([]string{"portal_url", "sede_url"}): h.url(), "fuente_url": h.url()})
	}
	name := filepath.Join(h.folder, h.any([]string{"a.jsonl", "b.jsonl", "c.jsonl"}))
	write(h.T, name, text.String())
	return name
}

func (h *history) add() (string, []string) { return "", []string{"add", h.file()} }

// evidence adds URLs with what a probe found.
func (h *history) evidence() (string, []string) {
	var text strings.Builder
	for range 1 + h.IntN(4) {
		url := h.url()
		fmt.Fprintln(&text, h.any([]string{
			fmt.Sprintf(`{"url":%q,"status":200,"title":"Trámite %d"}`, url, h.IntN(9)),
			fmt.Sprintf(`{"url":%q,"status":404}`, url),
			fmt.Sprintf(`{"url":%q,"hops":[{"status":301,"url":%q}]}`, url, h.url()),
		}))
	}
	name := filepath.Join(h.folder, "evidence.jsonl")
	write(h.T, name, text.String())
	return "", []string{"add", h.file(), "--evidence", name}
}

// probe requests one URL: of several, the time decides which have a log entry together.
func (h *history) probe() (string, []string) {
	urls := strings.Split(h.probed, "\n")
	var found struct{ URL string }
	if err := json.Unmarshal([]byte(urls[h.IntN(len(urls)-1)]), &found); err != nil {
		h.Fatal(err)
	}
	return "", append([]string{"probe", found.URL, "--refresh", "--rate", "0"}, h.toNet...)
}

func (h *history) forget() (string, []string) {
	return "", []string{"forget", "--yes", filepath.Join(h.folder, h.any([]string{"a.jsonl", "b.jsonl", "c.jsonl"}))}
}

func (h *history) verb() string {
	return h.any([]string{"approve", "approve", "reject", "defer", "reopen"})
}

// decide decides on a few URLs, or on one for one of its records.
func (h *history) decide() (string, []string) {
	args := []string{h.verb()}
	if h.IntN(4) == 0 {
		return "", append(args, h.id(), "--record", fmt.Sprint("r", h.IntN(20)))
	}
	for range 1 + h.IntN(4) {
		args = append(args, h.id())
	}
	return "", append(args, "--note", h.any([]string{"sí", "teléfono"}))
}

// decideAll decides on the URLs of a filter: in a large history, on more than one transaction writes.
func (h *history) decideAll() (string, []string) {
	filter := h.any([]string{"--host", "--flag", "--search"})
	value := map[string]string{"--host": h.host(), "--flag": "home-page,unknown-param", "--search": "alta"}[filter]
	return "", []string{h.verb(), filter, value, "--status", "all"}
}

func (h *history) correct() (string, []string) {
	return "", []string{"approve", h.id(), "--as", h.url()}
}

func (h *history) note() (string, []string) {
	return "", []string{"note", h.id(), h.id(), "pregunté al ministerio"}
}

func (h *history) assign() (string, []string) {
	if h.IntN(3) == 0 {
		return "", []string{"assign", "--clear", "--host", h.host()}
	}
	return "", []string{"assign", "--to", strings.Join(reviewers, ","), "--host", h.host()}
}

func (h *history) rule() (string, []string) {
	change := [][]string{{"--drop", "plaza,view,mode"}, {"--keep", "plaza"}, {"--accept", "section-page,home-page"},
		{"--spanish", "/ca/=/es/"}, {"--trailing-slash", "keep"}}[h.IntN(5)]
	if h.IntN(5) == 0 {
		return "", []string{"override", "add", "--field", "portal_url", "--accept", "home-page"}
	}
	return "", append([]string{"override", "add", "--new", "--host", h.host()}, change...)
}

func (h *history) unrule() (string, []string) { return "", []string{"override", "remove", h.host()} }

func (h *history) importRules() (string, []string) {
	name := filepath.Join(h.folder, "rules.json")
	write(h.T, name, fmt.Sprintf(`{"version": 1, "overrides": [
		{"match": {"host": %q}, "drop_query_params": ["plaza"]},
		{"match": {"host": "*.gva.es"}, "accept": ["home-page"]}]}`, h.host()))
	return "", []string{"override", "import", name}
}

func (h *history) recanon() (string, []string) {
	name := filepath.Join(h.folder, "policy.yaml")
	write(h.T, name, fmt.Sprintf("name: other\nmax_hops: %d\nfragment: drop\n", 3+h.IntN(3)))
	return "", []string{"recanon", "--policy", name, "--apply"}
}

// undo takes back the last batch of the reviewer, or one by its number.
func (h *history) undo() (string, []string) {
	if h.IntN(3) == 0 {
		return "", []string{"undo", fmt.Sprint(1 + h.IntN(h.batches+2))}
	}
	return "", []string{"undo"}
}
