package suggest

import (
	"net/http"

	"visto/canon"
	"visto/review/lazyregexp"
	"visto/review/probe"
)

// States reports whether evidence states something about the page of its URL. An answer that is no page, the page of an
// error, a wall and an empty page state nothing, whatever links and texts they have.
func States(ev *canon.Evidence) bool {
	return ev != nil && ev.Status == 200 && ev.Error == "" && ev.Blocked == "" && !ev.NoContent &&
		!probe.MayBeError(ev) && !errorTitle().MatchString(ev.Title)
}

// isMissing reports whether evidence says that there is no page at its URL, by the status or the title. Other errors
// may pass.
func isMissing(ev *canon.Evidence) bool {
	if ev == nil || ev.Error != "" || ev.Blocked != "" {
		return false
	}
	return ev.Status == http.StatusNotFound || ev.Status == http.StatusGone ||
		ev.Status == http.StatusOK && probe.MayBeError(ev)
}

// IsAsked reports whether evidence has an answer about its URL, or the reason why there is none. Evidence of the host
// alone has neither.
func IsAsked(ev *canon.Evidence) bool { return ev != nil && (ev.Status != 0 || ev.Error != "") }

// errorTitle matches titles of pages that say with status 200 that something failed. Those of pages that are not there
// are probe.MayBeError's.
var errorTitle = lazyregexp.New(`(?i)^(?:aviso de )?error\b|\berror (?:interno|del servidor|inesperado|5\d\d)|` +
	`\binternal (?:server )?error|\bservicio (?:temporalmente )?no disponible|\b(?:service|temporarily) unavailable|` +
	`\ben mantenimiento\b|\bacceso (?:denegado|no autorizado)|\baccess denied|\bforbidden\b|` +
	`\bbad (?:request|gateway)|\bsesi[óo]n? (?:ha )?(?:caducad|expirad)[ao]|\b(?:ha ocurrido|se ha producido) un error`)
