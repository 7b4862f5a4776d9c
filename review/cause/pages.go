package cause

import "visto/canon"

// maxReplaced is the number of URLs of a cause for which pages are looked for at once: a person reads them all.
const maxReplaced = 10

// replaced are the flags of URLs in whose place another page is to be cited, each URL its own.
var replaced = canon.SetOf(canon.HomePage, canon.SectionPage, canon.Unreachable, canon.LinkBroken)

// WantsPages reports whether pages to cite can be looked for in the place of all URLs of the cause: they need another
// page, and they are few.
func (c Cause) WantsPages() bool { return replaced.Has(c.Flag) && c.N > 0 && c.N <= maxReplaced }
