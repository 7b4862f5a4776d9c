module visto/testdata/bench

go 1.26.0

replace visto => ../..

require (
	github.com/PuerkitoBio/purell v1.2.1
	github.com/goware/urlx v0.3.2
	github.com/nlnwa/whatwg-url v0.6.2
	visto v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.24.6 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
