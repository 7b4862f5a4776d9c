package presence_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"visto/ui/presence"
)

// Each sees the others, where they are and since when; who leaves is gone.
func TestRoom(t *testing.T) {
	room, now := &presence.Room{}, time.Unix(0, 0)
	ana, ben, second := room.Enter("ana", now), room.Enter("ben", now), room.Enter("ana", now)
	later := now.Add(time.Minute)
	ben.Move(7, later)
	others := func(s *presence.Seat, item int64) string {
		text := ""
		for _, h := range s.Move(item, later.Add(time.Hour)) {
			text += fmt.Sprintf("%s %d %d; ", h.Name, h.Item, h.Since.Unix())
		}
		return text
	}
	if got := others(ana, 7); got != "ana 0 0; ben 7 60; " {
		t.Error(got)
	}
	if got := others(ben, 7); got != "ana 0 0; ana 7 3660; " { // it stays there since then
		t.Error(got)
	}
	second.Move(7, later)
	for range 10 { // those of the same name stand in the order in which they came
		if got := others(ben, 7); got != "ana 7 60; ana 7 3660; " {
			t.Error(got)
		}
	}
	if got := others(ana, 7); got != "ana 7 60; ben 7 60; " {
		t.Error(got)
	}
	list := ben.Move(7, later)
	if got := fmt.Sprint(presence.Names(list, 0), presence.Names(list, 7), presence.Names(list, 8)); got !=
		"[ana] [ana] []" {
		t.Error(got)
	}
	ben.Leave()
	ben.Leave()
	if others(ben, 8); others(ana, 7) != "ana 7 60; " {
		t.Error("who has left came back:", others(ana, 7))
	}
}

// A console alone has no room.
func TestAlone(t *testing.T) {
	var room *presence.Room
	seat := room.Enter("ana", time.Time{})
	if others := seat.Move(1, time.Time{}); seat != nil || others != nil {
		t.Error(seat, others)
	}
	seat.Leave()
}

func TestManyAtOnce(t *testing.T) {
	room, all := &presence.Room{}, sync.WaitGroup{}
	for i := range 20 {
		all.Go(func() {
			seat := room.Enter(fmt.Sprint(i), time.Time{})
			for item := range int64(200) {
				seat.Move(item, time.Time{})
			}
			seat.Leave()
		})
	}
	all.Wait()
	if others := room.Enter("last", time.Time{}).Move(0, time.Time{}); others != nil {
		t.Errorf("left over: %v", others)
	}
}
