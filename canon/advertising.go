package canon

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Advertiser is an advertising or analytics service that marks links with a parameter.
type Advertiser struct {
	Name   string // of the parameter, with a "*" at the end for a prefix
	Whose  string
	Source string // of that knowledge
}

//go:embed advertising.tsv
var advertisingTable string

// Advertisers returns the shipped list of identifiers of advertising and analytics. None of them selects a page. A
// policy may keep or drop them all the same: the list only informs, and bounds the overrides for host "*".
var Advertisers = sync.OnceValue(func() (list []Advertiser) {
	for line := range strings.Lines(advertisingTable) {
		if cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(cells) == 3 {
			list = append(list, Advertiser{cells[0], cells[1], cells[2]})
		}
	}
	return list
})

// advertisers is the list by name in lower case, and its prefixes.
var advertisers = sync.OnceValue(func() (index struct {
	exact    map[string]Advertiser
	prefixes []Advertiser
}) {
	index.exact = map[string]Advertiser{}
	for _, a := range Advertisers() {
		if strings.HasSuffix(a.Name, "*") {
			index.prefixes = append(index.prefixes, a)
		} else {
			index.exact[strings.ToLower(a.Name)] = a
		}
	}
	return index
})

// AdvertiserOf returns the row of the shipped list for a parameter, in any case. The name may be a prefix with a "*" at
// its end, which needs a row as wide.
func AdvertiserOf(param string) (a Advertiser, isListed bool) {
	index, name := advertisers(), strings.ToLower(param)
	if a, isListed = index.exact[name]; isListed {
		return a, true
	}
	for _, a := range index.prefixes {
		if strings.HasPrefix(name, strings.TrimSuffix(a.Name, "*")) {
			return a, true
		}
	}
	return Advertiser{}, false
}

// advertisingDetail says which of the names are on the shipped list.
func advertisingDetail(names []string) string {
	var detail strings.Builder
	for _, name := range names {
		if a, isListed := AdvertiserOf(name); isListed {
			fmt.Fprintf(&detail, `; "%s" marks visitors for %s (%s)`, name, a.Whose, a.Source)
		}
	}
	if detail.Len() > 0 {
		detail.WriteString(`, and one rule for host "*" may drop it everywhere`)
	}
	return detail.String()
}

// checkAnywhere refuses a rule for every URL of every host that does more than drop identifiers of advertising.
func (o *Override) checkAnywhere() (key string, err error) {
	if o.Match.Host != "*" || o.Match.Normal().PathPrefix != "" || o.Match.Field != "" {
		return "", nil
	}
	switch key := o.beyondDrop(); {
	case key != "":
		return key, errors.New(`host "*" needs a path_prefix: without one it may only drop identifiers of advertising`)
	case len(o.DropQueryParams) == 0:
		return "match", errors.New(`host "*" needs a path_prefix, unless the rule drops identifiers of advertising`)
	}
	for _, name := range o.DropQueryParams {
		if _, isListed := AdvertiserOf(name); !isListed {
			return "drop_query_params", fmt.Errorf(`host "*" needs a path_prefix: %q is no known identifier of advertising`,
				name)
		}
	}
	return "", nil
}
