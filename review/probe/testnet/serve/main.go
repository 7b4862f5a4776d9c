// Command serve runs the test internet until an interrupt, and prints the commands to probe it with visto.
//
//	go run ./review/probe/testnet/serve [-dir DIR] [-log] [-town | -dust | -crowd HOSTSxPAGES] [-latency 100ms]
//
// It writes the certificate of its authority, the URLs and the rules for a client into DIR, by default a new
// directory. With -log it prints every request. With -crowd it serves many equal hosts in place of the table. With
// -town it serves a town and documents that are hard to read, and writes a procedure file for each record that cites
// the town. With -dust it serves sites whose pages stand under several URLs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"visto/canon"
	"visto/review/probe/testnet"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	dir := flag.String("dir", "", "directory for the files (default a new one)")
	log := flag.Bool("log", false, "print every request")
	table := flag.Bool("table", false, "print the expected result for each URL, and end")
	town := flag.Bool("town", false, "a town and documents that are hard to read in the place of the table")
	dust := flag.Bool("dust", false, "sites whose pages stand under several URLs in the place of the table")
	crowd := flag.String("crowd", "", "this many hosts and pages of each in the place of the table, such as 200x10")
	latency := flag.Duration("latency", 100*time.Millisecond, "before each answer of the crowd")
	flag.Parse()

	sites, err := choose(*town, *dust, *crowd, *latency)
	if err != nil {
		return err
	}
	if *table {
		return printTable(sites)
	}
	if *dir == "" {
		if *dir, err = os.MkdirTemp("", "testnet-"); err != nil {
			return err
		}
		defer os.RemoveAll(*dir)
	}
	net, err := testnet.Start(sites, testnet.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, net.Close()) }()
	if err := writeFiles(*dir, net, sites); err != nil {
		return err
	}
	input := "urls.txt"
	if *town {
		input = "tramites/*.json"
		if err := writeRecords(filepath.Join(*dir, "tramites")); err != nil {
			return err
		}
	}
	fmt.Printf(usage, len(sites), *dir, sites[0].Host, input)
	follow(ctx, net, *log)
	return nil
}

const usage = `The test internet has %d hosts. It ends with ctrl+c. In another terminal:

  cd %s
  curl --cacert ca.pem -K curl.conf https://%s/
  export VISTO_DB=$PWD/visto.db
  visto add %s
  visto probe --ca-file ca.pem $(cat connect-to)
  visto list --status all
`

func choose(town, dust bool, crowd string, latency time.Duration) ([]testnet.Site, error) {
	switch {
	case town:
		return slices.Concat(testnet.Town(), testnet.Documents()), nil
	case dust:
		return dustSites(), nil
	case crowd == "":
		return testnet.Sites(), nil
	}
	var hosts, pages int
	if _, err := fmt.Sscanf(crowd, "%dx%d", &hosts, &pages); err != nil || hosts < 1 || pages < 1 {
		return nil, fmt.Errorf("-crowd %s: it takes two numbers, such as 200x10", crowd)
	}
	return testnet.Crowd(hosts, pages, latency), nil
}

// dustSites returns the sites of the town of duplicates, each with the URLs of its links.
func dustSites() (list []testnet.Site) {
	for _, d := range testnet.Dust() {
		for _, l := range d.Links {
			d.URLs = append(d.URLs, testnet.Want{URL: l.URL})
		}
		list = append(list, d.Site)
	}
	return list
}

// writeFiles writes the files for a client.
func writeFiles(dir string, net *testnet.Net, sites []testnet.Site) error {
	var urls, flags, curl strings.Builder
	for _, site := range sites {
		for _, want := range site.URLs {
			fmt.Fprintln(&urls, want.URL)
		}
	}
	for _, rule := range net.ConnectTo() {
		fmt.Fprintln(&flags, "--connect-to", rule)
		fmt.Fprintf(&curl, "connect-to = %q\n", rule)
	}
	var errs []error
	for name, data := range map[string]string{
		"ca.pem": string(net.CA()), "urls.txt": urls.String(), "connect-to": flags.String(), "curl.conf": curl.String(),
	} {
		errs = append(errs, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644))
	}
	return errors.Join(errs...)
}

// writeRecords writes the procedure files of the town.
func writeRecords(dir string) error {
	errs := []error{os.MkdirAll(dir, 0o755)}
	for _, r := range testnet.TownRecords() {
		errs = append(errs, os.WriteFile(filepath.Join(dir, r.ID+".json"), r.File(), 0o644))
	}
	return errors.Join(errs...)
}

// follow prints new requests until ctx ends.
func follow(ctx context.Context, net *testnet.Net, log bool) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for printed := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !log {
			continue
		}
		requests := net.Log().Requests()
		for _, r := range requests[printed:] {
			fmt.Println(r.At.Format("15:04:05.000"), r)
		}
		printed = len(requests)
	}
}

// printTable prints the expected results.
func printTable(sites []testnet.Site) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, site := range sites {
		fmt.Fprintf(w, "# %s: %s\n", site.Host, site.About)
		for _, want := range site.URLs {
			fmt.Fprintf(w, "%s\t%s\t%s\n", want.URL, outcome(want), want.Canonical)
		}
	}
	return w.Flush()
}

func outcome(want testnet.Want) string {
	words := []string{want.Verdict().String()}
	if want.Reason != canon.NotRejected {
		words = append(words, want.Reason.String())
	}
	for _, c := range want.Flags.Codes() {
		words = append(words, c.String())
	}
	return strings.Join(slices.Compact(words), " ")
}
