package cause_test

import (
	"fmt"
	"testing"

	"visto/review"
	"visto/review/cause"
)

// BenchmarkList groups 100,000 open URLs.
func BenchmarkList(b *testing.B) {
	d := newDesk(b)
	found := make([]review.Found, 100_000)
	for i := range found {
		found[i].URL = fmt.Sprintf("https://sede.ejemplo.gob.es/tramites/%d/solicitud-de-alta-en-el-padron?plaza=%d",
			1000+i/2, i%2)
	}
	d.addFound(found...)
	for b.Loop() {
		if causes, err := cause.List(b.Context(), d, review.Filter{}); err != nil || len(causes) == 0 {
			b.Fatal(causes, err)
		}
	}
}
