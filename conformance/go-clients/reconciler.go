package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "go.example.com/farewell"

// webReconciler keeps a ConfigMap for each Deployment, with the number of replicas.
type webReconciler struct {
	client.Client
	recorder events.EventRecorder
	name     string
}

func (r *webReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	web := &appsv1.Deployment{}
	if err := r.Get(ctx, request.NamespacedName, web); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !web.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finalize(ctx, web)
	}
	if controllerutil.AddFinalizer(web, finalizer) {
		return ctrl.Result{}, r.Update(ctx, web)
	}
	if err := r.keepChild(ctx, web); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.observe(ctx, web)
}

func (r *webReconciler) keepChild(ctx context.Context, web *appsv1.Deployment) error {
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: web.Namespace, Name: web.Name}}
	result, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		child.Data = map[string]string{"replicas": fmt.Sprint(*web.Spec.Replicas)}
		return controllerutil.SetControllerReference(web, child, r.Scheme())
	})
	if err != nil || result == controllerutil.OperationResultNone {
		return err
	}
	r.recorder.Eventf(web, child, corev1.EventTypeNormal, "Kept", "Keep", "child %s", result)
	return nil
}

func (r *webReconciler) observe(ctx context.Context, web *appsv1.Deployment) error {
	if web.Status.ObservedGeneration == web.Generation {
		return nil
	}
	base := web.DeepCopy()
	web.Status.ObservedGeneration = web.Generation
	return r.Status().Patch(ctx, web, client.MergeFrom(base))
}

// finalize applies a field to the child, and releases the Deployment.
func (r *webReconciler) finalize(ctx context.Context, web *appsv1.Deployment) error {
	farewell := coreac.ConfigMap(web.Name, web.Namespace).WithData(map[string]string{"farewell": r.name})
	if err := r.Apply(ctx, farewell, client.FieldOwner("farewell")); err != nil {
		return err
	}
	if controllerutil.RemoveFinalizer(web, finalizer) {
		return r.Update(ctx, web)
	}
	return nil
}
