package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// runtimeClient uses the client of controller-runtime without a cache.
func runtimeClient(ctx context.Context, s *stage) error {
	c, err := client.NewWithWatch(s.config, client.Options{})
	if err != nil {
		return err
	}
	if err := s.runtimeVerbs(ctx, c); err != nil {
		return err
	}
	if err := s.runtimeUntyped(ctx, c); err != nil {
		return err
	}
	return s.runtimeSubresources(ctx, c)
}

func (s *stage) runtimeVerbs(ctx context.Context, c client.WithWatch) error {
	made := newConfigMap("a")
	made.Namespace = s.namespace
	s.done("create", c.Create(ctx, made, client.FieldOwner("go")))
	s.show("created")(made, nil)
	base := made.DeepCopy()
	made.Data["patched"] = "1"
	s.done("merge patch", c.Patch(ctx, made, client.MergeFrom(base)))
	s.done("merge patch with an old version", c.Patch(ctx, base.DeepCopy(),
		client.MergeFromWithOptions(stale(base), client.MergeFromWithOptimisticLock{})))
	s.done("strategic patch", c.Patch(ctx, made, client.StrategicMergeFrom(base)))
	result, err := controllerutil.CreateOrUpdate(ctx, c, made, func() error {
		made.Labels["more"] = "1"
		return nil
	})
	s.show("create or update")(result, err)
	applied := coreac.ConfigMap("applied", s.namespace).WithData(map[string]string{"a": "1"})
	s.done("apply", c.Apply(ctx, applied, client.FieldOwner("go"), client.ForceOwnership))
	s.show("applied")(applied, nil)
	found := &corev1.ConfigMapList{}
	s.done("list", c.List(ctx, found, client.InNamespace(s.namespace), client.MatchingLabels{"app": "go"}))
	s.show("listed")(found, nil)
	events, err := c.Watch(ctx, &corev1.ConfigMapList{}, client.InNamespace(s.namespace), client.MatchingFields{"metadata.name": "a"})
	if err != nil {
		return err
	}
	defer events.Stop()
	s.done("delete", c.Delete(ctx, made, client.Preconditions{UID: &made.UID}))
	s.done("delete again", client.IgnoreNotFound(c.Delete(ctx, made)))
	s.done("get after it", c.Get(ctx, client.ObjectKeyFromObject(made), made))
	return s.showEvents(ctx, "watch", 2, events)
}

// stale returns an object with a version that was never stored.
func stale(object *corev1.ConfigMap) *corev1.ConfigMap {
	old := object.DeepCopy()
	old.ResourceVersion = "1"
	return old
}

func (s *stage) runtimeUntyped(ctx context.Context, c client.Client) error {
	one := &unstructured.Unstructured{Object: ring(2)}
	one.SetName("a")
	one.SetNamespace(s.namespace)
	s.done("create a Ring", c.Create(ctx, one))
	s.show("created")(one, nil)
	partial := &metav1.PartialObjectMetadata{}
	partial.SetGroupVersionKind(ringKind)
	s.done("get its metadata", c.Get(ctx, client.ObjectKeyFromObject(one), partial))
	s.show("metadata")(partial, nil)
	all := &metav1.PartialObjectMetadataList{}
	all.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	s.done("list metadata of ConfigMaps", c.List(ctx, all, client.InNamespace(s.namespace)))
	s.show("metadata")(all, nil)
	s.done("delete all of it", c.DeleteAllOf(ctx, one, client.InNamespace(s.namespace)))
	err := c.Get(ctx, client.ObjectKeyFromObject(one), one)
	s.show("is it gone")(apierrors.IsNotFound(err), nil)
	return nil
}

func (s *stage) runtimeSubresources(ctx context.Context, c client.Client) error {
	web := newDeployment("web")
	web.Namespace = s.namespace
	if err := c.Create(ctx, web); err != nil {
		return err
	}
	web.Status = appsv1.DeploymentStatus{Replicas: 1}
	s.done("update a status", c.Status().Update(ctx, web))
	base := web.DeepCopy()
	web.Status.Replicas = 2
	s.done("patch a status", c.Status().Patch(ctx, web, client.MergeFrom(base)))
	s.show("status")(web, nil)
	pod := newPod("a")
	pod.Namespace = s.namespace
	pod.Spec.AutomountServiceAccountToken = new(false)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: s.namespace}}
	if err := c.Create(ctx, account); err != nil {
		return err
	}
	s.done("create a Pod", c.Create(ctx, pod))
	s.done("evict it", c.SubResource("eviction").Create(ctx, pod, &policyv1.Eviction{}))
	return nil
}
