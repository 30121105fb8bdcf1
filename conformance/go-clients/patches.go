package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	appsac "k8s.io/client-go/applyconfigurations/apps/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	metaac "k8s.io/client-go/applyconfigurations/meta/v1"
)

// patches sends a patch of each type, and invalid ones.
func patches(ctx context.Context, s *stage) error {
	deployments := s.client.AppsV1().Deployments(s.namespace)
	if _, err := deployments.Create(ctx, newDeployment("web"), metav1.CreateOptions{}); err != nil {
		return err
	}
	patch := func(title string, kind types.PatchType, body string) {
		s.show(title)(deployments.Patch(ctx, "web", kind, []byte(body), metav1.PatchOptions{FieldManager: "patcher"}))
	}
	patch("json patch", types.JSONPatchType, `[{"op":"replace","path":"/spec/replicas","value":5}]`)
	patch("json patch whose test fails", types.JSONPatchType, `[{"op":"test","path":"/spec/replicas","value":9}]`)
	patch("merge patch", types.MergePatchType, `{"metadata":{"labels":{"more":"1","app":null}}}`)
	patch("strategic merge patch", types.StrategicMergePatchType,
		`{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"1"}]},{"name":"side","image":"i"}]}}}}`)
	patch("strategic merge patch that deletes", types.StrategicMergePatchType,
		`{"spec":{"template":{"spec":{"containers":[{"name":"side","$patch":"delete"}]}}}}`)
	patch("invalid patch", types.MergePatchType, `{"spec":{"replicas":-1}}`)
	patch("patch that is no JSON", types.MergePatchType, `{`)
	s.show("patch of nothing")(deployments.Patch(ctx, "no", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}))
	return nil
}

// applies are server-side applies of two field managers.
func applies(ctx context.Context, s *stage) error {
	maps := s.client.CoreV1().ConfigMaps(s.namespace)
	with := func(data map[string]string) *coreac.ConfigMapApplyConfiguration {
		return coreac.ConfigMap("a", s.namespace).WithData(data)
	}
	one, two := metav1.ApplyOptions{FieldManager: "one"}, metav1.ApplyOptions{FieldManager: "two"}
	s.show("apply creates")(maps.Apply(ctx, with(map[string]string{"x": "1", "y": "1"}), one))
	s.show("apply by another manager conflicts")(maps.Apply(ctx, with(map[string]string{"x": "2"}), two))
	two.Force = true
	s.show("apply with force")(maps.Apply(ctx, with(map[string]string{"x": "2"}), two))
	s.show("apply without a field")(maps.Apply(ctx, with(map[string]string{}), one))
	read, err := maps.Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		return err
	}
	s.show("extract")(coreac.ExtractConfigMap(read, "two"))
	labels := map[string]string{"app": "web"}
	web := appsac.Deployment("web", s.namespace).WithSpec(appsac.DeploymentSpec().WithReplicas(1).
		WithSelector(metaac.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(coreac.PodTemplateSpec().WithLabels(labels).
			WithSpec(coreac.PodSpec().WithContainers(coreac.Container().WithName("main").WithImage("image:1")))))
	deployments := s.client.AppsV1().Deployments(s.namespace)
	s.show("apply a Deployment")(deployments.Apply(ctx, web, one))
	status := appsac.Deployment("web", s.namespace).WithStatus(appsac.DeploymentStatus().WithReplicas(1))
	s.show("apply its status")(deployments.ApplyStatus(ctx, status, one))
	return nil
}
