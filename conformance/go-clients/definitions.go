package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
)

var ringResource = schema.GroupVersionResource{Group: "go.example.com", Version: "v1", Resource: "rings"}
var ringKind = ringResource.GroupVersion().WithKind("Ring")

// definitions defines the custom kind Ring, which the next chapters use.
func definitions(ctx context.Context, s *stage) error {
	client, err := apiextensions.NewForConfig(s.config)
	if err != nil {
		return err
	}
	all := client.ApiextensionsV1().CustomResourceDefinitions()
	made, err := all.Create(ctx, ringDefinition(), metav1.CreateOptions{})
	s.show("create a definition")(made.Spec, err)
	if err != nil {
		return err
	}
	err = until(ctx, "an established definition", func(ctx context.Context) (bool, error) {
		made, err = all.Get(ctx, made.Name, metav1.GetOptions{})
		return err == nil && established(made) && served(s.client), err
	})
	if err != nil {
		return err
	}
	s.show("get it")(made, nil)
	made.Spec.Names.Categories = []string{"jewels"}
	made, err = all.Update(ctx, made, metav1.UpdateOptions{})
	s.show("update it")(made.Spec, err)
	invalid := ringDefinition()
	invalid.Name = "other.go.example.com"
	s.show("create an invalid definition")(all.Create(ctx, invalid, metav1.CreateOptions{}))
	return nil
}

func established(definition *apiextensionsv1.CustomResourceDefinition) bool {
	for _, condition := range definition.Status.Conditions {
		if condition.Type == apiextensionsv1.Established {
			return condition.Status == apiextensionsv1.ConditionStatus(corev1.ConditionTrue)
		}
	}
	return false
}

func served(client *kubernetes.Clientset) bool {
	_, err := client.Discovery().ServerResourcesForGroupVersion(ringKind.GroupVersion().String())
	return err == nil
}

func ringDefinition() *apiextensionsv1.CustomResourceDefinition {
	size := apiextensionsv1.JSONSchemaProps{
		Type: "integer", Minimum: new(1.0), Default: &apiextensionsv1.JSON{Raw: []byte("7")},
	}
	anything := apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: new(true)}
	replicas := apiextensionsv1.JSONSchemaProps{Type: "integer"}
	spec := apiextensionsv1.JSONSchemaProps{
		Type:       "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"size": size, "replicas": replicas},
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "rings.go.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: ringKind.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "rings", Kind: "Ring", ShortNames: []string{"rg"}},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type:       "object",
					Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec, "status": anything},
				}},
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
					Scale:  &apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"},
				},
			}},
		},
	}
}
