package main

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// discoveries reads what the server serves.
func discoveries(ctx context.Context, s *stage) error {
	client := s.client.Discovery()
	version, err := client.ServerVersion()
	if err != nil {
		return err
	}
	fmt.Println("version", version.Major, version.Minor)
	groups, resources, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	s.show("groups")(groups, nil)
	sort.Slice(resources, func(a, b int) bool { return resources[a].GroupVersion < resources[b].GroupVersion })
	for _, one := range resources {
		sort.Slice(one.APIResources, func(a, b int) bool { return one.APIResources[a].Name < one.APIResources[b].Name })
	}
	s.show("resources")(resources, nil)
	preferred, err := client.ServerPreferredNamespacedResources()
	if err != nil {
		return err
	}
	fmt.Println("groups with preferred namespaced resources:", len(preferred))
	if err := s.openapi(); err != nil {
		return err
	}
	return s.mappings()
}

func (s *stage) openapi() error {
	document, err := s.client.Discovery().OpenAPISchema()
	if err != nil {
		return err
	}
	fmt.Println("openapi v2:", document.Swagger, document.Info.Title)
	describe(document)
	paths, err := s.client.Discovery().OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	names := []string{}
	for name := range paths {
		names = append(names, name)
	}
	slices.Sort(names)
	s.show("openapi v3")(names, nil)
	return nil
}

// describe prints the fields of the built-in types. Those of custom kinds appear some time after their definition.
func describe(document *openapi_v2.Document) {
	lines := []string{}
	for _, definition := range document.GetDefinitions().GetAdditionalProperties() {
		if !strings.HasPrefix(definition.GetName(), "io.k8s.") {
			continue
		}
		fields := []string{}
		for _, field := range definition.GetValue().GetProperties().GetAdditionalProperties() {
			fields = append(fields, field.GetName())
		}
		slices.Sort(fields)
		lines = append(lines, definition.GetName()+": "+strings.Join(fields, " "))
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
}

var mapped = []schema.GroupKind{
	{Group: "apps", Kind: "Deployment"}, {Kind: "Namespace"}, {Group: "events.k8s.io", Kind: "Event"},
	ringKind.GroupKind(), {Group: "apps", Kind: "Nothing"}, {Group: "no.example.com", Kind: "Ring"},
}

// mappings finds resources of kinds with the mappers of client-go and of controller-runtime.
func (s *stage) mappings() error {
	http, err := rest.HTTPClientFor(s.config)
	if err != nil {
		return err
	}
	dynamic, err := apiutil.NewDynamicRESTMapper(s.config, http)
	if err != nil {
		return err
	}
	deferred := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.client.Discovery()))
	short := restmapper.NewShortcutExpander(deferred, s.client.Discovery(), nil)
	for _, kind := range mapped {
		s.show("mapping of " + kind.String())(deferred.RESTMapping(kind))
		s.show("dynamic mapping of " + kind.String())(dynamic.RESTMapping(kind))
	}
	for _, name := range []string{"deploy", "cm", "rg", "nothing"} {
		s.show("resource of " + name)(short.ResourceFor(schema.GroupVersionResource{Resource: name}))
	}
	return nil
}
