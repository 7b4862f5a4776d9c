package canon

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLatinHostsNeedNoMapping compares the short way of hosts with Latin letters with IDNA, which checks them too.
func TestLatinHostsNeedNoMapping(t *testing.T) {
	parts := strings.Fields("ñ ß · º ª Ñ İ 日 ا \u0301 xn-- - -- _ . .. 1 0x 9. a xn x es münchen. l·l 。")
	for c := '\u00df'; c <= '\u0100'; c++ {
		parts = append(parts, string(c))
	}
	r, short := rand.New(rand.NewPCG(17, 17)), 0
	for range 50_000 {
		host := ""
		for range 1 + r.IntN(6) {
			host += parts[r.IntN(len(parts))]
		}
		if r.IntN(8) == 0 {
			host += string([]byte{0xc3, byte(r.IntN(256))}[:1+r.IntN(2)])
		}
		if !isLatin([]byte(host)) {
			continue
		}
		short++
		got, bad := mapHost([]byte(host))
		want, err := domainToASCII.ToASCII(host)
		if again, _ := domainToASCII.ToASCII(want); bad != nil || err != nil || string(got) != want || again != want {
			t.Fatalf("%q: got %q (%v), not %q (%v, and then %q)", host, got, bad, want, err, again)
		}
	}
	if short < 5000 {
		t.Errorf("only %d hosts took the short way", short)
	}
}
