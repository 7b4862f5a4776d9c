package probe

import "time"

// progress estimates the rest of a run: the time of the host with the most URLs left, because hosts run in parallel,
// and at least the sum of all divided by the number of parallel hosts. All hosts share one browser: its part of the rest
// takes as long as that of one host.
type progress struct {
	left     []int // number of hosts by URLs left
	longest  int   // most URLs left of any host
	hosts    int   // hosts with URLs left
	parallel int   // hosts at a time, at most
	done     int
	total    int
	spent    time.Duration // on finished URLs, waits included but for those for the browser
	drawing  time.Duration // by the browser, one page after the other
}

func newProgress(queues []queue, parallel int) *progress {
	p := &progress{hosts: len(queues), parallel: parallel}
	for _, q := range queues {
		p.total += len(q.targets)
		p.longest = max(p.longest, len(q.targets))
	}
	p.left = make([]int, p.longest+1)
	for _, q := range queues {
		p.left[len(q.targets)]++
	}
	return p
}

// finished counts a URL. Its host has r.left URLs left.
func (p *progress) finished(r result) Event {
	p.done++
	p.spent += r.took - r.report.queued
	for _, ex := range r.report.Exchanges {
		if ex.Purpose == forBrowser {
			p.drawing += ex.Elapsed
		}
	}
	p.left[r.left+1]--
	p.left[r.left]++
	if r.left == 0 {
		p.hosts--
	}
	for p.longest > 0 && p.left[p.longest] == 0 {
		p.longest--
	}
	return Event{Kind: Finished, Target: r.report.Target, Report: &r.report, Done: p.done, Total: p.total,
		Left: p.estimate()}
}

func (p *progress) estimate() time.Duration {
	if p.done == p.total {
		return 0
	}
	each := p.spent / time.Duration(p.done)
	left := time.Duration(p.total - p.done)
	atATime := time.Duration(max(1, min(p.hosts, p.parallel)))
	return max(time.Duration(p.longest)*each, left*each/atATime, left*p.drawing/time.Duration(p.done))
}
