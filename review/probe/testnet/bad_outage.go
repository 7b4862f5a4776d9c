package testnet

// Outage is a network of its own in which names are unknown.
type Outage struct {
	Does    string
	URLs    []string
	Sites   []Site
	Offline bool // the machine has no network: nothing is recorded. Otherwise each URL is unreachable.
}

// Outages are networks in which names are unknown: all of them, or those of the URLs alone.
func Outages() []Outage {
	const first, second, third = "https://sede.gob.es/tramites/alta-en-el-padron",
		"https://www.madrid.es/ayudas/ayuda-al-alquiler", "https://euskadi.eus/es/becas/beca-general"
	archive := []Site{{Host: "archive.org", Unresolved: true}} // else it is known
	return []Outage{
		{Does: "two names are unknown, archive.org too", URLs: []string{first, second}, Sites: archive, Offline: true},
		{Does: "three names are unknown, archive.org too", URLs: []string{first, second, third}, Sites: archive,
			Offline: true},
		{Does: "the only name is unknown, archive.org too", URLs: []string{third}, Sites: archive, Offline: true},
		{Does: "two names are unknown, archive.org is known", URLs: []string{first, second}},
		{Does: "the only name is unknown, archive.org is known", URLs: []string{second}},
	}
}
