package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"trimtab.dev/bench/probe"
	"trimtab.dev/bench/website"
)

// Adds the controller of a case to the manager.
func build(manager ctrl.Manager, operation, kind string, options controller.Options, done *reconciles) error {
	shape := &shape{client: manager.GetClient(), newObject: objects[kind], done: done}
	builder := ctrl.NewControllerManagedBy(manager).Named("bench").For(shape.newObject()).WithOptions(options)
	if operation == "children" {
		builder = builder.Owns(&corev1.Pod{})
		if err := manager.GetFieldIndexer().IndexField(context.Background(), &corev1.Pod{}, ownerIndex, ownerName); err != nil {
			return err
		}
	}
	work := map[string]work{
		"key":      shape.nothing,
		"start":    shape.read,
		"read":     shape.read,
		"patch":    shape.patch,
		"paced":    shape.readStamp,
		"children": shape.readChildren,
	}[operation]
	return builder.Complete(reconcile.Func(func(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
		probe.Must(work(ctx, request.NamespacedName))
		done.add()
		return ctrl.Result{}, nil
	}))
}

var objects = map[string]func() client.Object{
	"pods":     func() client.Object { return &corev1.Pod{} },
	"websites": func() client.Object { return &website.Website{} },
}

type work func(ctx context.Context, key types.NamespacedName) error

// What a reconcile does.
type shape struct {
	client    client.Client
	newObject func() client.Object
	done      *reconciles
}

func (s *shape) nothing(context.Context, types.NamespacedName) error { return nil }

func (s *shape) read(ctx context.Context, key types.NamespacedName) error {
	return s.client.Get(ctx, key, s.newObject())
}

func (s *shape) patch(ctx context.Context, key types.NamespacedName) error {
	object := s.newObject()
	if err := s.client.Get(ctx, key, object); err != nil {
		return err
	}
	return s.client.Status().Patch(ctx, object, client.RawPatch(types.MergePatchType, statusPatch))
}

var statusPatch = []byte(`{"status":{"message":"reconciled"}}`)

func (s *shape) readStamp(ctx context.Context, key types.NamespacedName) error {
	object := s.newObject()
	if err := s.client.Get(ctx, key, object); err != nil {
		return err
	}
	sent, err := strconv.ParseInt(object.GetAnnotations()["bench.trimtab.dev/sent-us"], 10, 64)
	s.done.late = append(s.done.late, time.Now().UnixMicro()-sent)
	return err
}

// The way its own documentation lists what an object owns.
func (s *shape) readChildren(ctx context.Context, key types.NamespacedName) error {
	if err := s.read(ctx, key); err != nil {
		return err
	}
	var pods corev1.PodList
	owned := client.MatchingFields{ownerIndex: key.Name}
	if err := s.client.List(ctx, &pods, client.InNamespace(key.Namespace), owned); err != nil {
		return err
	}
	running := 0
	for i := range pods.Items {
		if pods.Items[i].Status.Phase == corev1.PodRunning {
			running++
		}
	}
	if running != children {
		return fmt.Errorf("expected %d running pods of %s, got %d", children, key, running)
	}
	return nil
}

const children = 200
const ownerIndex = ".metadata.controller"

func ownerName(object client.Object) []string {
	owner := metav1.GetControllerOf(object)
	if owner == nil || owner.APIVersion != website.GroupVersion.String() || owner.Kind != "Website" {
		return nil
	}
	return []string{owner.Name}
}
