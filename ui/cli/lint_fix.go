package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"visto/canon"
	"visto/review/lint"
	"visto/review/read"
	"visto/store/file"
)

// lintFix has the flags of visto lint that mend files, and counts the files, URLs and fields that were mended.
type lintFix struct {
	write bool
	diff  bool
	set   []string

	settings            []lint.Setting
	files, urls, fields int // mended
}

// mends reports whether the files are to be mended, or shown so.
func (f *lintFix) mends() bool { return f.write || f.diff }

// check returns the error in the flags.
func (f *lintFix) check(format string) error {
	switch {
	case f.write && f.diff:
		return errors.New("--fix writes and --diff does not: give one of them")
	case len(f.set) > 0 && !f.mends():
		return errors.New("--set: it needs --fix or --diff")
	case f.diff && format != "text":
		return errors.New("--format: --diff prints a diff, and the findings on stderr")
	}
	for _, text := range f.set {
		setting, err := lint.ParseSetting(text)
		if err != nil {
			return fmt.Errorf("--set: %w", err)
		}
		f.settings = append(f.settings, setting)
	}
	return nil
}

// said returns the counts in words.
func (f *lintFix) said() string {
	switch did := "wrote"; {
	case !f.mends():
		return ""
	case f.diff:
		did = "would write"
		fallthrough
	default:
		return fmt.Sprintf("; %s %s and %s in %s", did, count(f.urls, "URL"), count(f.fields, "field"),
			count(f.files, "file"))
	}
}

// mend puts a file in order, and returns its new contents and the findings that are left in them.
func (c *lintCmd) mend(ctx context.Context, name string, data []byte, r lintReport) ([]byte, lintReport, error) {
	plan := lint.NewPlan(r.judged, c.fix.settings, time.Now())
	out, refused, err := c.rewrite(ctx, name, data, plan)
	if err != nil || bytes.Equal(out, data) {
		r.findings = withRefusals(r.findings, refused)
		return data, r, err
	}
	left, err := c.judge(ctx, name, out)
	if err != nil {
		return data, r, err
	}
	left.findings = withRefusals(left.findings, moved(refused, r.judged, left.judged))
	again, _, err := c.rewrite(ctx, name, out, lint.NewPlan(left.judged, c.fix.settings, time.Now()))
	if err == nil && !bytes.Equal(again, out) {
		err = fmt.Errorf("writing %s: a second run would change it again: nothing is written", name)
	}
	if err != nil {
		return data, r, err
	}
	if err := c.put(name, data, out); err != nil {
		return data, r, err
	}
	urls, fields := plan.Size()
	c.fix.files, c.fix.urls, c.fix.fields = c.fix.files+1, c.fix.urls+urls, c.fix.fields+fields
	return out, left, nil
}

// rewrite returns the contents of a file after the plan, less the edits that are refused.
func (c *lintCmd) rewrite(ctx context.Context, name string, data []byte, p *lint.Plan) ([]byte, []lint.Finding, error) {
	var refused []lint.Finding
	for len(p.Edits) > 0 {
		out, refusals, err := read.Rewrite(ctx, shownName(name), data, c.options(), p.Edits)
		if err != nil || len(refusals) == 0 {
			return out, refused, err
		}
		refused = append(refused, p.Refuse(refusals)...)
	}
	return data, refused, nil
}

// moved returns findings at the places that their URLs have after others in the file were written.
func moved(findings []lint.Finding, before, after []lint.Judgement) []lint.Finding {
	places := map[read.Place]read.Place{} // without fields, which stay and are those of a setting in its finding
	for i := range min(len(before), len(after)) {
		was, is := before[i].Found.Place, after[i].Found.Place
		was.Field = ""
		places[was] = is
	}
	list := slices.Clone(findings)
	for i := range list {
		place := list[i].Place
		place.Field = ""
		if is, ok := places[place]; ok {
			is.Field = list[i].Place.Field
			list[i].Place = is
		}
	}
	return list
}

// withRefusals returns the findings of a file with those of the refused edits in the place of the same ones.
func withRefusals(findings, refused []lint.Finding) []lint.Finding {
	list := slices.DeleteFunc(slices.Clone(findings), func(f lint.Finding) bool {
		same := func(r lint.Finding) bool {
			return r.Code == f.Code && r.Place.Path == f.Place.Path && r.Place.Part == f.Place.Part
		}
		return slices.ContainsFunc(refused, same)
	})
	list = append(list, refused...)
	lint.Sort(list)
	return list
}

// regular returns an error for a pipe or a device, before it is read: a pipe would be waited for.
func regular(name string) error {
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return fmt.Errorf("reading %s: it is no regular file", shownName(name))
	}
	return nil
}

// put writes the new contents of a file, or prints the difference.
func (c *lintCmd) put(name string, before, after []byte) error {
	if c.fix.diff {
		return c.app.print(func(w *printer) error {
			diff := unifiedDiff(shownName(name), string(before), string(after))
			_, err := io.WriteString(w, c.app.inLog(diff))
			return err
		})
	}
	if err := c.spare(name); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if err := file.Update(name, before, after); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// spare returns errInput for a file that this command reads for something else.
func (c *lintCmd) spare(name string) error {
	inputs := []string{c.source.registry, c.source.overrides}
	for _, policy := range c.app.policies {
		if _, err := canon.Builtin(policy); err != nil {
			inputs = append(inputs, policy)
		}
	}
	for _, input := range inputs {
		if input != "" && file.Same(name, input) {
			return errInput
		}
	}
	return nil
}
