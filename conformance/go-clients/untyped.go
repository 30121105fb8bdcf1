package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
)

var configMapResource = corev1.SchemeGroupVersion.WithResource("configmaps")

// dynamicClient uses a built-in and a custom kind without Go types.
func dynamicClient(ctx context.Context, s *stage) error {
	client, err := dynamic.NewForConfig(s.config)
	if err != nil {
		return err
	}
	configMap := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"a": "1"}}
	if err := s.verbs(ctx, client.Resource(configMapResource).Namespace(s.namespace), configMap); err != nil {
		return err
	}
	rings := client.Resource(ringResource).Namespace(s.namespace)
	if err := s.verbs(ctx, rings, ring(5)); err != nil {
		return err
	}
	return s.ringSubresources(ctx, rings)
}

func ring(size int64) map[string]any {
	spec := map[string]any{"size": size, "replicas": int64(1)}
	return map[string]any{"apiVersion": ringKind.GroupVersion().String(), "kind": ringKind.Kind, "spec": spec}
}

func (s *stage) verbs(ctx context.Context, client dynamic.ResourceInterface, content map[string]any) error {
	object := &unstructured.Unstructured{Object: content}
	object.SetName("a")
	kind := object.GetKind()
	made, err := client.Create(ctx, object, metav1.CreateOptions{})
	s.show("dynamic: create a "+kind)(made, err)
	if err != nil {
		return err
	}
	s.show("dynamic: get it")(client.Get(ctx, "a", metav1.GetOptions{}))
	made.SetLabels(map[string]string{"app": "go"})
	s.show("dynamic: update it")(client.Update(ctx, made, metav1.UpdateOptions{}))
	s.show("dynamic: patch it")(client.Patch(ctx, "a", types.MergePatchType,
		[]byte(`{"metadata":{"annotations":{"a":"b"}}}`), metav1.PatchOptions{}))
	applied := object.DeepCopy()
	applied.SetName("applied")
	s.show("dynamic: apply one")(client.Apply(ctx, "applied", applied, metav1.ApplyOptions{FieldManager: "one"}))
	s.show("dynamic: list")(client.List(ctx, metav1.ListOptions{Limit: 1, LabelSelector: "app=go"}))
	events, err := client.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=applied"})
	if err != nil {
		return err
	}
	defer events.Stop()
	s.done("dynamic: delete", client.Delete(ctx, "applied", metav1.DeleteOptions{}))
	s.done("dynamic: delete a collection", client.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=go"}))
	return s.showEvents(ctx, "dynamic: watch", 2, events)
}

func (s *stage) ringSubresources(ctx context.Context, rings dynamic.ResourceInterface) error {
	object := &unstructured.Unstructured{Object: ring(0)}
	object.SetName("invalid")
	s.show("dynamic: create an invalid Ring")(rings.Create(ctx, object, metav1.CreateOptions{}))
	object = &unstructured.Unstructured{Object: ring(3)}
	object.SetName("b")
	made, err := rings.Create(ctx, object, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Object["status"] = map[string]any{"replicas": int64(1), "phase": "Round"}
	s.show("dynamic: update a status")(rings.UpdateStatus(ctx, made, metav1.UpdateOptions{}))
	s.show("dynamic: get a scale")(rings.Get(ctx, "b", metav1.GetOptions{}, "scale"))
	s.show("dynamic: patch a scale")(rings.Patch(ctx, "b", types.MergePatchType,
		[]byte(`{"spec":{"replicas":4}}`), metav1.PatchOptions{}, "scale"))
	status := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": made.GetAPIVersion(), "kind": made.GetKind(), "status": map[string]any{"more": "1"},
	}}
	status.SetName("b")
	s.show("dynamic: apply a status")(rings.ApplyStatus(ctx, "b", status, metav1.ApplyOptions{FieldManager: "one"}))
	return nil
}

// metadataClient sees only the metadata of objects.
func metadataClient(ctx context.Context, s *stage) error {
	client, err := metadata.NewForConfig(s.config)
	if err != nil {
		return err
	}
	if _, err := s.client.CoreV1().ConfigMaps(s.namespace).Create(ctx, newConfigMap("a"), metav1.CreateOptions{}); err != nil {
		return err
	}
	maps := client.Resource(configMapResource).Namespace(s.namespace)
	s.show("metadata: get")(maps.Get(ctx, "a", metav1.GetOptions{}))
	found, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "app=go"})
	if err != nil {
		return err
	}
	for i := range found.Items {
		found.Items[i].TypeMeta = metav1.TypeMeta{} // Protobuf has it only once, for the list.
	}
	s.show("metadata: list")(found, nil)
	events, err := maps.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=a"})
	if err != nil {
		return err
	}
	defer events.Stop()
	s.show("metadata: patch")(maps.Patch(ctx, "a", types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"app":null}}}`), metav1.PatchOptions{}))
	s.done("metadata: delete", maps.Delete(ctx, "a", metav1.DeleteOptions{}))
	if err := s.showEvents(ctx, "metadata: watch", 3, events); err != nil {
		return err
	}
	s.done("metadata: delete a collection", maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	s.show("metadata: get what does not exist")(maps.Get(ctx, "a", metav1.GetOptions{}))
	s.show("metadata: list rings")(client.Resource(ringResource).Namespace(s.namespace).List(ctx, metav1.ListOptions{}))
	return nil
}
