package canon

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The definition that the tables of allowlist are compiled from, pattern by pattern.

func naivelyAllowed(patterns []string, host string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		domain, isSuffix := strings.CutPrefix(pattern, "*.")
		return strings.HasSuffix(host, "."+domain) || !isSuffix && host == domain
	})
}

var substitutions = strings.NewReplacer("0", "o", "1", "l", "3", "e", "5", "s", "rn", "m", "vv", "w")

func naivelyImitated(patterns []string, host string) string {
	plain := substitutions.Replace(host)
	for _, pattern := range slices.Sorted(slices.Values(patterns)) {
		domain, isSuffix := strings.CutPrefix(pattern, "*.")
		if strings.Contains("."+host+".", "."+domain+".") && (!isSuffix || strings.Contains(host, "."+domain+".")) {
			return pattern
		}
		like := substitutions.Replace(domain)
		if !isSuffix && (plain == like || strings.HasSuffix(plain, "."+like)) {
			return pattern
		}
	}
	return ""
}

// TestAllowlistIsItsPatterns compares the tables with the definition, on hosts made of the patterns and of characters
// that look alike.
func TestAllowlistIsItsPatterns(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	clara, err := Builtin(DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	for name, patterns := range map[string][]string{
		"clara": clara.doc.Allowlist,
		"tricky": {"es", "*.gob.es", "gob.es", "boe.es", "b0e.es", "*.boe.es", "rn.es", "m.es", "vvv.es", "www.boe.es",
			"a.b.c.d.es", "*.d.es", "xn--espaa-rta.es", "060.es", "1"},
		"one": {"*.es"},
	} {
		t.Run(name, func(t *testing.T) {
			list, r, found := newAllowlist(patterns), rand.New(rand.NewPCG(3, 3)), map[string]int{}
			policy := Policy{doc: document{Allowlist: patterns}}
			labels := newLabelSet(policy.listedLabels())
			for range 10_000 {
				host := hostLike(r, patterns)
				allowed := naivelyAllowed(patterns, host)
				if got := list.has([]byte(host)); got != allowed {
					t.Fatalf("%s is allowed: %v, not %v", host, got, allowed)
				}
				target := naivelyImitated(patterns, host)
				if got := list.imitated([]byte(host)); got != target {
					t.Fatalf("%s imitates %q, not %q", host, got, target)
				}
				if (allowed || target != "") && labels.first([]byte(host)) < 0 {
					t.Fatalf("%s is passed over", host)
				}
				switch {
				case allowed:
					found["allowed"]++
				case target != "":
					found["like another"]++
				default:
					found["neither"]++
				}
			}
			if len(found) < 3 {
				t.Errorf("the hosts are too much alike: %v", found)
			}
		})
	}
}

// hostLike returns a host made of labels and patterns, with some characters exchanged for others.
func hostLike(r *rand.Rand, patterns []string) string {
	var parts []string
	for range 1 + r.IntN(3) {
		switch r.IntN(3) {
		case 0:
			parts = append(parts, []string{"www", "sede", "es", "com", "rn", "vvv", "m", "espana.es", "2"}[r.IntN(9)])
		default:
			parts = append(parts, strings.TrimPrefix(patterns[r.IntN(len(patterns))], "*."))
		}
	}
	host := []byte(strings.Join(parts, []string{".", ".", "-"}[r.IntN(3)]))
	for range r.IntN(3) {
		const alike = "o0l1e3s5mrnwv."
		if i := r.IntN(len(host)); host[i] != '.' {
			host[i] = alike[r.IntN(len(alike))]
		}
	}
	name := strings.NewReplacer("m", "rn", "w", "vv")
	if text := strings.Trim(string(host), "."); text != "" && r.IntN(4) == 0 {
		return name.Replace(text)
	}
	return string(host)
}
