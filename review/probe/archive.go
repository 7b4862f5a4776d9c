package probe

import (
	"context"

	"visto/canon"
)

// fetcher asks for one URL with GET, politely and safely, and follows its redirects as those of pages are followed.
type fetcher func(ctx context.Context, url string) (*Response, error)

// lookUpArchive writes into ev the copy of the page that the web archive has, if it has one, with its caveat (seed 003, "Web
// Archive Lookup"). service is the availability service. It is asked where the page is gone: no answer at all, 404, 410, or an error
// of the server after all retries. What the archive does wrong changes nothing; an error means that ctx ended.
func lookUpArchive(ctx context.Context, fetch fetcher, service string, ev *canon.Evidence) error {
	return nil
}
