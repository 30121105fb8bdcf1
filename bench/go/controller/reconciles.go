package main

import (
	"sync"
	"time"
)

// Counts reconciles, whoever does them.
type reconciles struct {
	mutex   sync.Mutex
	count   int
	goal    int
	reached chan struct{}
	// By how many microseconds each came after its event. Of one worker alone.
	late []int64
}

func newReconciles() *reconciles { return &reconciles{reached: make(chan struct{})} }

// Closes the channel after so many more.
func (r *reconciles) expect(more int) <-chan struct{} {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.goal = r.count + more
	r.reached = make(chan struct{})
	return r.reached
}

func (r *reconciles) add() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.count++; r.count == r.goal {
		close(r.reached)
	}
}

// Returns when there was none for a while.
func (r *reconciles) waitForQuiet() {
	for before := -1; before != r.now(); {
		before = r.now()
		time.Sleep(300 * time.Millisecond)
	}
}

func (r *reconciles) now() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.count
}
