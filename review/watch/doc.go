// Package watch checks links whenever they are due, for as long as its program runs.
//
//   - watch.go: a Watch looks which links are due, has them asked, and waits until the next one is due or the store
//     changes.
//   - hours.go: Hours are the hours of a day in which requests may begin.
//
// # What holds
//
//   - A look reads all links. So a Watch spends at most a twentieth of its time on them, however many there are.
//   - A round asks for a bounded number of links, so that those that become due meanwhile, such as the retry after a
//     first failure, wait for minutes and not for days.
//   - A Watch has a lease of its own for all its time, so that two of them do not run on one store, and the lease to
//     probe only during a round, so that other programs can probe in between.
package watch
