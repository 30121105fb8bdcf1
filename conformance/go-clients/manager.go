package main

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// managers runs two managers with leader election. The second takes over from the first.
func managers(ctx context.Context, s *stage) error {
	first, err := s.startManager(ctx, "first")
	if err != nil {
		return err
	}
	defer first.stop()
	<-first.Elected()
	fmt.Println("the first leads")
	second, err := s.startManager(ctx, "second")
	if err != nil {
		return err
	}
	defer second.stop()
	if err := s.reconciled(ctx); err != nil {
		return err
	}
	first.stop()
	s.done("the first ended", <-first.ended)
	<-second.Elected()
	fmt.Println("the second leads")
	if err := s.deleted(ctx); err != nil {
		return err
	}
	if err := s.showIndexed(ctx, second); err != nil {
		return err
	}
	second.stop()
	s.done("the second ended", <-second.ended)
	lease, err := s.client.CoordinationV1().Leases(s.namespace).Get(ctx, "go-clients", metav1.GetOptions{})
	if err != nil {
		return err
	}
	fmt.Println("lease transitions:", *lease.Spec.LeaseTransitions, "released:", *lease.Spec.HolderIdentity == "")
	return nil
}

// running is a manager that runs until it is stopped.
type running struct {
	manager.Manager
	stop  context.CancelFunc
	ended chan error
}

func (s *stage) startManager(ctx context.Context, name string) (*running, error) {
	made, err := ctrl.NewManager(s.config, ctrl.Options{
		Cache:                         cache.Options{DefaultNamespaces: map[string]cache.Config{s.namespace: {}}},
		Controller:                    config.Controller{SkipNameValidation: new(true)},
		LeaderElection:                true,
		LeaderElectionID:              "go-clients",
		LeaderElectionNamespace:       s.namespace,
		LeaderElectionReleaseOnCancel: true,
		Metrics:                       metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return nil, err
	}
	reconciler := &webReconciler{made.GetClient(), made.GetEventRecorder("go-clients"), name}
	if err := ctrl.NewControllerManagedBy(made).For(&appsv1.Deployment{}).Owns(&corev1.ConfigMap{}).Complete(reconciler); err != nil {
		return nil, err
	}
	owner := func(object client.Object) []string {
		controller := metav1.GetControllerOf(object)
		if controller == nil {
			return nil
		}
		return []string{controller.Name}
	}
	if err := made.GetFieldIndexer().IndexField(ctx, &corev1.ConfigMap{}, "controller", owner); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	started := &running{made, stop, make(chan error, 1)}
	go func() { started.ended <- made.Start(ctx) }()
	return started, nil
}

// reconciled creates and changes a Deployment and its child, and shows what the reconciler makes of it.
func (s *stage) reconciled(ctx context.Context) error {
	deployments, maps := s.client.AppsV1().Deployments(s.namespace), s.client.CoreV1().ConfigMaps(s.namespace)
	made, err := deployments.Create(ctx, newDeployment("web"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := s.untilReconciled(ctx, "created"); err != nil {
		return err
	}
	made, err = deployments.Patch(ctx, "web", types.MergePatchType, []byte(`{"spec":{"replicas":4}}`), metav1.PatchOptions{})
	if err != nil {
		return err
	}
	if err := s.untilReconciled(ctx, "scaled"); err != nil {
		return err
	}
	child, err := maps.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	fmt.Println("the child has its controller:", metav1.IsControlledBy(child, made))
	if err := maps.Delete(ctx, "web", metav1.DeleteOptions{}); err != nil {
		return err
	}
	err = until(ctx, "another child", func(ctx context.Context) (bool, error) {
		next, err := maps.Get(ctx, "web", metav1.GetOptions{})
		return err == nil && next.UID != child.UID, client.IgnoreNotFound(err)
	})
	if err != nil {
		return err
	}
	if err := s.untilReconciled(ctx, "with another child"); err != nil {
		return err
	}
	return s.showManagerEvents(ctx)
}

// untilReconciled waits until status and child agree with the spec, and shows both.
func (s *stage) untilReconciled(ctx context.Context, title string) error {
	var web *appsv1.Deployment
	var child *corev1.ConfigMap
	err := until(ctx, "a reconciled Deployment", func(ctx context.Context) (_ bool, err error) {
		if web, err = s.client.AppsV1().Deployments(s.namespace).Get(ctx, "web", metav1.GetOptions{}); err != nil {
			return false, err
		}
		child, err = s.client.CoreV1().ConfigMaps(s.namespace).Get(ctx, "web", metav1.GetOptions{})
		if err != nil {
			return false, client.IgnoreNotFound(err)
		}
		return web.Status.ObservedGeneration == web.Generation && child.Data["replicas"] == fmt.Sprint(*web.Spec.Replicas), nil
	})
	if err != nil {
		return err
	}
	s.show("Deployment "+title)(web, nil)
	s.show("child "+title)(child, nil)
	return nil
}

// deleted deletes the Deployment, whose finalizer the reconciler removes.
func (s *stage) deleted(ctx context.Context) error {
	deployments := s.client.AppsV1().Deployments(s.namespace)
	if err := deployments.Delete(ctx, "web", metav1.DeleteOptions{}); err != nil {
		return err
	}
	err := until(ctx, "no Deployment", func(ctx context.Context) (bool, error) {
		_, err := deployments.Get(ctx, "web", metav1.GetOptions{})
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	})
	if err != nil {
		return err
	}
	s.show("child after the delete")(s.client.CoreV1().ConfigMaps(s.namespace).Get(ctx, "web", metav1.GetOptions{}))
	return nil
}

// showIndexed lists by an index of the manager's cache.
func (s *stage) showIndexed(ctx context.Context, from *running) error {
	found := &corev1.ConfigMapList{}
	err := until(ctx, "the farewell in the cache", func(ctx context.Context) (bool, error) {
		err := from.GetClient().List(ctx, found, client.MatchingFields{"controller": "web"})
		return len(found.Items) == 1 && found.Items[0].Data["farewell"] != "", err
	})
	s.show("children in the cache")(found.Items, err)
	return err
}

// showManagerEvents waits for the events of the reconciler, which are recorded in the background, and shows each once.
func (s *stage) showManagerEvents(ctx context.Context) error {
	lines := []string{}
	err := until(ctx, "events of the reconciler", func(ctx context.Context) (bool, error) {
		found, err := s.client.EventsV1().Events(s.namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		lines = linesOf(found.Items)
		return len(lines) == 2, nil
	})
	s.show("events")(lines, err)
	return err
}

// linesOf returns a line for each event about a Deployment. How often an event was recorded depends on time.
func linesOf(found []eventsv1.Event) []string {
	lines := []string{}
	for _, event := range found {
		if event.Regarding.Kind == "Deployment" {
			lines = append(lines, fmt.Sprint(event.Type, " ", event.Reason, " ", event.Action, ": ", event.Note))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
