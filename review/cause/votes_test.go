package cause_test

import (
	"fmt"
	"slices"
	"testing"

	"visto/canon"
	"visto/review"
)

// TestReasonsForHosts checks that votes recommend a rule for all hosts only as a suggestion for all hosts needs them:
// of three hosts and nearly all, and not by the one text of a host.
func TestReasonsForHosts(t *testing.T) {
	page := func(town, url, text string) review.Found {
		return review.Found{URL: "https://" + town + ".gob.es/sta/Carpeta" + url,
			Evidence: evidence(func(ev *canon.Evidence) { ev.SHA256 = text })}
	}
	same := func(town string, pages ...string) (list []review.Found) {
		for _, name := range pages {
			list = append(list, page(town, "/"+name+"?rara=1", town+name), page(town, "/"+name+"?rara=2", town+name))
		}
		return list
	}
	const drop, votes = "drop rara on */sta/Carpeta: ", " pages show the same text with another value"
	for _, test := range []struct {
		name  string
		found []review.Found
		hosts int
		want  string
	}{
		{"three hosts", slices.Concat(same("a", "uno", "dos"), same("b", "uno", "dos"), same("c", "uno", "dos")), 3,
			"*" + drop + "6" + votes},
		{"two hosts", slices.Concat(same("a", "uno", "dos"), same("b", "uno", "dos")), 2,
			drop + "4" + votes + ": too few hosts agree"},
		{"four hosts and one that disagrees", slices.Concat(same("a", "uno", "dos"), same("b", "uno", "dos"),
			same("c", "uno", "dos"), same("d", "uno", "dos"), []review.Found{page("e", "/uno?rara=1", "x"),
				page("e", "/uno?rara=2", "y")}), 5,
			"keep rara on */sta/Carpeta: 1 page shows another text with another value: too few to recommend | " +
				drop + "8" + votes + ": too few hosts agree"},
		{"one text of each host", slices.Concat(same("a", "uno"), same("b", "uno"), same("c", "uno")), 3, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			d.addFound(append(test.found, review.Found{URL: "https://z.gob.es/sta/Carpeta/tres?rara=1"})...)
			s := d.study(fmt.Sprintf("unknown-param rara under /sta/Carpeta (%d hosts)", test.hosts+1))
			if got := reasonsText(s); got != test.want {
				t.Errorf("%q\nwant %q", got, test.want)
			}
		})
	}
}
