// Package website has the custom object of the stub, as a generated client would have it.
package website

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var GroupVersion = schema.GroupVersion{Group: "bench.trimtab.dev", Version: "v1"}

type Website struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WebsiteSpec   `json:"spec"`
	Status            WebsiteStatus `json:"status"`
}

type WebsiteSpec struct {
	Host     string `json:"host"`
	Image    string `json:"image"`
	Replicas int32  `json:"replicas"`
}

type WebsiteStatus struct {
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration"`
	ReadyReplicas      int32              `json:"readyReplicas"`
}

type WebsiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []Website `json:"items"`
}

func (w *Website) DeepCopyObject() runtime.Object {
	copied := *w
	w.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	copied.Status.Conditions = slices.Clone(w.Status.Conditions)
	return &copied
}

func (l *WebsiteList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.Items = slices.Clone(l.Items)
	return &copied
}

// AddTo lets a scheme know the object and its list.
func AddTo(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(GroupVersion, &Website{}, &WebsiteList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
}
