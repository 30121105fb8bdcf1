package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
)

// informersOfAllClients follows one collection with an informer of each client, one after the other.
func informersOfAllClients(ctx context.Context, s *stage) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dynamicClient, err := dynamic.NewForConfig(s.config)
	if err != nil {
		return err
	}
	metadataClient, err := metadata.NewForConfig(s.config)
	if err != nil {
		return err
	}
	resync := 10 * time.Minute
	shared := informers.NewSharedInformerFactoryWithOptions(s.client, resync, informers.WithNamespace(s.namespace))
	untyped := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamicClient, resync, s.namespace, nil)
	partial := metadatainformer.NewFilteredSharedInformerFactory(metadataClient, resync, s.namespace, nil)
	followed := []followed{
		{"shared", shared.Core().V1().ConfigMaps().Informer(), nil},
		{"dynamic", untyped.ForResource(configMapResource).Informer(), nil},
		{"metadata", partial.ForResource(configMapResource).Informer(), nil},
	}
	for i := range followed {
		if err := s.follow(ctx, &followed[i]); err != nil {
			return fmt.Errorf("%s informer: %w", followed[i].name, err)
		}
	}
	return nil
}

// followed is an informer, and a line for each event that it has delivered.
type followed struct {
	name     string
	informer cache.SharedIndexInformer
	lines    chan string
}

func (s *stage) follow(ctx context.Context, f *followed) error {
	maps := s.client.CoreV1().ConfigMaps(s.namespace)
	for _, name := range []string{"b", "a"} {
		if _, err := maps.Create(ctx, newConfigMap(name), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	registration, err := f.listen()
	if err != nil {
		return err
	}
	go f.informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), f.informer.HasSynced, registration.HasSynced) {
		return fmt.Errorf("expected a synced cache: %w", ctx.Err())
	}
	if err := f.print(ctx, "initial", 2); err != nil {
		return err
	}
	changed := newConfigMap("a")
	changed.Labels["by"] = f.name
	if _, err := maps.Update(ctx, changed, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "b", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := f.print(ctx, "changes", 2); err != nil {
		return err
	}
	fmt.Printf("%s: store %v\n", f.name, f.informer.GetStore().ListKeys())
	if err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return err
	}
	return f.print(ctx, "deletes", 1)
}

func (f *followed) listen() (cache.ResourceEventHandlerRegistration, error) {
	f.lines = make(chan string, 100)
	line := func(event string, object any) {
		of, err := meta.Accessor(object)
		if err != nil {
			f.lines <- fmt.Sprintf("%s: %v", event, err)
			return
		}
		f.lines <- fmt.Sprintf("%s %T %s %v", event, object, of.GetName(), of.GetLabels())
	}
	return f.informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(object any, initial bool) { line(fmt.Sprintf("add (initial: %v)", initial), object) },
		UpdateFunc: func(_, object any) { line("update", object) },
		DeleteFunc: func(object any) { line("delete", object) },
	})
}

// print waits for events, and prints them in a fixed order: the order between objects is open.
func (f *followed) print(ctx context.Context, title string, count int) error {
	lines := []string{}
	for range count {
		select {
		case line := <-f.lines:
			lines = append(lines, line)
		case <-ctx.Done():
			return fmt.Errorf("expected %d events after %q: %w", count, lines, ctx.Err())
		}
	}
	slices.Sort(lines)
	fmt.Printf("%s: %s\n%s\n", f.name, title, strings.Join(lines, "\n"))
	return nil
}
