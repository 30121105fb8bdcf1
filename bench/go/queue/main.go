// The work queue of client-go through the cases of the bench "queue".
package main

import (
	"strconv"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"

	"trimtab.dev/bench/probe"
)

const distinct = 10_000

func main() {
	arguments := probe.Given()
	size := arguments.Number("size")
	keys := make([]string, distinct)
	for i := range keys {
		keys[i] = "team-" + strconv.Itoa(i%50) + "/checkout-49svwzd5hb-" + strconv.Itoa(i)
	}
	run := map[string]func([]string, int){"cycle": cycle, "again": again, "workers": workers}[arguments["operation"]]
	run(keys, size/5)
	cpu, begun := probe.CPUSeconds(), time.Now()
	run(keys, size)
	seconds := time.Since(begun).Seconds()
	probe.Figure("rate", float64(size)/seconds/1e6)
	probe.Figure("cpu", (probe.CPUSeconds()-cpu)*1e9/float64(size))
}

func newQueue() workqueue.TypedRateLimitingInterface[string] {
	return workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
}

// Adds, gets and hands back, a thousand keys at a time.
func cycle(keys []string, size int) {
	queue := newQueue()
	defer queue.ShutDown()
	for done := 0; done < size; done += 1000 {
		for i := range 1000 {
			queue.Add(keys[(done+i)%distinct])
		}
		for range 1000 {
			key, _ := queue.Get()
			queue.Done(key)
		}
	}
}

// Adds keys that are in line already.
func again(keys []string, size int) {
	queue := newQueue()
	defer queue.ShutDown()
	for _, key := range keys {
		queue.Add(key)
	}
	for i := range size {
		queue.Add(keys[i%distinct])
	}
}

// Four work on what one adds, a thousand keys at a time.
func workers(keys []string, size int) {
	queue := newQueue()
	var workers, batch sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for {
				key, over := queue.Get()
				if over {
					return
				}
				queue.Done(key)
				batch.Done()
			}
		})
	}
	for done := 0; done < size; done += 1000 {
		batch.Add(1000)
		for i := range 1000 {
			queue.Add(keys[(done+i)%distinct])
		}
		batch.Wait()
	}
	queue.ShutDown()
	workers.Wait()
}
