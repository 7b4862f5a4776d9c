package pane

import "visto/canon"

// advice tells what a reviewer can do about a flag, with the keys that do it.
var advice = map[canon.Code]string{
	canon.UnknownParam:         "Does the page change without the parameter? If not, drop it: o, then drop. If it does, keep it: o, then keep. Either settles the whole host. a approves this URL alone.",
	canon.HTTPOnly:             "If the site is to be cited over plain HTTP, o writes that down for the host; a approves this URL alone. If HTTPS works by now, p finds out.",
	canon.NoSpanish:            "If there is a Spanish page, o maps the language prefix for the host, or e enters its URL. If there is none, a approves the page as it is.",
	canon.RedirectLimit:        "The chain below does not end. e enters the page it should lead to; r rejects the URL if there is none.",
	canon.HomePage:             "Look for the page of the procedure itself and enter it with e. If the site has none, a approves the home page as a last resort; o accepts home pages on this host.",
	canon.SectionPage:          "Look for the page of the procedure itself and enter it with e. If this is it, a approves it; o accepts section pages on this host.",
	canon.TrailingSlash:        "The server redirects to the form with the slash, so it was kept. o keeps it for the whole host; a approves this URL alone.",
	canon.NonstandardPort:      "Check that the port is meant for the public. a approves it; e enters the URL without it; o accepts such ports on this host.",
	canon.UnresolvedShortener:  "Nobody knows yet where this leads: p asks, x opens it. e enters the page it leads to; r rejects it.",
	canon.Credentials:          "A name or password stood in the URL and was removed. Check that the page opens without it: a approves; r rejects.",
	canon.BrokenEncoding:       "Some bytes are not valid UTF-8 or not valid escapes; old servers need them as they are. x opens it: if it works, a approves; else e corrects it.",
	canon.FragmentRoute:        "The part after # chooses the page here, and it was removed: what is left may be another page. e enters a URL that works without it; a approves what is left.",
	canon.OffAllowlist:         "The host is not one that may be cited. If it belongs to the administration, a approves; o accepts the host; else r rejects.",
	canon.SuspiciousHost:       "Compare the host letter by letter with the one you expect: it may imitate another. If in doubt, r rejects.",
	canon.Unreachable:          "The page did not answer when it was last asked. p asks again, x opens it; d defers; r rejects.",
	canon.RobotsBlocked:        "The site asks robots to stay away from this page; a person may still cite it. a approves; r rejects.",
	canon.ChangedSinceApproval: "Since it was approved, a rule or new evidence changed the canonical URL. a approves the new one; e enters the old one again.",
}

// Advice tells what a reviewer can do about the flag.
func Advice(c canon.Code) string { return advice[c] }
