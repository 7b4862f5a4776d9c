package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"visto/review/lint"
)

// print prints findings in the format of the flags.
func (c *lintCmd) print(findings []located) error {
	if c.fix.diff {
		for _, f := range findings {
			c.app.warn("%s\n", findingLine(&f.Finding))
		}
		return nil
	}
	return c.app.print(func(w *printer) error {
		if c.format == "sarif" {
			return w.data(sarifOf(findings))
		}
		for _, f := range findings {
			switch c.format {
			case "json":
				w.data(jsonFinding(&f.Finding))
			case "github":
				fmt.Fprintln(w, annotation(&f))
			default:
				fmt.Fprintln(w, c.app.inLog(findingLine(&f.Finding)))
			}
		}
		return nil
	})
}

// findingLine writes a finding as file:line:column: record: field: message [code]. Parts that are not known are left
// out.
func findingLine(f *lint.Finding) string {
	where := safe(f.Place.File)
	if f.Place.Line > 0 {
		where += fmt.Sprintf(":%d", f.Place.Line)
		if f.Place.Column > 0 {
			where += fmt.Sprintf(":%d", f.Place.Column)
		}
	}
	return fmt.Sprintf("%s: %s [%s]", where, safe(about(f)), f.Code)
}

// about returns record, field and message of a finding.
func about(f *lint.Finding) string {
	var parts []string
	if f.Record != nil {
		parts = append(parts, masked(recordName(f)))
	}
	parts = append(parts, f.Place.Field, f.Message)
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, ": ")
}

// recordName returns the name of the record that cites, else its ID, which may be the key under which it stands.
func recordName(f *lint.Finding) string { return cmp.Or(f.Record.Name, f.Record.ID) }

// annotation writes a finding as a command of GitHub's workflows, which shows it beside the line.
func annotation(f *located) string {
	properties := "file=" + workflowProperty(f.Place.File)
	if f.Place.Line > 0 {
		properties += fmt.Sprintf(",line=%d", f.Place.Line)
	}
	if f.first > 0 {
		properties += fmt.Sprintf(",col=%d", f.first)
	}
	if f.end > 0 {
		properties += fmt.Sprintf(",endColumn=%d", f.end)
	}
	message := workflowData.Replace(safe(about(&f.Finding)))
	return fmt.Sprintf("::%s %s,title=visto %s::%s", f.Level(), properties, f.Code, message)
}

// workflowData escapes the message of a workflow command.
var workflowData = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// workflowProperty escapes a property of a workflow command.
func workflowProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// findingJSON is a finding as --format json prints it.
type findingJSON struct {
	File      string      `json:"file"`
	Line      int         `json:"line,omitempty"`
	Column    int         `json:"column,omitempty"`
	Record    *recordJSON `json:"record,omitempty"`
	Field     string      `json:"field,omitempty"`
	Path      string      `json:"path,omitempty"`
	Part      int         `json:"part,omitempty"`
	Code      lint.Code   `json:"code"`
	Level     lint.Level  `json:"level"`
	Message   string      `json:"message"`
	URL       string      `json:"url,omitempty"`
	Canonical string      `json:"canonical,omitempty"`
}

// recordJSON is the record of a finding.
type recordJSON struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
	Path string `json:"path,omitempty"`
}

func jsonFinding(f *lint.Finding) findingJSON {
	data := findingJSON{File: f.Place.File, Line: f.Place.Line, Column: f.Place.Column, Field: f.Place.Field,
		Path: f.Place.Path, Part: f.Place.Part, Code: f.Code, Level: f.Level(), Message: f.Message, URL: f.URL,
		Canonical: f.Fix}
	if r := f.Record; r != nil {
		data.Record = &recordJSON{masked(r.ID), masked(r.Name), r.Path}
	}
	return data
}
