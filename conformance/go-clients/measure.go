package main

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const measuredNamespace = "go-measured"

// measure lists Pods in both encodings, and prints time and bytes of the fastest of several lists.
func measure(ctx context.Context, config *rest.Config, count int) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := createPods(ctx, client, count); err != nil {
		return err
	}
	for _, accept := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		for _, version := range []string{"", "0"} {
			if err := measureLists(ctx, config, accept, version); err != nil {
				return err
			}
		}
	}
	return nil
}

func createPods(ctx context.Context, client *kubernetes.Clientset, count int) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: measuredNamespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
	if _, err := client.CoreV1().ServiceAccounts(measuredNamespace).Create(ctx, account, metav1.CreateOptions{}); err != nil {
		return err
	}
	failures := make(chan error, count)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			for at := next.Add(1); at <= int64(count); at = next.Add(1) {
				failures <- createPod(ctx, client, fmt.Sprintf("pod-%06d", at))
			}
		})
	}
	workers.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// createPod creates a Pod of about the size of a usual one.
func createPod(ctx context.Context, client *kubernetes.Clientset, name string) error {
	pods := client.CoreV1().Pods(measuredNamespace)
	pod := newPod(name)
	pod.Spec.AutomountServiceAccountToken = new(false)
	container := &pod.Spec.Containers[0]
	for at := range 5 {
		container.Env = append(container.Env, corev1.EnvVar{Name: fmt.Sprint("VARIABLE_", at), Value: "a value of some length"})
	}
	container.Ports = []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}}
	made, err := pods.Create(ctx, pod, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Status.Phase, made.Status.PodIP, made.Status.HostIP = corev1.PodRunning, "10.0.0.1", "10.0.0.2"
	for _, of := range []corev1.PodConditionType{corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
		condition := corev1.PodCondition{Type: of, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}
		made.Status.Conditions = append(made.Status.Conditions, condition)
	}
	made.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Image: "image:1", ImageID: "image@sha256:0123456789", Ready: true}}
	_, err = pods.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	return err
}

func measureLists(ctx context.Context, config *rest.Config, accept, version string) error {
	counted := rest.CopyConfig(config)
	counted.AcceptContentTypes, counted.ContentType, counted.DisableCompression = accept, accept, true
	var bytes atomic.Int64
	counted.Wrap(func(next http.RoundTripper) http.RoundTripper { return &counter{next, &bytes} })
	client, err := kubernetes.NewForConfig(counted)
	if err != nil {
		return err
	}
	fastest := time.Hour
	var pods *corev1.PodList
	for range 7 {
		pods = nil
		runtime.GC()
		bytes.Store(0)
		start := time.Now()
		if pods, err = client.CoreV1().Pods(measuredNamespace).List(ctx, metav1.ListOptions{ResourceVersion: version}); err != nil {
			return err
		}
		fastest = min(fastest, time.Since(start))
	}
	fmt.Printf("%s, resourceVersion %q: %d Pods, %d bytes, %d ms\n",
		accept, version, len(pods.Items), bytes.Load(), fastest.Milliseconds())
	return nil
}
