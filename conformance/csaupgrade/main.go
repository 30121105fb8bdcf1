// Applies an object as a new field manager and takes over the fields of its former ones with client-go's csaupgrade, in the
// order of `kubectl apply --server-side`: apply, move the managed fields, apply again. It prints the resulting object.
//
// Arguments: kubeconfig, the server's address, a request as JSON.
package main

import (
	"context"
	"encoding/json"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/csaupgrade"
)

type request struct {
	// Path of the object, without the subresource.
	Path        string          `json:"path"`
	Subresource string          `json:"subresource"`
	Body        json.RawMessage `json:"body"`
	From        []string        `json:"from"`
	To          string          `json:"to"`
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags(os.Args[2], os.Args[1])
	check(err)
	client := kubernetes.NewForConfigOrDie(config).CoreV1().RESTClient()
	var asked request
	check(json.Unmarshal([]byte(os.Args[3]), &asked))
	applied := asked.apply(client)
	asked.move(client, applied)
	check(json.NewEncoder(os.Stdout).Encode(asked.apply(client)))
}

func (r request) apply(client rest.Interface) *unstructured.Unstructured {
	path := r.Path
	if r.Subresource != "" {
		path += "/" + r.Subresource
	}
	return patch(client, types.ApplyPatchType, path, r.To, r.Body)
}

// move patches the object itself, because the server ignores managed fields that are sent to a subresource.
func (r request) move(client rest.Interface, object *unstructured.Unstructured) {
	from := sets.New(r.From...)
	renamed := r.renameAppliers(object, from)
	body, err := csaupgrade.UpgradeManagedFieldsPatch(object, from.Union(renamed), r.To, csaupgrade.Subresource(r.Subresource))
	check(err)
	if body != nil {
		patch(client, types.JSONPatchType, r.Path, r.To, body)
	}
}

// renameAppliers makes the Apply entries of the former managers Update entries, because csaupgrade moves no others. They get
// names of their own, because csaupgrade moves one entry of each name. It returns those names.
func (r request) renameAppliers(object *unstructured.Unstructured, from sets.Set[string]) sets.Set[string] {
	renamed := sets.New[string]()
	entries := object.GetManagedFields()
	for index := range entries {
		entry := &entries[index]
		if entry.Operation == metav1.ManagedFieldsOperationApply && entry.Subresource == r.Subresource && from.Has(entry.Manager) {
			entry.Manager += " (applied)"
			entry.Operation = metav1.ManagedFieldsOperationUpdate
			renamed.Insert(entry.Manager)
		}
	}
	object.SetManagedFields(entries)
	return renamed
}

func patch(client rest.Interface, kind types.PatchType, path, manager string, body []byte) *unstructured.Unstructured {
	call := client.Patch(kind).AbsPath(path).Param("fieldManager", manager).Body(body)
	if kind == types.ApplyPatchType {
		call = call.Param("force", "true")
	}
	response, err := call.DoRaw(context.Background())
	check(err)
	object := &unstructured.Unstructured{}
	check(json.Unmarshal(response, object))
	return object
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
