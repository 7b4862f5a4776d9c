package canon_test

import (
	"reflect"
	"testing"

	"visto/canon"
)

// TestEverySegmentMayNameADocument checks all paths of two of these segments: a document counts in either place. The
// fast scan knows the first segment that may name one, and finds the same as a reading of all segments.
func TestEverySegmentMayNameADocument(t *testing.T) {
	names := []string{"cita-previa", "a_1", "123", "x123y", "bases.pdf", "1a-2b", "año-nuevo",
		"3F2504E0-4F89-11D3-9A0C-0305E82C3301", "%61-b", "b;123"}
	others := []string{"", "ayudas", "Empleo", "12", "a1b", "a.b", "-", "_a", "-a-", "es", "index.html", "a.htmlx", "v2.0"}
	segments := append(names, others...)
	p := clara(t)
	fast, thorough := canon.New(p, nil), canon.Thorough(p, nil)
	for i, first := range segments {
		for j, second := range segments {
			url := "https://www.boe.es/" + first + "/" + second
			got, want := fast.Canonicalize(url, nil), thorough.Canonicalize(url, nil)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %+v, want %+v", url, got, want)
			}
			isNamed := i < len(names) || j < len(names)
			if isInformative := got.LinkType == canon.Informative; isInformative != isNamed {
				t.Errorf("%s is %v", url, got.LinkType)
			}
		}
	}
}
