package suggest

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"visto/canon"
	"visto/review"
)

// version is that of the packed parts. Parts of another version are mined anew.
const version = 4

// The kinds of parts that a store keeps.
const (
	pagesPart      review.MinedKind = iota + 1 // of Host, from items whose originals are on the host Name: []packedPage
	leadsPart                                  // of the items whose originals are on Host: the hosts that they lead to
	sitePart                                   // of Host: siteInfo
	votesPart                                  // on Host, about the template Name: ballots
	suggestionPart                             // on Host, of the template Name: storedSuggestion
	reachPart                                  // of the suggestion Name for several hosts: its byHost
)

// basis is the state under which the parts were mined: the Body of a review.Mining.
type basis struct {
	Version  int
	Policy   string // its digest
	Rules    []canon.Override
	HostsGen int64
}

// packedPage is a Page in its stored form. Its source is the name of the part.
type packedPage struct {
	Item                       int64  `json:"n"`
	URL                        string `json:"u"`
	Final, Canonical, Approved string `json:",omitempty"`
	SHA256                     string `json:",omitempty"`
	Sketch                     []byte `json:",omitempty"`
	Missing                    bool   `json:",omitempty"`
}

// siteInfo holds the connections of a host's pages with other hosts.
type siteInfo struct {
	Places  []textKey
	Aliases map[string]int // see aliases
	Targets []string       // of the host aliases that were tried on its pages
}

// votedOn holds the votes of a host about a template.
type votedOn struct {
	Template Template
	Votes    []packedVote
}

// packedVote is a Vote in its stored form.
type packedVote struct {
	Signal Signal  `json:"s"`
	For    bool    `json:"f,omitempty"`
	URL    string  `json:"u"`
	Other  string  `json:"o,omitempty"`
	Page   string  `json:"p,omitempty"` // "": Other
	Text   textKey `json:"t,omitempty"`
	Rule   bool    `json:"r,omitempty"`
}

func packVotes(votes []Vote) []packedVote {
	list := make([]packedVote, len(votes))
	for i, v := range votes {
		list[i] = packedVote{v.Signal, v.For, v.URL, v.Other, v.page, v.text, v.rule}
		if v.page == v.Other {
			list[i].Page = ""
		}
	}
	return list
}

func (v *votedOn) unpack() []Vote {
	list := make([]Vote, len(v.Votes))
	for i, p := range v.Votes {
		a, _ := parse(p.URL)
		list[i] = Vote{p.Signal, p.For, p.URL, p.Other, cmp.Or(p.Page, p.Other), p.Text, a.host, a.path(), p.Rule}
	}
	return list
}

// storedSuggestion is a Suggestion in its stored form, without its votes.
type storedSuggestion struct {
	Suggestion
	Directed int
	Persons  bool
	Depths   []int
	Samples  []string
	Checked  bool // its rule reaches a fixed point, or Loops
	Loops    bool
	Shown    bool // no other suggestion makes it needless
}

func (p *packer) packSuggestion(s *storedSuggestion) []byte {
	s.Directed, s.Persons, s.Depths, s.Samples = s.directed, s.persons, s.depths, s.samples
	return p.pack(s)
}

func (p *packer) unpackSuggestion(body []byte) (*storedSuggestion, error) {
	s := &storedSuggestion{}
	err := p.unpack(body, s)
	s.directed, s.persons, s.depths, s.samples = s.Directed, s.Persons, s.Depths, s.Samples
	return s, err
}

// packer packs and unpacks parts: JSON, compressed by DEFLATE (RFC 1951). Equal values have equal forms. It belongs to
// one goroutine.
type packer struct {
	w *flate.Writer
	r io.ReadCloser
}

func newPacker() *packer {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // cannot happen: the level is known
	}
	return &packer{w, flate.NewReader(nil)}
}

func (p *packer) pack(value any) []byte {
	text, err := json.Marshal(value)
	var out bytes.Buffer
	if err == nil {
		p.w.Reset(&out)
		_, err = p.w.Write(text)
	}
	if err = cmp.Or(err, p.w.Close()); err != nil {
		panic(err) // cannot happen: all fields are strings, numbers and lists of them, and memory takes everything
	}
	return out.Bytes()
}

func (p *packer) unpack(body []byte, into any) error {
	err := p.r.(flate.Resetter).Reset(bytes.NewReader(body), nil)
	if err == nil {
		var text []byte
		if text, err = io.ReadAll(p.r); err == nil {
			err = json.Unmarshal(text, into)
		}
	}
	if err != nil {
		return fmt.Errorf("reading a stored suggestion: %w: %w", err, review.ErrDamaged)
	}
	return nil
}

// votesName returns the name of the votes about a template, on any host. Those about templates that may be for several
// hosts begin with "*".
func (t Template) votesName() string {
	name := hashOf(t.on("").at(""))
	if t.isGeneral() {
		return "*" + name
	}
	return name
}

func hashOf(t Template) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", t))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Stored returns the stored suggestions as Mine returns them, without their votes.
func Stored(ctx context.Context, desk Desk) ([]Suggestion, error) {
	var list []Suggestion
	packer := newPacker()
	err := desk.EachMined(ctx, suggestionPart, nil, nil, func(p review.MinedPart) error {
		s, err := packer.unpackSuggestion(p.Body)
		if err == nil && s.Shown && !s.Loops {
			list = append(list, s.Suggestion)
		}
		return err
	})
	slices.SortFunc(list, compare)
	if err == nil {
		err = addDismissals(ctx, desk, list)
	}
	return list, err
}

// ReadVotes adds the votes to a stored suggestion.
func ReadVotes(ctx context.Context, desk Desk, s *Suggestion) error {
	var hosts []string
	if s.Host != "*" {
		hosts = []string{s.Host}
	}
	s.Votes = nil
	packer := newPacker()
	err := desk.EachMined(ctx, votesPart, hosts, []string{s.votesName()}, func(p review.MinedPart) error {
		var v votedOn
		if err := packer.unpack(p.Body, &v); err != nil {
			return err
		}
		s.Votes = append(s.Votes, v.unpack()...)
		return nil
	})
	if s.Host == "*" {
		s.Votes = withoutSingles(s.Votes)
	}
	s.Votes = under(s.Votes, s.Path)
	sortVotes(s.Votes)
	return err
}
