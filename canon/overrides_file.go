package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// overridesFile is the file of seed 001 section 3. Version 0, or none, has only exact hosts, drop_query_params and
// prefix rewrite_rules; version 1 has everything.
type overridesFile struct {
	Version   int        `json:"version,omitempty"`
	Overrides []Override `json:"overrides"`
}

// ParseOverrides reads an overrides file of version 0 or 1, whole or not at all. An error names file, line, column and
// key. The overrides are checked one by one, not together: see CheckFixedPoint.
func ParseOverrides(name string, data []byte) ([]Override, error) {
	var file overridesFile
	doc, err := decodeStrict(name, data, &file)
	if err != nil {
		return nil, err
	}
	if file.Version != 0 && file.Version != 1 {
		return nil, doc.errorAt(pathOfKey("version"), "version", fmt.Errorf("it is 0 or 1, not %d", file.Version))
	}
	if file.Overrides == nil {
		return nil, doc.errorAt(pathOfKey("overrides"), "overrides", errors.New("the list is missing"))
	}
	for i := range file.Overrides {
		path := pathOfKey("overrides", strconv.Itoa(i))
		if err := doc.checkOverride(path, &file.Overrides[i], file.Version); err != nil {
			return nil, err
		}
	}
	return file.Overrides, nil
}

// ParseOverride reads one override as a JSON object.
func ParseOverride(name string, data []byte) (Override, error) {
	var o Override
	doc, err := decodeStrict(name, data, &o)
	if err != nil {
		return o, err
	}
	return o, doc.checkOverride("", &o, 1)
}

func (d *jsonDoc) checkOverride(path string, o *Override, version int) error {
	if key, err := o.Check(); err != nil {
		isBracket := func(r rune) bool { return r == '[' || r == ']' }
		return d.errorAt(path+pathOfKey(strings.FieldsFunc(key, isBracket)...), key, err)
	}
	if key := o.beyondV0(); version == 0 && key != "" {
		return d.errorAt(path+pathOfKey(key), key, errors.New(`a file without "version": 1 knows exact hosts, `+
			`drop_query_params and prefix rewrite_rules only`))
	}
	return nil
}

// usedKey is a key of an override, and whether the override has it.
type usedKey struct {
	key    string
	isUsed bool
}

// firstUsed returns the first key of the lists that is used, or "".
func firstUsed(lists ...[]usedKey) string {
	for _, k := range slices.Concat(lists...) {
		if k.isUsed {
			return k.key
		}
	}
	return ""
}

// beyondV0 returns a key that version 0 does not have, or "".
func (o *Override) beyondV0() string {
	isNew := o.Match.isPattern() || o.Match.PathPrefix != "" || o.Match.Field != ""
	captures := slices.ContainsFunc(o.RewriteRules, Rewrite.hasCaptures)
	return firstUsed([]usedKey{{"match", isNew}, {"rewrite_rules", captures}}, o.changesOfV1(),
		[]usedKey{{"accept", len(o.Accept) > 0}, {"note", o.Note != ""}})
}

// beyondAccept returns a key that changes URLs, or "".
func (o *Override) beyondAccept() string {
	return firstUsed([]usedKey{{"drop_query_params", len(o.DropQueryParams) > 0},
		{"rewrite_rules", len(o.RewriteRules) > 0}}, o.changesOfV1())
}

// beyondDrop returns a key that does more than drop parameters, or "".
func (o *Override) beyondDrop() string {
	return firstUsed([]usedKey{{"rewrite_rules", len(o.RewriteRules) > 0}}, o.changesOfV1(),
		[]usedKey{{"accept", len(o.Accept) > 0}})
}

// changesOfV1 lists the keys of version 1 that change URLs.
func (o *Override) changesOfV1() []usedKey {
	return []usedKey{
		{"keep_query_params", len(o.KeepQueryParams) > 0},
		{"pagination_params", len(o.PaginationParams) > 0},
		{"not_pagination_params", len(o.NotPaginationParams) > 0},
		{"scheme", o.Scheme != ""},
		{"trailing_slash", o.TrailingSlash != ""},
		{"canonical_host", o.CanonicalHost != ""},
		{"spanish", o.Spanish != nil},
	}
}

// MarshalOverrides writes an overrides file, in version 0 if that can hold all of them.
func MarshalOverrides(list []Override) ([]byte, error) {
	file := overridesFile{Overrides: append([]Override{}, list...)} // never null
	if slices.ContainsFunc(list, func(o Override) bool { return o.beyondV0() != "" }) {
		file.Version = 1
	}
	return marshal(file, "  ")
}

// jsonDoc is a JSON text, whose places errors name.
type jsonDoc struct {
	name string
	data []byte
}

// pathOfKey returns the path of a value in a JSON text: the keys on the way to it, each behind a NUL.
func pathOfKey(keys ...string) string { return "\x00" + strings.Join(keys, "\x00") }

// decodeStrict decodes JSON into v. Unknown keys, repeated keys, wrong types and text behind the value are errors with
// their place.
func decodeStrict(name string, data []byte, v any) (*jsonDoc, error) {
	d := &jsonDoc{name, bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	if len(bytes.TrimSpace(d.data)) == 0 {
		return nil, fmt.Errorf("%s: the file is empty; an overrides file is a JSON object", name)
	}
	dec := json.NewDecoder(bytes.NewReader(d.data))
	if err := d.walk(dec, nil, func([]byte, int64) {}); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, d.errorOffset(dec.InputOffset(), "", errors.New("there is more behind the end of the JSON value"))
	}
	strict := json.NewDecoder(bytes.NewReader(d.data))
	strict.DisallowUnknownFields()
	if err := strict.Decode(v); err != nil {
		return nil, d.explain(err)
	}
	return d, nil
}

// maxDepth exceeds the nesting of any overrides file.
const maxDepth = 16

// walk calls see with the path of each value and the offset behind it, and refuses a repeated key.
func (d *jsonDoc) walk(dec *json.Decoder, path []byte, see func(path []byte, offset int64)) error {
	token, err := dec.Token()
	if err != nil {
		return d.syntax(dec, err)
	}
	see(path, dec.InputOffset())
	delim, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if bytes.Count(path, []byte{0}) > maxDepth {
		return d.errorOffset(dec.InputOffset(), "", errors.New("it is nested too deep"))
	}
	keys := map[string]bool{}
	for i := 0; dec.More(); i++ {
		step := strconv.Itoa(i)
		if delim == '{' {
			if step, err = d.key(dec, keys); err != nil {
				return err
			}
		}
		if err := d.walk(dec, append(path, pathOfKey(step)...), see); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return d.syntax(dec, err)
	}
	return nil
}

// key reads a key of an object, whose keys before are given, and adds it to them.
func (d *jsonDoc) key(dec *json.Decoder, keys map[string]bool) (string, error) {
	token, err := dec.Token()
	if err != nil {
		return "", d.syntax(dec, err)
	}
	key := token.(string) // the decoder returns nothing else in this place
	// encoding/json matches keys case-insensitively and keeps the last of several, so both need an error of their own.
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return "", d.errorOffset(dec.InputOffset(), key, errors.New("unknown key"))
	}
	if keys[key] {
		return "", d.errorOffset(dec.InputOffset(), key, errors.New("it is there twice"))
	}
	keys[key] = true
	return key, nil
}

// places calls see as walk does. The text has been walked before, so that there is no error.
func (d *jsonDoc) places(see func(path []byte, offset int64)) {
	d.walk(json.NewDecoder(bytes.NewReader(d.data)), nil, see)
}

func (d *jsonDoc) syntax(dec *json.Decoder, err error) error {
	offset := dec.InputOffset()
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = syntax.Offset
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		offset, err = int64(len(d.data)), errors.New("the JSON ends in the middle")
	}
	return d.errorOffset(offset, "", err)
}

// explain adds place and key to an error of the decoder.
func (d *jsonDoc) explain(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return d.errorOffset(wrong.Offset, wrong.Field,
			fmt.Errorf("%s: not the kind of value that belongs here", wrong.Value))
	}
	if _, quoted, ok := strings.Cut(err.Error(), "unknown field "); ok {
		key := strings.Trim(quoted, `"`)
		return d.errorOffset(d.offsetOfKey(key), key, errors.New("unknown key"))
	}
	return d.errorOffset(0, "", err)
}

// offsetOfKey returns the place of the first such key at any depth. The decoder's error does not tell the depth.
func (d *jsonDoc) offsetOfKey(key string) int64 {
	first := int64(len(d.data))
	d.places(func(path []byte, offset int64) {
		if bytes.HasSuffix(path, []byte(pathOfKey(key))) {
			first = min(first, offset)
		}
	})
	return first
}

// errorAt places the error at the longest part of the path that exists.
func (d *jsonDoc) errorAt(path string, key string, err error) error {
	longest, at := 0, int64(0)
	d.places(func(found []byte, offset int64) {
		isPart := strings.HasPrefix(path+"\x00", string(found)+"\x00")
		if isPart && len(found) > longest {
			longest, at = len(found), offset
		}
	})
	return d.errorOffset(at, key, err)
}

func (d *jsonDoc) errorOffset(offset int64, key string, err error) error {
	before := d.data[:min(offset, int64(len(d.data)))]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	if key != "" {
		key += ": "
	}
	return fmt.Errorf("%s:%d:%d: %s%w", d.name, line, max(column-1, 1), key, err)
}
