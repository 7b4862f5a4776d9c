package cause

import "visto/canon"

// PagesAtOnce is the number of URLs of a cause for which pages are looked for at once: a person reads them all.
const PagesAtOnce = 10

// replaced are the flags of URLs in whose place another page is to be cited, each URL its own.
var replaced = canon.SetOf(canon.HomePage, canon.SectionPage, canon.Unreachable, canon.LinkBroken)

// WantsPages reports whether pages to cite can be looked for in the place of the URLs of the cause: they need another
// page.
func (c Cause) WantsPages() bool { return replaced.Has(c.Flag) && c.N > 0 }
