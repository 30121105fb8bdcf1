// controller-runtime through the cases of the bench "controller".
package main

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"trimtab.dev/bench/probe"
	"trimtab.dev/bench/website"
)

func main() {
	arguments := probe.Given()
	ctrl.SetLogger(zap.New())
	manager := newManager(arguments["kubeconfig"])
	run := &run{Arguments: arguments, reconciles: newReconciles()}
	options := controller.Options{MaxConcurrentReconciles: arguments.Number("concurrency")}
	probe.Must(build(manager, arguments["operation"], arguments["kind"], options, run.reconciles))
	run.start(manager)
	if arguments["operation"] == "start" {
		return
	}
	run.reconciles.waitForQuiet()
	run.see()
}

// As it is by itself, but that nothing is served, and the kinds are known without being asked for: the stub has no discovery.
func newManager(kubeconfig string) ctrl.Manager {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	probe.Must(err)
	config.QPS = -1 // as its own way to find a cluster sets it
	scheme := kruntime.NewScheme()
	probe.Must(clientgoscheme.AddToScheme(scheme))
	website.AddTo(scheme)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:         scheme,
		Metrics:        metricsserver.Options{BindAddress: "0"},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return knownKinds(), nil },
	})
	probe.Must(err)
	return manager
}

func knownKinds() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	mapper.Add(website.GroupVersion.WithKind("Website"), meta.RESTScopeNamespace)
	return mapper
}

// One run of one case.
type run struct {
	probe.Arguments
	reconciles *reconciles
}

// Starts, waits until every object was reconciled once, and says what that took.
func (r *run) start(manager ctrl.Manager) {
	reached := r.reconciles.expect(r.Number("objects"))
	cpu, begun := probe.CPUSeconds(), time.Now()
	go func() { probe.Must(manager.Start(context.Background())) }()
	<-reached
	seconds, cpu := time.Since(begun).Seconds(), probe.CPUSeconds()-cpu
	if r.Arguments["operation"] == "start" {
		probe.Figure("start", seconds)
		probe.Figure("start cpu", cpu)
		probe.Figure("peak RSS", probe.PeakRSSBytes()/1e6)
		probe.Figure("in use", heapBytes()/1e6)
	}
}

// The events of a stream: what reconciling took after the warm-up, or how late it came.
func (r *run) see() {
	r.reconcileAll(r.Number("warmup"))
	r.reconciles.late = nil
	size := r.Number("size")
	cpu, begun := probe.CPUSeconds(), time.Now()
	r.reconcileAll(size)
	probe.Figure(r.Arguments["operation"]+" rate", float64(size)/time.Since(begun).Seconds())
	probe.Figure("cpu", (probe.CPUSeconds()-cpu)*1e6/float64(size))
	probe.Figure("peak RSS", probe.PeakRSSBytes()/1e6)
	if late := r.reconciles.late; len(late) > 0 {
		slices.Sort(late)
		probe.Figure("p50", float64(late[len(late)/2]))
		probe.Figure("p99", float64(late[len(late)*99/100]))
	}
}

// As many events as there are keys at a time: none comes for a key that is in line, so each is one reconcile.
func (r *run) reconcileAll(events int) {
	for left := events; left > 0; left -= r.Number("batch") {
		batch := min(left, r.Number("batch"))
		reached := r.reconciles.expect(batch)
		r.AskForStream(batch)
		<-reached
	}
}

// What is in use on the heap, after a collection.
func heapBytes() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
