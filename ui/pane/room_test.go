package pane_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/ui/pane"
	"visto/ui/theme"
)

func plainLines(text string) []string { return strings.Split(ansi.Strip(text), "\n") }

// A list shorter than its half of the screen leaves the rest to the URLs below it; a long one keeps its half.
func TestShortListOfCausesLeavesItsRoom(t *testing.T) {
	for causes, want := range map[int]int{2: 3, 100: 17} {
		var list []cause.Cause
		for i := range causes {
			list = append(list, cause.Cause{Kind: cause.ByHost, Flag: canon.HomePage, Host: fmt.Sprintf("h%d.es", i), N: 1})
		}
		var c pane.Causes
		c.Set(list)
		for at, line := range plainLines(c.View(theme.New(theme.Terminal{}), causeKeys, 120, 36)) {
			if strings.HasPrefix(line, "──") && at != want {
				t.Errorf("%d causes: the study begins below line %d, want %d", causes, at, want)
			}
		}
	}
}

// Parameters do not take the room of names: where a row would be cut they are counted.
func TestParametersLeaveRoomForNames(t *testing.T) {
	r := &review.Record{Number: 1, Name: "Ayuntamiento de Villainventada de la Sierra"}
	item := func(id int64, code canon.Code, params ...string) review.Item {
		it := review.Item{ID: id, Original: "https://sede.villainventada.es/",
			Occurrences: []review.Occurrence{{Citer: 1, Record: r, Field: "sede_url"}}}
		it.Computed = review.Computed{Canonical: it.Original, Host: "sede.villainventada.es", Verdict: canon.Flagged,
			Flags: canon.SetOf(code), Unknown: params}
		return it
	}
	list := []review.Item{item(1, canon.HomePage), item(2, canon.UnknownParam, "APP_ID", "PAGE_ID")}
	for width, want := range map[int]string{66: "2 parameters  sede", 120: "param APP_ID,PAGE_ID sede"} {
		q := pane.NewQueue()
		q.SetPage(pane.Page{Items: list, Ends: pane.Ends{Start: true, End: true}})
		row := plainLines(q.View(theme.New(theme.Terminal{}), width, 10, ""))[1]
		if !strings.Contains(row, want) {
			t.Errorf("%d cells: the row is %q, want %q", width, row, want)
		}
	}
}

// Before the first decision the hosts fill the page, whether beside the other counts or below them.
func TestHostsFillThePage(t *testing.T) {
	data := stats()
	data.Hosts = nil
	for i := range 100 {
		data.Hosts = append(data.Hosts, review.Bucket{Value: fmt.Sprintf("h%d.es", i), N: 1})
	}
	shown := func(width int) (n int) {
		var s pane.Stats
		s.Set(data)
		for _, line := range plainLines(s.View(theme.New(theme.Terminal{}), width, 60)) {
			if strings.Contains(line, ".es ") {
				n++
			}
		}
		return n
	}
	if n := shown(100); n != 10 {
		t.Errorf("%d hosts after a decision, want 10", n)
	}
	data.Days = nil
	for _, width := range []int{100, 160} {
		if n := shown(width); n < 30 {
			t.Errorf("%d cells: %d hosts before a decision: the page is not filled", width, n)
		}
	}
}
