package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"visto/canon"
	"visto/review"
	"visto/review/read"
	"visto/store/file"
	"visto/store/sqlite"
)

// demoFiles holds the sample URLs, in three files of the usual formats, and their recorded evidence.
//
//go:embed demo
var demoFiles embed.FS

// demoInputs names the sample files in the order in which they are added.
var demoInputs = []string{"registry.yaml", "procedures.json", "crawl.txt"}

func newDemo(a *app) *cobra.Command {
	var keep string
	var c consoleFlags
	cmd := command("demo", "Open the console on sample URLs", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			db, remove, err := demoFile(keep)
			if err != nil {
				return fmt.Errorf("making the demo: %w", err)
			}
			defer remove()
			if err := fillDemo(cmd.Context(), db, time.Now); err != nil {
				return fmt.Errorf("making the demo: %w", err)
			}
			a.db, a.readOnly, c.forgets = db, false, keep == ""
			return c.review(a, cmd)
		})
	cmd.Flags().StringVar(&keep, "keep", "", "keep the database as `FILE`, which must not hold anything yet")
	c.register(a, cmd)
	return cmd
}

// demoFile returns the path of the demo's database, and a function that removes it.
func demoFile(keep string) (db string, remove func(), err error) {
	if keep == "" {
		folder, err := file.NewFolder(os.TempDir())
		if err != nil {
			return "", nil, err
		}
		return filepath.Join(folder.Path, "demo.db"), func() { folder.Close() }, nil
	}
	if err := checkDatabaseFile("--keep", keep); err != nil {
		return "", nil, err
	}
	info, err := os.Stat(keep)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return keep, func() {}, nil
	case err != nil:
		return "", nil, err
	case info.IsDir() || info.Size() > 0:
		return "", nil, withHint(fmt.Errorf("%s is there already", keep), "name a file that is not")
	}
	return keep, func() {}, nil
}

// demoReviewer made the decisions that the demo starts with, so that undo begins with the user's own.
const demoReviewer = "marta"

// fillDemo fills the demo's database; now is its clock. The URLs were added before their links were checked.
func fillDemo(ctx context.Context, db string, now func() time.Time) (err error) {
	age := sampleAge
	clock := func() time.Time { return now().Add(-age) }
	store, err := sqlite.Open(ctx, db, sqlite.Options{Create: true, Now: clock})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	desk, err := review.Open(ctx, store, demoReviewer, nil)
	if err != nil {
		return err
	}
	if err := addSamples(ctx, desk); err != nil {
		return err
	}
	if err := approveLinks(ctx, desk); err != nil {
		return err
	}
	age = 0
	if err := checkLinks(ctx, store, desk, now()); err != nil {
		return err
	}
	return decideSamples(ctx, desk)
}

// addSamples adds the sample files, read as visto add reads them.
func addSamples(ctx context.Context, desk *review.Desk) error {
	const evidenceFile = "evidence.jsonl"
	f, err := demoFiles.Open(path.Join("demo", evidenceFile))
	if err != nil {
		return err
	}
	defer f.Close()
	evidences, err := read.Evidence(ctx, evidenceFile, f, desk.Policy(), time.Now())
	if err != nil {
		return err
	}
	defer evidences.Close()
	c := &addCmd{desk: desk, bare: canon.New(desk.Policy(), nil), evidences: evidences}
	for _, name := range demoInputs {
		if err := c.sample(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (c *addCmd) sample(ctx context.Context, name string) error {
	f, err := demoFiles.Open(path.Join("demo", name))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = c.desk.Add(ctx, review.Input{}, func(yield func(review.Found) error) error {
		var skipped error
		_, err := read.URLs(ctx, name, f, read.Options{}, c.withEvidence(yield), func(s read.Skip) {
			skipped = fmt.Errorf("%s:%d: %s", s.File, s.Line, s.Why)
		})
		return errors.Join(err, skipped)
	})
	return err
}

// decideSamples makes the decisions that the demo starts with: some of each kind, and an approval that a later rule
// changes.
func decideSamples(ctx context.Context, desk *review.Desk) error {
	for _, d := range []struct {
		url    string
		choice review.Choice
	}{
		{"https://www.poderjudicial.es/", review.Choice{Kind: review.Approve, Note: "no deeper page for this topic"}},
		{"https://acortar.link/citaDNI", review.Choice{Kind: review.Correct,
			Canonical: "https://sede.policia.gob.es/portalCiudadano/_es/tramites_dni_citaprevia.php",
			Note:      "opened by hand"}},
		{"https://www.gestoria-rapida.example/cita-previa-extranjeria",
			review.Choice{Kind: review.Reject, Note: "a commercial site"}},
		{"https://www.gva.es/va/inicio/procedimientos?id_proc=20460&version=amp", review.Choice{Kind: review.Approve}},
		{"https://www.malaga.eu/el-ayuntamiento/notas-de-prensa/detalle/plazos?idNoticia=17542",
			review.Choice{Kind: review.Defer, Note: "ask the town hall whether the notice stays"}},
	} {
		it, err := findOne(ctx, desk, d.url)
		if err != nil {
			return err
		}
		if _, err := desk.Decide(ctx, d.choice, review.Target{ID: it.ID}); err != nil {
			return fmt.Errorf("deciding on %s: %w", d.url, err)
		}
	}
	return changeSample(ctx, desk)
}

// changeSample writes a note, and a rule that changes the canonical URL of an approved URL.
func changeSample(ctx context.Context, desk *review.Desk) error {
	it, err := findOne(ctx, desk, "https://www.juntaex.es/w/ayudas-natalidad-2026")
	if err != nil {
		return err
	}
	if _, err := desk.Note(ctx, "the title of this page looks tampered with", it.ID); err != nil {
		return err
	}
	rule := canon.Override{
		Match:           canon.Match{Host: "www.gva.es"},
		DropQueryParams: []string{"version"},
		KeepQueryParams: []string{"id_proc"},
		Note:            "version only selects the mobile page",
	}
	change, err := desk.Amend(ctx, rule)
	if err != nil {
		return err
	}
	_, _, err = desk.SaveOverrides(ctx, []review.OverrideChange{change}, summary(change))
	return err
}
