// The webhook server of controller-runtime for the bench "webhook". It runs until its input ends.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"trimtab.dev/bench/probe"
)

func main() {
	arguments := probe.Given()
	ctrl.SetLogger(zap.New())
	server := webhook.NewServer(webhook.Options{
		Host:    "127.0.0.1",
		Port:    arguments.Number("port"),
		CertDir: arguments["certificates"],
	})
	manager := newManager(server)
	probe.Must(ctrl.NewWebhookManagedBy(manager, &corev1.Pod{}).
		WithDefaulter(annotator{}).
		WithValidator(validator{}).
		Complete())
	go func() { probe.Must(manager.Start(context.Background())) }()
	waitUntilListening(server)
	fmt.Println(`{"listening":true}`)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// newManager returns a manager that never sends a request to its API server: it has no controllers.
func newManager(server webhook.Server) ctrl.Manager {
	scheme := kruntime.NewScheme()
	probe.Must(corev1.AddToScheme(scheme))
	manager, err := ctrl.NewManager(&rest.Config{Host: "https://127.0.0.1:1"}, ctrl.Options{
		Scheme:        scheme,
		Metrics:       metricsserver.Options{BindAddress: "0"},
		WebhookServer: server,
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			return meta.NewDefaultRESTMapper(nil), nil
		},
	})
	probe.Must(err)
	return manager
}

func waitUntilListening(server webhook.Server) {
	for server.StartedChecker()(nil) != nil {
		time.Sleep(10 * time.Millisecond)
	}
}

// annotator adds an annotation to each Pod.
type annotator struct{}

func (annotator) Default(_ context.Context, pod *corev1.Pod) error {
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	pod.Annotations["bench.trimtab.dev/admitted"] = "true"
	return nil
}

// validator checks one field of each Pod.
type validator struct{}

func (validator) ValidateCreate(_ context.Context, pod *corev1.Pod) (admission.Warnings, error) {
	if pod.Spec.ServiceAccountName == "" {
		return nil, errors.New("spec.serviceAccountName is required")
	}
	return nil, nil
}

func (v validator) ValidateUpdate(ctx context.Context, _, pod *corev1.Pod) (admission.Warnings, error) {
	return v.ValidateCreate(ctx, pod)
}

func (validator) ValidateDelete(context.Context, *corev1.Pod) (admission.Warnings, error) {
	return nil, nil
}
