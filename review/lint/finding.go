package lint

import (
	"cmp"
	"slices"

	"visto/canon"
	"visto/review/read"
)

// Code is the kind of a finding: one of the constants, or the name of a flag.
type Code string

// The codes besides those of the flags.
const (
	NotCanonical     Code = "not-canonical"
	DecidedOtherwise Code = "decided-otherwise"
	Undecided        Code = "undecided"
	Deferred         Code = "deferred"
	PutOff           Code = "put-off"
	Rejected         Code = "rejected"
	Blocked          Code = "blocked"
	Circle           Code = "circle"
	Unreadable       Code = "unreadable"
	NotSet           Code = "not-set"
	OpenRule         Code = "open-rule"
)

// Level is the weight of a finding. It has no effect on whether a file is in order.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
)

// Rule describes a code, for people.
type Rule struct {
	Code  Code
	Level Level
	Text  string
}

// ruleTable describes the codes besides those of the flags.
var ruleTable = []Rule{
	{NotCanonical, Error, "the URL is not in its canonical form"},
	{DecidedOtherwise, Error, "a person put another URL in the place of this one"},
	{Undecided, Warning, "the URL waits for a person, without a flag"},
	{Deferred, Warning, "a person deferred the decision"},
	{PutOff, Warning, "the server answered nothing but 429 so far, so that no page was seen"},
	{Rejected, Error, "a person or the rules rejected the URL"},
	{Blocked, Error, "the policy blocks the site"},
	{Circle, Error, "the decisions lead from the URL back to itself"},
	{Unreadable, Error, "a part of the file cannot be read, so it was not checked"},
	{NotSet, Error, "a field of the record cannot be set"},
	{OpenRule, Error, "a rule trusts hosts that nobody named"},
}

// Codes returns all codes with their descriptions, those of the flags last.
func Codes() []Rule {
	list := slices.Clone(ruleTable)
	for _, c := range canon.Codes() {
		list = append(list, Rule{Code(c.String()), Warning, c.Summary()})
	}
	return list
}

// Finding is one thing that is not in order.
type Finding struct {
	Code    Code
	Place   read.Place
	Record  *read.Record // nil: none
	URL     string       // as it stands there, with *** in the place of user and password; empty: it is about no URL
	Message string       // without secrets
	Fix     string       // the URL to write in its place; empty: a person has to act
}

// Level returns the weight of the finding.
func (f *Finding) Level() Level {
	for _, r := range ruleTable {
		if r.Code == f.Code {
			return r.Level
		}
	}
	return Warning
}

// Unread returns the finding for a part of a file that cannot be read.
func Unread(s read.Skip) Finding {
	message := words("it cannot be read: %s", s.Why)
	return Finding{Code: Unreadable, Place: read.Place{File: s.File, Line: s.Line}, Message: message}
}

// Sort sorts the findings of a file by their place.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Column, b.Place.Column))
	})
}
