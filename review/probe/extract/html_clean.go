package extract

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"visto/review/lazyregexp"
)

// cleaner removes from a page the parts that are about the site and not about the page: menus, banners, footers,
// dialogs, buttons. It shows the parts that a click would show. readability does neither: it drops hidden parts and
// keeps a banner whose text looks like prose.
type cleaner struct {
	byID   map[string]*html.Node
	opened map[string]bool       // IDs of elements that a control shows and hides
	title  *html.Node            // the heading of the page; nil: none
	extent map[*html.Node]extent // of each element before anything is removed
	prose  int                   // bytes of the text of the page outside links

	consent map[*html.Node]bool // elements with the words of a banner that asks for a consent
}

// clean cleans the body of a page. title is the heading of the page; nil if it has none.
func clean(body, title *html.Node) {
	c := &cleaner{
		byID: map[string]*html.Node{}, opened: map[string]bool{}, extent: map[*html.Node]extent{},
		consent: map[*html.Node]bool{}, title: title,
	}
	c.look(body)
	c.prose = c.measure(body).prose
	c.titlePanels(body)
	c.cleanChildren(body)
	dropEmpty(body)
}

// look gathers facts about the whole page, before anything is removed.
func (c *cleaner) look(body *html.Node) {
	for n := range body.Descendants() {
		if n.Type != html.ElementNode {
			c.lookForConsent(n)
			continue
		}
		if id := attr(n, "id"); id != "" && c.byID[id] == nil {
			c.byID[id] = n
		}
		if id := controlled(n); id != "" {
			c.opened[id] = true
		}
	}
}

func (c *cleaner) lookForConsent(text *html.Node) {
	if !consentWords().MatchString(text.Data) {
		return
	}
	for n := text.Parent; n != nil && !c.consent[n]; n = n.Parent {
		c.consent[n] = true
	}
}

// callOfID is the first text in the call of a script: toggle('requisitos').
var callOfID = lazyregexp.New(`\(\s*['"]#?([\w-]+)['"]`)

// controlled returns the ID of the element that a control shows and hides, nothing if it is no control.
func controlled(n *html.Node) string {
	for _, name := range []string{"aria-controls", "data-target", "data-bs-target", "data-toggle-target"} {
		if id := attr(n, name); id != "" {
			return strings.TrimPrefix(strings.TrimSpace(id), "#")
		}
	}
	href := strings.TrimSpace(attr(n, "href"))
	if id, ok := strings.CutPrefix(href, "#"); ok && id != "" {
		return id
	}
	for _, code := range []string{attr(n, "onclick"), href} {
		m := callOfID().FindStringSubmatch(code)
		if m != nil && (code != href || strings.HasPrefix(href, "javascript:")) {
			return m[1]
		}
	}
	return ""
}

func (c *cleaner) cleanChildren(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case n.Type == html.CommentNode, n.Type == html.ElementNode && c.isBoilerplate(n):
			parent.RemoveChild(n)
		case n.Data == "img":
			replaceImage(n)
		case n.Type == html.ElementNode:
			c.show(n)
			c.cleanChildren(n)
		}
		n = next
	}
}

// replaceImage removes an image. Where it is all that a link has, its text takes its place.
func replaceImage(n *html.Node) {
	for up := range n.Ancestors() {
		if alt := oneLine(attr(n, "alt"), maxLinkText); up.Data == "a" && alt != "" && textLen(up, 1) == 0 {
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: alt}, n)
			break
		}
	}
	n.Parent.RemoveChild(n)
}

// titlePanels gives the panels of tabs their titles, and removes the tabs.
func (c *cleaner) titlePanels(body *html.Node) {
	var tabs []*html.Node
	for n := range body.Descendants() {
		switch toggle := attr(n, "data-toggle") + attr(n, "data-bs-toggle"); {
		case attr(n, "role") == "tab", toggle == "tab", toggle == "pill":
			tabs = append(tabs, n)
		}
	}
	for _, tab := range tabs {
		panel := c.byID[controlled(tab)]
		if panel == nil || slices.Contains(slices.Collect(tab.Ancestors()), panel) {
			continue
		}
		label := oneLine(textOf(tab, maxLine), maxLine)
		if old := element(panel, "h1", "h2", "h3", "h4", "h5", "h6"); old == nil ||
			!strings.EqualFold(oneLine(textOf(old, maxLine), maxLine), label) {
			title := &html.Node{Type: html.ElementNode, Data: "h3", DataAtom: atom.H3}
			title.AppendChild(&html.Node{Type: html.TextNode, Data: label})
			panel.InsertBefore(title, panel.FirstChild)
		}
		tab.Parent.RemoveChild(tab)
	}
}

// boilerplateRules say which elements are removed. The first rule that applies is enough.
var boilerplateRules = []struct {
	text    string
	applies func(*cleaner, *html.Node) bool
}{
	{"it holds no text for people", func(_ *cleaner, n *html.Node) bool { return textless[n.Data] }},
	{"it is a field or a button of a form", (*cleaner).isFormPart},
	{"it is for moving about the site", (*cleaner).isLandmark},
	{"it is hidden, and no control shows it", (*cleaner).isHidden},
	{"it asks for a consent", (*cleaner).isConsent},
	{"its name is that of a part of the site", (*cleaner).isNamed},
	{"its words are those of a part of the site", (*cleaner).isPhrase},
	{"it is a list of links within the page", (*cleaner).isContents},
	{"it is a link to share or print the page, or within it", (*cleaner).isTool},
}

func (c *cleaner) isBoilerplate(n *html.Node) bool {
	for _, rule := range boilerplateRules {
		if rule.applies(c, n) {
			return true
		}
	}
	return false
}

var textless = wordSet("applet audio base canvas datalist embed frame frameset head iframe link map meta noembed " +
	"noframes noscript object script style svg template track video")

var fields = wordSet("input meter output progress select textarea")

// isFormPart recognizes fields, their labels, and buttons that show nothing.
func (c *cleaner) isFormPart(n *html.Node) bool {
	switch {
	case fields[n.Data]:
		return true
	case n.Data == "label":
		to := c.byID[attr(n, "for")]
		return to != nil && fields[to.Data] || element(n, "input", "select", "textarea") != nil
	case n.Data == "button":
		return !c.opensPanel(n) && !within(n, "summary", "h1", "h2", "h3", "h4", "h5", "h6", "dt")
	}
	return false
}

// opensPanel reports whether a control shows a part of the page that stays.
func (c *cleaner) opensPanel(n *html.Node) bool {
	panel := c.byID[controlled(n)]
	return panel != nil && !c.isLandmark(panel) && !c.isNamed(panel)
}

func within(n *html.Node, names ...string) bool {
	for up := range n.Ancestors() {
		for _, name := range names {
			if up.Data == name {
				return true
			}
		}
	}
	return false
}

var landmarks = wordSet("navigation banner contentinfo search dialog alertdialog menu menubar complementary toolbar " +
	"tooltip")

// isLandmark recognizes parts by their element or role (HTML standard, section 4.3; WAI-ARIA 1.2, section 5.3.4).
func (c *cleaner) isLandmark(n *html.Node) bool {
	switch role := attr(n, "role"); {
	case n.Data == "nav", n.Data == "dialog", n.Data == "menu":
		return !c.isMain(n)
	case n.Data == "aside", n.Data == "footer":
		return !c.isMain(n) && !c.isMost(n)
	case n.Data == "header":
		return !within(n, "main", "article", "section") && !c.isMain(n) && !c.isMost(n)
	default:
		return landmarks[role] && !c.isMain(n) && !c.isMost(n)
	}
}

// isMain reports whether an element holds the heading of the page, or is or holds the element that the page names as
// its main one.
func (c *cleaner) isMain(n *html.Node) bool { return c.extent[n].isMain }

// isMost reports whether an element holds more than half of the text of the page outside links.
func (c *cleaner) isMost(n *html.Node) bool { return 2*c.extent[n].prose > c.prose }

// panels are words in the names of parts that a click shows.
var panels = wordSet("accordion acordeon acordeo collapse collapsible desplegable expandable faq faqs panel " +
	"respuesta tab tabs tabpanel toggle")

var hiddenStyle = lazyregexp.New(`(?i)(?:display\s*:\s*none|visibility\s*:\s*hidden)`)

func isInvisible(n *html.Node) bool {
	return hasAttr(n, "hidden") || strings.EqualFold(attr(n, "aria-hidden"), "true") ||
		hiddenStyle().MatchString(attr(n, "style"))
}

func (c *cleaner) isHidden(n *html.Node) bool {
	if !isInvisible(n) {
		return false
	}
	if c.opened[attr(n, "id")] || attr(n, "role") == "tabpanel" || attr(n, "hidden") == "until-found" {
		return false
	}
	for word := range nameWords(n) {
		if panels[word] {
			return false
		}
	}
	return !c.isMain(n) && !c.isMost(n)
}

// show makes an element visible that stays, a control a heading, and a form a part like others.
func (c *cleaner) show(n *html.Node) {
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		if a.Key != "hidden" && a.Key != "aria-hidden" && a.Key != "style" {
			kept = append(kept, a)
		}
	}
	n.Attr = kept
	switch n.Data {
	case "summary", "button":
		if element(n, "h1", "h2", "h3", "h4", "h5", "h6") == nil && !within(n, "h1", "h2", "h3", "h4", "h5", "h6", "dt",
			"summary") {
			rename(n, "h3")
		} else {
			rename(n, "span")
		}
	case "form", "details", "fieldset", "center", "font":
		rename(n, "div")
	}
}

var consentWords = lazyregexp.New(`(?i)cookie|galetes|consentimiento|consentiment`)

var consentButton = lazyregexp.New(`(?i)^(?:acept|acced|accept|permit|rechaz|rebutj|refus|reject|allow|agree|` +
	`onartu|ukatu|de acuerdo|d'acord|configurar|entendido|entesos|ok$|vale$)`)

const maxConsent = 4 << 10 // bytes of the text of a banner

// isConsent recognizes a banner by its words and its buttons. One that is most of a short page may be the frame of
// both, the page and the banner.
func (c *cleaner) isConsent(n *html.Node) bool {
	if !c.consent[n] || !asksConsent(n) || c.isMain(n) {
		return false
	}
	return !c.isMost(n) || !slices.ContainsFunc(slices.Collect(n.ChildNodes()), asksConsent)
}

func asksConsent(n *html.Node) bool {
	if textLen(n, maxConsent) == maxConsent || !consentWords().MatchString(textOf(n, maxConsent)) {
		return false
	}
	for inner := range n.Descendants() {
		isButton := inner.Data == "button" || inner.Data == "a" || attr(inner, "role") == "button"
		if isButton && consentButton().MatchString(oneLine(textOf(inner, 100), 100)) ||
			inner.Data == "input" && consentButton().MatchString(attr(inner, "value")) {
			return true
		}
	}
	return false
}

const maxPhrase = 400 // bytes of the text of a part that is recognized by its words

// sitePhrases are the words of parts without names.
var sitePhrases = []func() *regexp.Regexp{
	lazyregexp.New(`(?i)(?:\bha (?:sido|resultado|parecido|servido|estat|semblat|resultat) (?:de )?[úu]til|` +
		`\bresulta [úu]til|was this (?:page|information|article|content)? ?(?:helpful|useful))`),
	lazyregexp.New(`(?i)^compart(?:ir|e|eix|ilo)\b(?: (?:en|esta|este|esto|aquest|aquesta|a|por|per)\b.*)?:?$`),
	lazyregexp.New(`(?i)^share (?:this|on)\b`),
	lazyregexp.New(`(?i)^(?:volver|ir|tornar|torna|subir|puja|pujar|back|go) (?:a |al |to |to the )?(?:arriba|` +
		`inicio|principio|inici|dalt|amunt|top)(?: de la p[áà]gina)?$`),
	lazyregexp.New(`(?i)^(?:usted est[áa] (?:aqu[íi]|en)|est[áa] (?:usted )?(?:aqu[íi]|en)|est[àa]s? a|` +
		`you are here)\s*:`),
	lazyregexp.New(`(?i)^(?:inicio|inici|home|portada)\s*[>»›/|]`),
}

// siteTitle is the heading of a part without a name.
var siteTitle = lazyregexp.New(`(?i)^(?:(?:tambi[ée]n |tamb[ée] )?(?:te|le|us|et|os|lle) ` +
	`(?:puede|podr[íi]a|pot|pode) interesar|(?:noticias|contenidos?|entradas|art[íi]culos) relacionad[oa]s|` +
	`lo m[áa]s (?:le[íi]do|visto)|contenido patrocinado|publicidad$|s[íi]guenos|comp[áa]rtelo|` +
	`related (?:content|articles|pages|links)|is this page)`)

const maxTitled = 4 << 10 // bytes of the text of a part that is recognized by its heading

// isPhrase recognizes parts by their words: small ones by all, others by the first.
func (c *cleaner) isPhrase(n *html.Node) bool {
	if inline[n.Data] && n.Data != "a" {
		return false
	}
	if siteTitle().MatchString(oneLine(textOf(n, 100), 100)) && textLen(n, maxTitled) < maxTitled {
		return !c.isMain(n) && !c.isMost(n)
	}
	if size := textLen(n, maxPhrase); size == maxPhrase || size == 0 {
		return false
	}
	text := strings.Join(strings.Fields(textOf(n, 10*maxPhrase)), " ")
	for _, phrase := range sitePhrases {
		if phrase().MatchString(text) {
			return !c.isMain(n) && !c.isMost(n)
		}
	}
	return false
}

var (
	shareLink = lazyregexp.New(`(?i)^(?:https?:)?//(?:[\w-]+\.)?(?:facebook\.com/(?:sharer|share|dialog)|` +
		`(?:twitter|x)\.com/(?:intent|share|home\?status)|linkedin\.com/(?:share|cws/share)|` +
		`whatsapp\.com/send|wa\.me/\?|t\.me/share|pinterest\.\w+/pin/create|telegram\.me/share)|^whatsapp://send|` +
		`^mailto:\?`)
	printCode = lazyregexp.New(`(?i)\bprint\s*\(`)
	skipText  = lazyregexp.New(`(?i)^(?:saltar?|ir|pasar|skip|anar|v[ée]s|salta|joan)\b.*\b(?:conten|conting|` +
		`contido|eduki|naveg|men[uú])`)
	topText = lazyregexp.New(`(?i)^(?:subir|arriba|volver|inicio|pujar|amunt|tornar|top|back)$`)
)

// isTool recognizes links that do something with the page, or lead past its menus or back to its top.
func (c *cleaner) isTool(n *html.Node) bool {
	if n.Data != "a" {
		return false
	}
	href, text := strings.TrimSpace(attr(n, "href")), oneLine(textOf(n, 200), 200)
	return shareLink().MatchString(href) || printCode().MatchString(href+attr(n, "onclick")) ||
		strings.HasPrefix(href, "#") && (skipText().MatchString(text) || topText().MatchString(text))
}

// dropEmpty removes the elements that hold no text and no image, and reports whether the tree is one.
func dropEmpty(n *html.Node) (empty bool) {
	empty = n.Data != "img" && n.Data != "br" && n.Data != "hr" && n.Data != "td" && n.Data != "th"
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		switch {
		case child.Type == html.TextNode:
			empty = empty && strings.TrimSpace(child.Data) == ""
		case child.Type == html.ElementNode && dropEmpty(child):
			n.RemoveChild(child)
		default:
			empty = false
		}
		child = next
	}
	return empty
}
