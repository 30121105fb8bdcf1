// A contender as src/election/contender-main.fixture.ts is, by client-go's elector: what it tells and does is the same,
// but that its writes are not fenced.
//
// Arguments: kubeconfig, the server's address, name.
package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	config, err := clientcmd.BuildConfigFromFlags(os.Args[2], os.Args[1])
	if err != nil {
		panic(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	asked, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	for times := 1; asked.Err() == nil; times++ {
		contend(asked, client, os.Args[3]+"-"+strconv.Itoa(times))
	}
}

// contend ends its writes before it gives the lease back: client-go does not wait for them.
func contend(asked context.Context, client kubernetes.Interface, term string) {
	electing, cancel := context.WithCancel(context.Background())
	defer cancel()
	var work sync.WaitGroup
	go func() {
		<-asked.Done()
		work.Wait()
		cancel()
	}()
	leaderelection.RunOrDie(electing, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: "default", Name: "crown"},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: term},
		},
		LeaseDuration:   8 * time.Second,
		RenewDeadline:   4 * time.Second,
		RetryPeriod:     time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(leading context.Context) {
				work.Add(1)
				defer work.Done()
				writeOn(leading, asked, client, term)
			},
			OnStoppedLeading: func() {},
		},
	})
	work.Wait()
	if asked.Err() == nil {
		tell("lost", term)
	} else {
		tell("done", term)
	}
}

func writeOn(leading, asked context.Context, client kubernetes.Interface, term string) {
	tell("leading", term)
	for writes := 0; leading.Err() == nil && asked.Err() == nil; time.Sleep(100 * time.Millisecond) {
		made := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "write-"},
			Data:       map[string]string{"by": term},
		}
		_, err := client.CoreV1().ConfigMaps("default").Create(leading, made, metav1.CreateOptions{})
		if err == nil && writes == 0 {
			tell("wrote", term)
		}
		if err == nil {
			writes++
		}
	}
}

func tell(event, term string) {
	_ = json.NewEncoder(os.Stdout).Encode(map[string]string{"event": event, "term": term})
}
