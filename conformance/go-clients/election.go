package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// election passes a Lease from one elector of client-go to the next.
func election(ctx context.Context, s *stage) error {
	one, stopOne := context.WithCancel(ctx)
	defer stopOne()
	two, stopTwo := context.WithCancel(ctx)
	defer stopTwo()
	leads, ended := make(chan string, 2), make(chan string, 2)
	go s.contend(one, "one", leads, ended)
	fmt.Println(<-leads, "leads")
	s.showLease(ctx, "the lease")
	go s.contend(two, "two", leads, ended)
	stopOne()
	fmt.Println(<-ended, "ended")
	fmt.Println(<-leads, "leads")
	s.showLease(ctx, "the lease after it")
	stopTwo()
	fmt.Println(<-ended, "ended")
	s.showLease(ctx, "the released lease")
	return nil
}

func (s *stage) contend(ctx context.Context, name string, leads, ended chan<- string) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: s.namespace, Name: "lock"},
			Client:     s.client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		},
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { leads <- name },
			OnStoppedLeading: func() {},
		},
	})
	ended <- name
}

func (s *stage) showLease(ctx context.Context, title string) {
	s.show(title)(s.client.CoordinationV1().Leases(s.namespace).Get(ctx, "lock", metav1.GetOptions{}))
}
