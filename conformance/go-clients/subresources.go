package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	autoscalingac "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
)

// subresources reads and writes status, scale, eviction, binding and token.
func subresources(ctx context.Context, s *stage) error {
	if err := s.statusAndScale(ctx); err != nil {
		return err
	}
	if err := s.scaleClient(ctx); err != nil {
		return err
	}
	if err := s.pods(ctx); err != nil {
		return err
	}
	return s.tokens(ctx)
}

func (s *stage) statusAndScale(ctx context.Context) error {
	deployments := s.client.AppsV1().Deployments(s.namespace)
	made, err := deployments.Create(ctx, newDeployment("web"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Status = appsv1.DeploymentStatus{ObservedGeneration: made.Generation, Replicas: 2, Conditions: []appsv1.DeploymentCondition{
		{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "Ready", LastUpdateTime: metav1.Now()},
	}}
	made.Spec.Replicas = new(int32(9))
	s.show("update a status")(deployments.UpdateStatus(ctx, made, metav1.UpdateOptions{}))
	s.show("get a scale")(deployments.GetScale(ctx, "web", metav1.GetOptions{}))
	to := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: autoscalingv1.ScaleSpec{Replicas: 3}}
	s.show("update a scale")(deployments.UpdateScale(ctx, "web", to, metav1.UpdateOptions{}))
	applied := autoscalingac.Scale().WithSpec(autoscalingac.ScaleSpec().WithReplicas(4))
	s.show("apply a scale")(deployments.ApplyScale(ctx, "web", applied, metav1.ApplyOptions{FieldManager: "scaler", Force: true}))
	s.show("get what was scaled")(deployments.Get(ctx, "web", metav1.GetOptions{}))
	to.Spec.Replicas = -1
	s.show("update a scale to an invalid one")(deployments.UpdateScale(ctx, "web", to, metav1.UpdateOptions{}))
	return nil
}

// scaleClient scales with the client of autoscalers, which finds the kind by discovery.
func (s *stage) scaleClient(ctx context.Context) error {
	cached := memory.NewMemCacheClient(s.client.Discovery())
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(cached)
	kinds := scale.NewDiscoveryScaleKindResolver(s.client.Discovery())
	client, err := scale.NewForConfig(s.config, mapper, dynamic.LegacyAPIPathResolverFunc, kinds)
	if err != nil {
		return err
	}
	scales, of := client.Scales(s.namespace), schema.GroupResource{Group: "apps", Resource: "deployments"}
	read, err := scales.Get(ctx, of, "web", metav1.GetOptions{})
	s.show("scale client: get")(read, err)
	if err != nil {
		return err
	}
	read.Spec.Replicas = 6
	s.show("scale client: update")(scales.Update(ctx, of, read, metav1.UpdateOptions{}))
	return nil
}

func (s *stage) pods(ctx context.Context) error {
	if _, err := s.client.CoreV1().ServiceAccounts(s.namespace).Create(ctx,
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	pods := s.client.CoreV1().Pods(s.namespace)
	pod := newPod("a")
	pod.Spec.AutomountServiceAccountToken = new(false)
	made, err := pods.Create(ctx, pod, metav1.CreateOptions{})
	s.show("create a Pod")(made, err)
	if err != nil {
		return err
	}
	s.done("bind it", pods.Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, Target: corev1.ObjectReference{Kind: "Node", Name: "node"},
	}, metav1.CreateOptions{}))
	s.done("bind it again", pods.Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, Target: corev1.ObjectReference{Kind: "Node", Name: "node"},
	}, metav1.CreateOptions{}))
	if made, err = pods.Get(ctx, "a", metav1.GetOptions{}); err != nil {
		return err
	}
	made.Status.Phase = corev1.PodRunning
	made, err = pods.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	s.show("update its status")(made, err)
	made.Spec.EphemeralContainers = []corev1.EphemeralContainer{
		{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug", Image: "image:1"}},
	}
	made, err = pods.UpdateEphemeralContainers(ctx, "a", made, metav1.UpdateOptions{})
	s.show("add an ephemeral container")(made, err)
	made.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("0.1")}
	s.show("resize it")(pods.UpdateResize(ctx, "a", made, metav1.UpdateOptions{}))
	s.done("evict it", pods.EvictV1(ctx, &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, DeleteOptions: metav1.NewDeleteOptions(0),
	}))
	s.done("evict what does not exist", pods.EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "no"}}))
	s.show("list Pods after the eviction")(pods.List(ctx, metav1.ListOptions{}))
	return nil
}

func (s *stage) tokens(ctx context.Context) error {
	accounts := s.client.CoreV1().ServiceAccounts(s.namespace)
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: new(int64(3600))}}
	token, err := accounts.CreateToken(ctx, "default", request, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token}}
	token.Spec.Audiences = nil // They are the address of the server.
	s.show("create a token")(token, err)
	reviews := s.client.AuthenticationV1().TokenReviews()
	reviewed, err := reviews.Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	s.show("review it")(reviewed.Status.User.Username, err)
	review.Spec.Token = "no"
	reviewed, err = reviews.Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	s.show("review an invalid token")(reviewed.Status.Authenticated, err)
	return nil
}
