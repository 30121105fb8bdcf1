package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/util/retry"
)

// typedClient creates, reads, updates and deletes objects with the generated clients.
func typedClient(ctx context.Context, s *stage) error {
	configMaps(ctx, s)
	refusals(ctx, s)
	workloads(ctx, s)
	return updateWithRetry(ctx, s)
}

func configMaps(ctx context.Context, s *stage) {
	maps := s.client.CoreV1().ConfigMaps(s.namespace)
	made, err := maps.Create(ctx, newConfigMap("a"), metav1.CreateOptions{})
	s.show("create a ConfigMap")(made, err)
	s.show("get it")(maps.Get(ctx, "a", metav1.GetOptions{}))
	made.Data["more"] = "Grüße"
	made.BinaryData = map[string][]byte{"bytes": {0, 255, 10}}
	s.show("update it")(maps.Update(ctx, made, metav1.UpdateOptions{FieldManager: "updater"}))
	s.show("update it with its old version")(maps.Update(ctx, made, metav1.UpdateOptions{}))
	dry := newConfigMap("dry")
	s.show("create with a dry run")(maps.Create(ctx, dry, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}))
	random := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "random-"}}
	s.show("create with a generated name")(maps.Create(ctx, random, metav1.CreateOptions{}))
	s.done("delete if the uid is another", maps.Delete(ctx, "a", *metav1.NewPreconditionDeleteOptions("other")))
	s.done("delete if the uid is this", maps.Delete(ctx, "a", *metav1.NewPreconditionDeleteOptions(string(made.UID))))
	s.show("get it after the delete")(maps.Get(ctx, "a", metav1.GetOptions{}))
}

// refusals are requests that the server refuses, and the errors of client-go.
func refusals(ctx context.Context, s *stage) {
	maps := s.client.CoreV1().ConfigMaps(s.namespace)
	s.show("create without a name")(maps.Create(ctx, &corev1.ConfigMap{}, metav1.CreateOptions{}))
	s.show("create with an invalid name")(maps.Create(ctx, newConfigMap("A_"), metav1.CreateOptions{}))
	s.show("update what does not exist")(maps.Update(ctx, newConfigMap("no"), metav1.UpdateOptions{}))
	elsewhere := newConfigMap("elsewhere")
	elsewhere.Namespace = "other"
	s.show("create in another namespace")(maps.Create(ctx, elsewhere, metav1.CreateOptions{}))
	_, err := maps.Create(ctx, newConfigMap("twice"), metav1.CreateOptions{})
	s.done("create once", err)
	s.show("create twice")(maps.Create(ctx, newConfigMap("twice"), metav1.CreateOptions{}))
	invalid := newDeployment("invalid")
	invalid.Spec.Template.Labels = nil
	s.show("create an invalid Deployment")(s.client.AppsV1().Deployments(s.namespace).Create(ctx, invalid, metav1.CreateOptions{}))
	s.done("delete what does not exist", maps.Delete(ctx, "no", metav1.DeleteOptions{}))
	lost := s.client.CoreV1().ConfigMaps("go-nowhere")
	s.show("create in a missing namespace")(lost.Create(ctx, newConfigMap("a"), metav1.CreateOptions{}))
}

// workloads creates an object of several groups each, to see their defaults.
func workloads(ctx context.Context, s *stage) {
	in, options := s.namespace, metav1.CreateOptions{}
	template := newDeployment("x").Spec.Template
	labels := &metav1.LabelSelector{MatchLabels: template.Labels}
	web := metav1.ObjectMeta{Name: "web"}
	s.show("create a Deployment")(s.client.AppsV1().Deployments(in).Create(ctx, newDeployment("web"), options))
	s.show("create a StatefulSet")(s.client.AppsV1().StatefulSets(in).Create(ctx,
		&appsv1.StatefulSet{ObjectMeta: web, Spec: appsv1.StatefulSetSpec{Selector: labels, Template: template}}, options))
	once := template.DeepCopy()
	once.Spec.RestartPolicy = corev1.RestartPolicyNever
	s.show("create a CronJob")(s.client.BatchV1().CronJobs(in).Create(ctx, &batchv1.CronJob{ObjectMeta: web, Spec: batchv1.CronJobSpec{
		Schedule: "* * * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: *once}},
	}}, options))
	s.show("create a Secret")(s.client.CoreV1().Secrets(in).Create(ctx,
		&corev1.Secret{ObjectMeta: web, StringData: map[string]string{"a": "b"}}, options))
	s.show("create a claim")(s.client.CoreV1().PersistentVolumeClaims(in).Create(ctx, &corev1.PersistentVolumeClaim{
		ObjectMeta: web,
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("0.5Gi")}},
		},
	}, options))
	s.show("create a budget")(s.client.PolicyV1().PodDisruptionBudgets(in).Create(ctx, &policyv1.PodDisruptionBudget{
		ObjectMeta: web, Spec: policyv1.PodDisruptionBudgetSpec{Selector: labels, MinAvailable: new(intstr.FromString("50%"))},
	}, options))
	s.show("create a network policy")(s.client.NetworkingV1().NetworkPolicies(in).Create(ctx, &networkingv1.NetworkPolicy{
		ObjectMeta: web, Spec: networkingv1.NetworkPolicySpec{Ingress: []networkingv1.NetworkPolicyIngressRule{{
			Ports: []networkingv1.NetworkPolicyPort{{Port: new(intstr.FromInt32(80))}},
		}}},
	}, options))
	s.show("create a Role")(s.client.RbacV1().Roles(in).Create(ctx, &rbacv1.Role{
		ObjectMeta: web, Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"get"}}},
	}, options))
}

// updateWithRetry loses a conflict first.
func updateWithRetry(ctx context.Context, s *stage) error {
	maps := s.client.CoreV1().ConfigMaps(s.namespace)
	if _, err := maps.Create(ctx, newConfigMap("retried"), metav1.CreateOptions{}); err != nil {
		return err
	}
	attempts := 0
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		attempts++
		read, err := maps.Get(ctx, "retried", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if attempts == 1 {
			between := read.DeepCopy()
			between.Data["by"] = "another"
			if _, err := maps.Update(ctx, between, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		read.Data["attempts"] = "counted"
		updated, err := maps.Update(ctx, read, metav1.UpdateOptions{})
		s.show("update with retries")(updated, err)
		return err
	})
}

func newConfigMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "go"}},
		Data:       map[string]string{"key": "value"},
	}
}

func newDeployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(2)),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "image:1"}}},
			},
		},
	}
}

func newPod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "go"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "image:1"}}},
	}
}
