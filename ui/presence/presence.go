// Package presence knows who is on which URL, among the consoles of one process. It is never stored and never logged.
package presence

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Here is somebody with a console open.
type Here struct {
	Name  string    // untrusted
	Item  int64     // the URL that the console shows; 0: none
	Since time.Time // when it came to that
}

// Room is where the consoles of a process meet. It is safe for concurrent use.
type Room struct {
	mu    sync.Mutex
	seats map[*Seat]Here
}

// Seat is the place of one console in a room. A nil Seat is that of a console alone: its methods do nothing.
type Seat struct{ room *Room }

// Enter takes a seat, which Leave gives back. In a nil Room it is nil.
func (r *Room) Enter(name string, now time.Time) *Seat {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seats == nil {
		r.seats = map[*Seat]Here{}
	}
	s := &Seat{r}
	r.seats[s] = Here{Name: name, Since: now}
	return s
}

// Move tells the others that the console shows an item now; 0: none. It returns the others, by name.
func (s *Seat) Move(item int64, now time.Time) (others []Here) {
	if s == nil {
		return nil
	}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if me, ok := s.room.seats[s]; ok && me.Item != item {
		s.room.seats[s] = Here{me.Name, item, now}
	}
	for seat, here := range s.room.seats {
		if seat != s {
			others = append(others, here)
		}
	}
	slices.SortFunc(others, func(a, b Here) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Item, b.Item), a.Since.Compare(b.Since))
	})
	return others
}

// Leave gives the seat back.
func (s *Seat) Leave() {
	if s == nil {
		return
	}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	delete(s.room.seats, s)
}

// Names returns the names of those on an item, each once; with item 0, of all. The list is by name.
func Names(list []Here, item int64) (names []string) {
	for _, h := range list {
		if item == 0 || h.Item == item {
			names = append(names, h.Name)
		}
	}
	return slices.Compact(names)
}
