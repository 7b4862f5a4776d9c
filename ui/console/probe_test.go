package console

import (
	"context"
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/canon"
	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
)

// fakeNet is a network with the same answer for every URL.
type fakeNet struct {
	desk   *review.Desk
	answer *canon.Evidence // nil: not now
	err    error
	open   chan struct{} // it answers once this is closed; nil: at once
}

func (f *fakeNet) Probe(ctx context.Context, id int64, watch func(probe.Event)) (l review.ProbeResult, err error) {
	watch(probe.Event{Kind: probe.Asking,
		Exchange: probe.Exchange{Method: "GET", URL: "https://sede.ejemplo.gob.es/robots.txt", Purpose: "robots"}})
	watch(probe.Event{Kind: probe.Answered,
		Exchange: probe.Exchange{Method: "GET", URL: "https://sede.ejemplo.gob.es/robots.txt", Status: 404,
			Purpose: "robots"}})
	watch(probe.Event{Kind: probe.Waiting, Wait: time.Second, Why: "delay between requests"})
	if f.open != nil {
		select {
		case <-f.open:
		case <-ctx.Done():
			return l, ctx.Err()
		}
	}
	if f.err != nil {
		return l, f.err
	}
	asks, err := f.desk.ProbeJobs(ctx, review.Filter{IDs: []int64{id}}, review.ProbeJobOptions{})
	if err != nil {
		return l, err
	}
	err = review.NewProbing(f.desk, f, func() time.Time { return time.Unix(0, 0) }).Run(ctx, asks,
		func(got review.ProbeResult) error {
			l = got
			return nil
		})
	return l, err
}

func (f *fakeNet) Candidates(
	context.Context, candidate.Question, func(probe.Event),
) ([]candidate.Candidate, error) {
	return nil, f.err
}

func (f *fakeNet) Run(_ context.Context, targets []probe.Target, sink func(probe.Report) error) error {
	r := probe.Report{Target: targets[0], Evidence: f.answer}
	if f.answer == nil {
		r.Deferred, r.Until = "Retry-After", time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	}
	return sink(r)
}

const citaPrevia = "https://sede.ejemplo.gob.es/tramites/cita-previa"

// moved is an answer that resolves the first URLs of the fixture.
func moved() *canon.Evidence { return movedTo(citaPrevia) }

func movedTo(final string) *canon.Evidence {
	works := true
	return &canon.Evidence{
		Asked: citaPrevia + "?plaza=norte", Status: 200, Title: "Cita previa", Language: "es", HTTPS: &works,
		Robots: "allowed",
		Hops: []canon.Hop{
			{Status: 301, URL: "https://sede.ejemplo.gob.es/cita?plaza=norte"}, {Status: 302, URL: final},
		},
		FinalURL: final, ContentType: "text/html", FetchedAt: "2026-11-21T10:00:00Z", TTLHours: 24, Method: "get",
		LangVariants: map[string]string{"ca": "https://sede.ejemplo.gob.es/ca/cita-previa"},
	}
}

// wired is a console with a network.
func wired(t *testing.T, f *fakeNet, width, height int, keys ...string) *screen {
	t.Helper()
	if f.desk == nil {
		f.desk = newDesk(t)
	}
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"}, Prober: f}
	return openScreenWith(t, f.desk, opts, width, height, keys...)
}

func TestProbeSettles(t *testing.T) {
	f := &fakeNet{answer: moved()}
	s := wired(t, f, 140, 40, "j", "j", "j", "p")
	s.shows("✓ URL 4: 200 “Cita previa” after 2 redirects; the canonical URL is "+citaPrevia+"; cleared: home-page",
		"4 of 9").lacks("someone else")
	status(t, f.desk, 4, review.Accepted)
	s.at(5).lacks("asked just now") // of another URL
}

// The result of a probe heads the page of the URL, with its redirects as a ladder.
func TestProbeIsShown(t *testing.T) {
	f := &fakeNet{answer: moved()}
	f.answer.Hops, f.answer.FinalURL, f.answer.ArchiveURL = f.answer.Hops[:1], f.answer.Hops[0].URL,
		"https://web.archive.org/x"
	s := wired(t, f, 140, 50, "enter", "p").at(1)
	s.shows("✓ the network, asked just now: 200 “Cita previa” after a redirect, and there is "+
		"a copy in the web archive;",
		"asked        "+citaPrevia+"?plaza=norte\n", "301 →        https://sede.ejemplo.gob.es/cita?plaza=norte\n",
		"status       200\n",
		"language     es\n", "also in ca   https://sede.ejemplo.gob.es/ca/cita-previa\n",
		"archive      https://web.archive.org/x\n",
		"fetched      2026-11-21T10:00:00Z by get, good until 2026-11-22 10:00\n")
	s.keys("J", "J", "J").shows("The way to the page", "301 ↳        https://sede.ejemplo.gob.es/cita?plaza=norte\n",
		"200          Cita previa\n").keys("g")
	s.keys("]").lacks("asked just now").keys("[").shows("asked just now")
	s.keys("p").shows("after a redirect, and there is a copy in the web archive; nothing else than was known")
}

func TestProbePostponed(t *testing.T) {
	wired(t, &fakeNet{}, 120, 40, "p").at(1).shows("✓ URL 1: not before 2026-11-21 12:00: Retry-After")
}

// A URL that does not answer stays in the queue, with the reason and advice.
func TestProbeFindsNothing(t *testing.T) {
	f := &fakeNet{answer: &canon.Evidence{Error: "sede.ejemplo.gob.es did not answer within 30s"}}
	wired(t, f, 200, 60, "p").at(1).shows("URL 1: sede.ejemplo.gob.es did not answer within 30s; raised: unreachable",
		"! unreachable: ",
		"no answer    sede.ejemplo.gob.es did not answer within 30s")
}

func TestProbeBreaks(t *testing.T) {
	f := &fakeNet{err: errors.New("the cache \x1b[31mbroke")}
	s := wired(t, f, 200, 60, "p").at(1)
	s.shows(`! URL 1 could not be asked about: the cache \x1b[31mbroke`,
		"p asks again, x opens the page")
	f.err, f.answer = nil, moved()
	s.keys("p").shows("✓ URL 1: 200")
}

// Every key works during a probe.
func TestProbeRunsInTheBackground(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		f := &fakeNet{answer: moved(), open: make(chan struct{})}
		s := wired(t, f, size[0], size[1])
		_, cmd := s.model.Update(tea.KeyPressMsg{Code: 'p', Text: "p"})
		for range 3 { // the events before the gate
			_, cmd = s.model.Update(cmd())
		}
		s.shows("… asking the network: waiting 1s")
		s.keys("j", "d").shows("deferred: URL 2").at(3).lacks("asking the network")
		s.keys("k", "p").at(1).shows("the network is being asked about URL 1: go on meanwhile", "… asking the network")
		s.keys("enter").shows("… asking the network",
			"robots.txt   GET https://sede.ejemplo.gob.es/robots.txt: 404").keys("esc")
		s.keys("r", "type:not he")
		close(f.open)
		s.run(cmd)
		s.shows("not he", "╭─ Reject").keys("type:re", "enter") // the URL has changed
		s.shows("URL 1 changed meanwhile: it is now https://sede.ejemplo.gob.es/tramites/")
		status(t, f.desk, 1, review.Accepted)
	}
}

func TestProbeNeedsANetwork(t *testing.T) {
	openScreen(t, newDesk(t), 80, 24, "p").shows("! there is no network to ask here")
}

// Leaving ends the running probes and waits for their end.
func TestLeavingEndsProbes(t *testing.T) {
	f := &fakeNet{open: make(chan struct{})}
	s := wired(t, f, 80, 24)
	_, cmd := s.model.Update(tea.KeyPressMsg{Code: 'p', Text: "p"})
	s.model.probes.stop()
	s.run(cmd)
	status(t, f.desk, 1, review.Pending)
	s.lacks("asking the network:", "could not")
}

// Content from the network is as hostile as any other text.
func TestProbeHostile(t *testing.T) {
	f := &fakeNet{answer: &canon.Evidence{Status: 200, Title: "t\x1b[31m\u202e", Language: "\x1b]0;x\x07",
		Robots: "\u009b", Caveats: []string{"\x00\u2066"},
		Hops:         []canon.Hop{{Status: 301, URL: "https://x.es/\u202e\x1b[2J"}},
		LangVariants: map[string]string{"c\u202ea": "\x1b[1m"}, ETag: "\u200b"}}
	s := wired(t, f, 120, 40, "p", "enter")
	for range 4 {
		v := s.model.View()
		harmless(t, ansi.Strip(v.Content))
		onlyStyles(t, v.Content)
		s.keys("pgdown")
	}
}

// TestAskAboutACause asks about the URLs of an unknown parameter, and then has nothing more to ask about.
func TestAskAboutACause(t *testing.T) {
	f := &fakeNet{answer: &canon.Evidence{Status: 200, Title: "Cita previa"}}
	s := wired(t, f, 120, 40, "2").shows(" p  ask the network about 3 URLs that would tell more", "p ask")
	s.keys("p").shows("✓ URL ", "200 “Cita previa”").lacks("ask the network")
	s.poll().lacks("by others")
	s.keys("p").shows("! no URL is known that would tell which rule this cause wants")
}
