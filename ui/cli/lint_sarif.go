package cli

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"visto/review/lint"
)

// The types of a SARIF log (OASIS, Static Analysis Results Interchange Format 2.1.0), as far as it is written here.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      lint.Code    `json:"id"`
		Short   sarifMessage `json:"shortDescription"`
		Default sarifLevel   `json:"defaultConfiguration"`
	}
	sarifLevel struct {
		Level lint.Level `json:"level"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    lint.Code       `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     lint.Level      `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name          string `json:"name,omitempty"`
		QualifiedName string `json:"fullyQualifiedName,omitempty"`
		Kind          string `json:"kind"`
	}
)

// sarifOf returns the log of one run.
func sarifOf(findings []located) sarifLog {
	rules := lint.Codes()
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "visto", Version: buildVersion()}
	for _, r := range rules {
		rule := sarifRule{ID: r.Code, Short: sarifMessage{r.Text}, Default: sarifLevel{r.Level}}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for _, f := range findings {
		index := slices.IndexFunc(rules, func(r lint.Rule) bool { return r.Code == f.Code })
		run.Results = append(run.Results, sarifResult{RuleID: f.Code, RuleIndex: index, Level: f.Level(),
			Message: sarifMessage{about(&f.Finding)}, Locations: []sarifLocation{f.sarif()}})
	}
	return sarifLog{"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"2.1.0", []sarifRun{run}}
}

// sarif returns the place of a finding.
func (f *located) sarif() sarifLocation {
	at := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{fileURI(f.Place.File)}}}
	if f.Place.Line > 0 {
		at.Physical.Region = &sarifRegion{f.Place.Line, f.first, f.end}
	}
	if f.Record != nil {
		at.Logical = []sarifLogical{{masked(recordName(&f.Finding)), f.Place.Path, "member"}}
	}
	return at
}

// fileURI returns the name of a file as a URI, relative if the name is.
func fileURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme, u.Path = "file", "/"+strings.TrimPrefix(u.Path, "/")
	}
	return u.String()
}
