package probe

import "time"

// progress estimates how long the rest of a run takes: as long as the host that has the most URLs left, for hosts are asked in
// parallel, and no less than all that is left divided by how many hosts are asked at a time.
type progress struct {
	left     []int // how many hosts have that many URLs left
	longest  int   // the most that any has
	hosts    int   // that have any
	parallel int   // asked at a time, at most
	done     int
	total    int
	spent    time.Duration // on the URLs that are done, waits included
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

// finished counts a URL, after which its host has that many left.
func (p *progress) finished(r result) Event {
	p.done++
	p.spent += r.took
	p.left[r.left+1]--
	p.left[r.left]++
	if r.left == 0 {
		p.hosts--
	}
	for p.longest > 0 && p.left[p.longest] == 0 {
		p.longest--
	}
	return Event{Kind: Finished, Target: r.report.Target, Report: &r.report, Done: p.done, Total: p.total, Left: p.estimate()}
}

func (p *progress) estimate() time.Duration {
	if p.done == p.total {
		return 0
	}
	each := p.spent / time.Duration(p.done)
	atATime := max(1, min(p.hosts, p.parallel))
	return max(time.Duration(p.longest)*each, time.Duration(p.total-p.done)*each/time.Duration(atATime))
}
