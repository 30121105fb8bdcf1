// The informer of client-go through the cases of the bench "informer".
package main

import (
	"runtime"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"

	"trimtab.dev/bench/probe"
)

func main() {
	arguments := probe.Given()
	config, err := clientcmd.BuildConfigFromFlags("", arguments["kubeconfig"])
	probe.Must(err)
	config.QPS = -1
	// Said in both cases: generated clients of built-in kinds ask for protobuf by themselves.
	config.ContentType, config.AcceptContentTypes = "application/json", "application/json"
	if arguments["media-type"] == "protobuf" {
		config.ContentType = "application/vnd.kubernetes.protobuf"
		config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	}
	run := &run{Arguments: arguments, informer: newInformer(config, arguments["resource"]), over: make(chan struct{})}
	run.sync()
	if arguments["operation"] != "sync" {
		run.see()
	}
}

func newInformer(config *rest.Config, resource string) cache.SharedIndexInformer {
	if resource == "websites" {
		return newWebsiteInformer(config)
	}
	client, err := kubernetes.NewForConfig(config)
	probe.Must(err)
	return informers.NewSharedInformerFactory(client, 0).Core().V1().Pods().Informer()
}

// One run of one case. Handlers of an informer run one at a time, so what they count needs no lock.
type run struct {
	probe.Arguments
	informer cache.SharedIndexInformer
	queue    workqueue.TypedRateLimitingInterface[string]
	updates  int
	late     []int64
	over     chan struct{}
	cpu      float64
	begun    time.Time
}

// Fills the cache, waits until the handler has seen it, and says what that took.
func (r *run) sync() {
	r.queue = workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	seen, objects := 0, r.Number("objects")
	added := make(chan struct{})
	_, err := r.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) {
			if seen++; seen == objects {
				close(added)
			}
		},
		UpdateFunc: func(_, object any) { r.update(object) },
	})
	probe.Must(err)
	before := heapBytes()
	cpu, begun := probe.CPUSeconds(), time.Now()
	go r.informer.Run(make(chan struct{}))
	<-added
	for !r.informer.HasSynced() {
		time.Sleep(100 * time.Microsecond)
	}
	seconds, cpu := time.Since(begun).Seconds(), probe.CPUSeconds()-cpu
	peak := probe.PeakRSSBytes()
	perObject := (heapBytes() - before) / float64(objects)
	if r.Arguments["operation"] == "sync" {
		probe.Figure("sync", seconds)
		probe.Figure("sync cpu", cpu)
		probe.Figure("peak RSS", peak/1e6)
		probe.Figure("per object", perObject)
	}
}

// The events of a stream: what they took after the warm-up, or how late they came.
func (r *run) see() {
	size := r.Number("size")
	go r.work()
	r.AskForStream(size + r.Number("warmup"))
	<-r.over
	for r.queue.Len() > 0 {
		time.Sleep(100 * time.Microsecond)
	}
	probe.Figure("rate", float64(size)/time.Since(r.begun).Seconds())
	probe.Figure(r.Arguments["operation"]+" cpu", (probe.CPUSeconds()-r.cpu)*1e6/float64(size))
	if r.Arguments["operation"] == "paced" {
		slices.Sort(r.late)
		probe.Figure("p50", float64(r.late[len(r.late)/2]))
		probe.Figure("p99", float64(r.late[len(r.late)*99/100]))
	}
}

func (r *run) update(object any) {
	if r.Arguments["operation"] == "paced" {
		r.late = append(r.late, time.Now().UnixMicro()-sentUs(object))
	}
	key, err := cache.MetaNamespaceKeyFunc(object)
	probe.Must(err)
	r.queue.Add(key)
	r.updates++
	switch r.updates {
	case r.Number("warmup"):
		r.late = r.late[:0]
		r.cpu, r.begun = probe.CPUSeconds(), time.Now()
	case r.Number("warmup") + r.Number("size"):
		close(r.over)
	}
}

// One worker, which reads the object where the case says so.
func (r *run) work() {
	reads := r.Arguments["operation"] == "read"
	for {
		key, over := r.queue.Get()
		if over {
			return
		}
		if reads {
			if _, there, _ := r.informer.GetIndexer().GetByKey(key); !there {
				panic("expected " + key + " in the cache, got nothing")
			}
		}
		r.queue.Forget(key)
		r.queue.Done(key)
	}
}

func sentUs(object any) int64 {
	accessor, err := meta.Accessor(object)
	probe.Must(err)
	sent, err := strconv.ParseInt(accessor.GetAnnotations()["bench.trimtab.dev/sent-us"], 10, 64)
	probe.Must(err)
	return sent
}

// What is in use on the heap, after a collection.
func heapBytes() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
