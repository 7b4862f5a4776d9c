package suggest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Shared is a rule that others keep, from a file in the format of duplicate-url-discarder
// (https://github.com/zytedata/duplicate-url-discarder).
type Shared struct {
	Number    int // in its file, from 1
	Line      int
	Processor string
	Templates []Template // as which overrides can say it, one for each host or host pattern
	Unsaid    []Unsaid   // the rest of it
}

// Unsaid is a pattern of a shared rule for which no override can say it.
type Unsaid struct {
	Pattern string // "": all URLs
	Why     string
}

// ReadShared reads a file of shared rules, whole or not at all. It is a list of objects with processor, args,
// urlPattern and order. An error names file, line, column and rule.
func ReadShared(name string, data []byte) ([]Shared, error) {
	f := &sharedFile{name, bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	if err := json.Unmarshal(f.data, new(any)); err != nil {
		return nil, f.syntax(err)
	}
	dec := json.NewDecoder(bytes.NewReader(f.data))
	if begin, _ := dec.Token(); begin != json.Delim('[') {
		return nil, f.errorAt(dec.InputOffset(), errors.New("a list of rules is wanted"))
	}
	var list []Shared
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, f.syntax(err)
		}
		rule, err := f.rule(raw, dec.InputOffset()-int64(len(raw)), len(list)+1)
		if err != nil {
			return nil, err
		}
		list = append(list, rule)
	}
	return list, nil
}

// sharedFile is a file of shared rules, whose places errors name.
type sharedFile struct {
	name string
	data []byte
}

// sharedRule is a rule as it stands in the file. The order does not matter to overrides, nor does the priority.
type sharedRule struct {
	Processor string `json:"processor"`
	Args      []any  `json:"args"`
	Order     int    `json:"order"`
	Patterns  *struct {
		Include  []string `json:"include"`
		Exclude  []string `json:"exclude"`
		Priority int      `json:"priority"`
	} `json:"urlPattern"`
}

// rule reads the rule at an offset.
func (f *sharedFile) rule(raw []byte, offset int64, number int) (Shared, error) {
	rule := Shared{Number: number}
	rule.Line, _ = f.place(offset + 1)
	var r sharedRule
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	err := dec.Decode(&r)
	at := offset + 1
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at, err = offset+wrong.Offset, fmt.Errorf("%s: %s is not the kind of value that belongs here", wrong.Field,
			wrong.Value)
	}
	if err == nil {
		err = rule.translate(&r)
	}
	if err != nil {
		err = fmt.Errorf("rule %d: %w", number, err)
		return rule, f.errorAt(at, errors.New(strings.Replace(err.Error(), "json: ", "", 1)))
	}
	return rule, nil
}

func (f *sharedFile) syntax(err error) error {
	at := int64(len(f.data))
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = wrong.Offset
	}
	return f.errorAt(at, err)
}

// errorAt names the place of the last of so many bytes.
func (f *sharedFile) errorAt(offset int64, err error) error {
	line, column := f.place(offset)
	return fmt.Errorf("%s:%d:%d: %w", f.name, line, column, err)
}

func (f *sharedFile) place(offset int64) (line, column int) {
	before := f.data[:min(offset, int64(len(f.data)))]
	return bytes.Count(before, []byte{'\n'}) + 1, max(1, len(before)-bytes.LastIndexByte(before, '\n')-1)
}

// processors translate a rule for the URLs of a pattern, or say why no override can say it.
var processors = map[string]func(r *sharedRule, p urlPattern) (list []Template, why string){
	"queryRemoval":       dropParams,
	"queryRemovalExcept": keepParams,
	"subpathRemoval":     dropSegments,
	"normalizer":         nil,
}

// translate sets Templates and Unsaid. An error says that the rule is none.
func (s *Shared) translate(r *sharedRule) error {
	translate, ok := processors[r.Processor]
	switch {
	case !ok:
		known := strings.Join(slices.Sorted(maps.Keys(processors)), ", ")
		return fmt.Errorf("processor: there is no %q; known are %s", r.Processor, known)
	case r.Patterns == nil || r.Patterns.Include == nil:
		return errors.New("urlPattern: the list include is missing")
	}
	if err := r.checkArgs(); err != nil {
		return err
	}
	s.Processor = r.Processor
	patterns := r.Patterns.Include
	if !slices.ContainsFunc(patterns, func(p string) bool { return p != "" }) {
		patterns = []string{""}
	}
	for _, text := range patterns {
		p, why := parseURLPattern(text)
		var list []Template
		switch {
		case translate == nil:
			why = "the policy decides about www and slashes"
		case len(r.Patterns.Exclude) > 0:
			why = "an override has no exceptions"
		case why == "":
			list, why = translate(r, p)
		}
		s.Templates = append(s.Templates, list...)
		if why != "" {
			s.Unsaid = append(s.Unsaid, Unsaid{text, why})
		}
	}
	return nil
}

// checkArgs checks the types of the arguments.
func (r *sharedRule) checkArgs() error {
	for i, arg := range r.Args {
		text, isText := arg.(string)
		number, isNumber := arg.(json.Number)
		_, err := strconv.ParseUint(string(number), 10, 16)
		switch {
		case r.Processor == "normalizer":
			return errors.New("args: a normalizer has none")
		case r.Processor == "subpathRemoval" && (!isNumber || err != nil):
			return fmt.Errorf("args[%d]: %v is not the number of a segment", i, arg)
		case r.Processor != "subpathRemoval" && (!isText || text == ""):
			return fmt.Errorf("args[%d]: %v is not the name of a parameter", i, arg)
		}
	}
	return nil
}

// names returns the arguments as the names of parameters, and whether overrides can name them.
func (r *sharedRule) names() (names []string, ok bool) {
	for _, arg := range r.Args {
		name := strings.ToLower(arg.(string))
		if !nameable(name) {
			return nil, false
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), true
}

func dropParams(r *sharedRule, p urlPattern) ([]Template, string) {
	if len(r.Args) == 0 {
		return nil, "it names no parameter"
	}
	return r.ofParams(DropParam, p)
}

func keepParams(r *sharedRule, p urlPattern) ([]Template, string) { return r.ofParams(KeepParams, p) }

func (r *sharedRule) ofParams(k Kind, p urlPattern) (list []Template, why string) {
	names, ok := r.names()
	switch {
	case !ok:
		return nil, "an override cannot name the parameter"
	case strings.Contains(p.path, "*"):
		return nil, "the path of an override for parameters has no *"
	}
	for _, host := range p.hosts {
		list = append(list, Template{Kind: k, Host: host, Path: p.path, Params: strings.Join(names, "&")})
	}
	return list, ""
}

// dropSegments needs a segment that tells whether those before it are there. Without one a rewrite would drop the next
// ones of its own result.
func dropSegments(r *sharedRule, p urlPattern) (list []Template, why string) {
	segments, dropped, tells := slices.Collect(splitPath(p.path)), 0, false
	for i, segment := range segments {
		if strings.Contains(segment, "*") && segment != "*" {
			return nil, "a * in an override is a whole segment"
		}
		tells = tells || segment != "*"
		if slices.Contains(r.Args, any(json.Number(strconv.Itoa(i)))) {
			segments[i], tells = "{"+segment+"}", segment != "*"
			dropped++
		}
	}
	switch {
	case len(r.Args) == 0:
		return nil, "it names no segment"
	case !tells || dropped < len(r.Args):
		return nil, "without a fixed segment behind it a rewrite would go on dropping"
	}
	for _, host := range p.hosts {
		list = append(list, Template{Kind: DropSegments, Host: host, From: joined(segments)})
	}
	return list, ""
}
