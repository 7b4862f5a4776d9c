package testnet

import (
	"encoding/json"
	"net/http"
	"strings"
)

// All copies of the web archive have the same date.
const (
	archiveStamp = "20240611093000"
	archiveDate  = "2024-06-11T09:30:00Z"
)

// archiveSites are the web archive (seed 003, "Web Archive Lookup"). It has copies of the pages that are gone, and of
// one behind a wall that it must not help to get round.
func archiveSites() []Site {
	return []Site{
		{Host: "archive.org", About: "lists the copies in the web archive",
			Pages: map[string]http.Handler{"/wayback/available": http.HandlerFunc(available)}},
		{Host: "web.archive.org", About: "the copies of the web archive", Rest: archivedPage},
	}
}

var archivedPage = procedure("Copia archivada")

// archived are the URLs with copies.
var archived = []string{
	"https://gone.gob.es/tramites/ayuda-alquiler",
	"https://paywall.gob.es/tramites/ayuda-alquiler",
}

// available imitates the availability service.
func available(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query().Get("url")
	snapshots := map[string]any{}
	for _, url := range archived {
		if strings.TrimPrefix(url, "https://") == strings.TrimPrefix(strings.TrimPrefix(asked, "http://"), "https://") {
			snapshots["closest"] = map[string]any{
				"status": "200", "available": true, "timestamp": archiveStamp,
				"url": "http://web.archive.org/web/" + archiveStamp + "/" + url,
			}
		}
	}
	body, _ := json.Marshal(map[string]any{"url": asked, "archived_snapshots": snapshots})
	send(w, "application/json", body)
}
