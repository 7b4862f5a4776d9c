// Package browser draws pages that scripts write, in a headless Chromium.
//
// # The tour
//
//   - browser.go: a Browser starts Chromium for the first page, draws one page at a time, and starts it again after
//     it died or was killed. Close ends it. find.go looks for the program.
//   - process.go: the processes of Chromium from their start to their end, and the flags. prepare_*.go: the limits
//     that the system sets.
//   - tab.go: the drawing of one page. requests.go decides about each of its requests.
//   - proxy.go: the only way of a page to the network.
//
// # The way of a page
//
// The page is not requested again: Chromium gets the answer that the probe has, with a Content-Security-Policy
// besides its own. That policy permits scripts, styles and data, and neither images, fonts, media, frames, plugins
// nor workers, no form and no new window. Scripts may make some requests, which are part of showing the page, as in any
// browser: robots.txt, which the probe has heeded for the page itself, is not read for them. Documents are refused, so
// the page cannot lead elsewhere. Once the page has text that does not change any more, and no request without an
// answer, its document counts as drawn, or else after some seconds as it is then.
//
// # What holds
//
//   - Each page has a browser context and a proxy of its own: no cookie, cache or connection of one page serves
//     another. Everything that Chromium asks for itself goes to a proxy that does not exist.
//   - The proxy connects by the function of the page, behind name resolution. Chromium looks up no name, uses no UDP,
//     and has no exception for loopback.
//   - Chromium talks to the probe over two pipes. No port is open to others, and it ends when the pipes close. On
//     Linux the kernel kills it too when the program dies, however that happens.
//   - A page that takes too long, or whose context ends, costs Chromium its life: all its processes are killed, and its
//     profile is removed. (Only a program that is killed leaves the profile among the temporary files.) On Linux each
//     process has a limit of memory.
//   - The sandbox stays on, except for root, for whom Chromium has none.
//   - A drawing is bounded, and so is each message of Chromium: a page may have any size and any text.
package browser
