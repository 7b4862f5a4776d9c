package pane

import (
	"visto/canon"
	"visto/review"
)

// advice holds the advice on each flag but no-spanish. Names of actions stand in braces.
var advice = map[canon.Code]string{
	canon.UnknownParam: "Does the page change without the parameter? If not, drop it: {override}, then drop. If it " +
		"does, keep it: {override}, then keep. Either settles the whole host. {approve} approves this URL alone.",
	canon.HTTPOnly: "If the site is to be cited over plain HTTP, {override} writes that down for the host; " +
		"{approve} approves this URL alone. If HTTPS works by now, {probe} finds out.",
	canon.RedirectLimit: "The redirects are too many to trust, or come back to a URL that they had passed. " +
		"{choose-another-url} takes one of their URLs, {correct} enters the page that they should lead to; {reject} " +
		"rejects the URL if there is none.",
	canon.HomePage: "The page of the procedure itself is wanted: {pages-to-cite} looks for it, {correct} enters it. " +
		"If the site has none, {approve} approves the home page as a last resort; {override} accepts home pages on " +
		"this host.",
	canon.SectionPage: "The page of the procedure itself is wanted: {pages-to-cite} looks for it, {correct} enters " +
		"it. If this is it, {approve} approves it; {override} accepts section pages on this host.",
	canon.TrailingSlash: "The server redirects to the form with the slash, so it was kept. {override} keeps it for " +
		"the whole host; {approve} approves this URL alone.",
	canon.NonstandardPort: "Check that the port is meant for the public. {approve} approves it; {correct} enters " +
		"the URL without it; {override} accepts such ports on this host.",
	canon.UnresolvedShortener: "Nobody knows yet where this leads: {probe} asks, {open-in-browser} opens it. " +
		"{correct} enters the page it leads to; {reject} rejects it.",
	canon.Credentials: "A name or password stood in the URL and was removed. Check that the page opens without it: " +
		"{approve} approves; {reject} rejects.",
	canon.BrokenEncoding: "Some bytes are not valid UTF-8 or not valid escapes; old servers need them as they are. " +
		"{open-in-browser} opens it: if it works, {approve} approves; else {correct} corrects it.",
	canon.FragmentRoute: "The part after # chooses the page here, and it was removed: the rest may be another " +
		"page. {correct} enters a URL that works without it; {approve} approves the rest.",
	canon.OffAllowlist: "The host is not one that may be cited. If it belongs to the administration, {approve} " +
		"approves; {override} accepts the host; else {reject} rejects.",
	canon.SuspiciousHost: "Compare the host letter by letter with the one you expect: it may imitate another. If " +
		"in doubt, {reject} rejects.",
	canon.Unreachable: "The page did not answer when it was last asked. {probe} asks again, {open-in-browser} " +
		"opens it; {defer} defers; {reject} rejects.",
	canon.RobotsBlocked: "The site asks robots to stay away from this page; a person may still cite it. {approve} " +
		"approves; {reject} rejects.",
	canon.ChangedSinceApproval: "Since it was approved, a rule or new evidence changed the canonical URL. " +
		"{approve} approves the new one; {correct} enters the old one again.",
	canon.NoContent: "Scripts draw this page, and no browser could draw it here, so nothing of it was read. " +
		"{open-in-browser} opens it: if it shows what is to be cited, {approve} approves; else {reject} rejects.",
	canon.LinkBroken: "{probe} asks again, {open-in-browser} opens it. If the page has moved, {correct} enters its " +
		"URL; if it is gone, {reject} rejects. {approve} says that it is fine as it is.",
	canon.ContentChanged: "{changes} in the page ({page}) shows the difference. If it is still the page to cite, " +
		"{approve} accepts it as it is now; else {correct} enters another, or {reject} rejects.",
	canon.RedirectChanged: "Does it still lead to the page to cite? {open-in-browser} opens it. If so, {approve} " +
		"accepts the new way; else {correct} enters the page, or {reject} rejects.",
	canon.CertificateExpiring: "The site's own staff renew it: {approve} says that you know. It comes back if the " +
		"site gets another certificate that ends soon.",
	canon.PastedText: "The part that the flag names was copied along with the link, or the link is damaged. " +
		"{choose-another-url} has the form without it; {correct} corrects it; if it belongs to the URL, {approve} approves.",
	canon.CanonicalConflict: "If the page that it names is the one to cite, {correct} enters that; if not, " +
		"{approve} keeps this one.",
}

// Advice returns the advice on a flag of a result. An action in braces, such as "{approve}", stands for its key.
func Advice(c canon.Code, res *canon.Result) string {
	if c == canon.NoSpanish {
		return spanishAdvice(res)
	}
	return advice[c]
}

// spanishAdvice returns the advice on a page in another language. A rule can only lead there where the paths differ.
func spanishAdvice(res *canon.Result) string {
	text := "No Spanish page is known: {pages-to-cite} looks for one, {correct} enters it. "
	switch {
	case review.PrefixPair(res.Canonical, res.SpanishCandidate) != canon.Prefixes{}:
		text = "{choose-another-url} takes the URL where the Spanish page may be; {override} leads all paths of the " +
			"host that begin so to the Spanish ones; {correct} enters another URL. "
	case res.SpanishCandidate != "":
		text = "{choose-another-url} takes the URL where the Spanish page may be, {correct} enters another one. "
	}
	return text + "If there is none, {approve} approves the page as it is."
}
