package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/pager"
)

// lists reads lists whole and in pages, and deletes collections.
func lists(ctx context.Context, s *stage) error {
	maps := s.client.CoreV1().ConfigMaps(s.namespace)
	for _, name := range []string{"c", "a", "e", "b", "d"} {
		made := newConfigMap(name)
		made.Labels["odd"] = fmt.Sprint(name == "a" || name == "c" || name == "e")
		if _, err := maps.Create(ctx, made, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	s.show("list")(maps.List(ctx, metav1.ListOptions{LabelSelector: "app=go"}))
	s.show("list of a label")(maps.List(ctx, metav1.ListOptions{LabelSelector: "odd=true", Limit: 2}))
	s.show("list of a field")(maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=b"}))
	s.show("list of no objects")(maps.List(ctx, metav1.ListOptions{LabelSelector: "no"}))
	s.show("list from the cache")(maps.List(ctx, metav1.ListOptions{LabelSelector: "app=go", ResourceVersion: "0"}))
	s.show("list with an invalid selector")(maps.List(ctx, metav1.ListOptions{LabelSelector: "a in"}))
	s.show("list of an unknown field")(maps.List(ctx, metav1.ListOptions{FieldSelector: "data.a=b"}))
	s.show("list with an invalid token")(maps.List(ctx, metav1.ListOptions{Continue: "no"}))
	if err := pages(ctx, s); err != nil {
		return err
	}
	s.done("delete a collection of a label", maps.DeleteCollection(ctx,
		*metav1.NewDeleteOptions(0), metav1.ListOptions{LabelSelector: "odd=true"}))
	s.show("list the others")(maps.List(ctx, metav1.ListOptions{LabelSelector: "app=go"}))
	s.done("delete a collection", maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	s.show("list after it")(maps.List(ctx, metav1.ListOptions{}))
	return nil
}

func pages(ctx context.Context, s *stage) error {
	maps := s.client.CoreV1().ConfigMaps(s.namespace)
	of := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		page, err := maps.List(ctx, options)
		if err == nil {
			fmt.Printf("page of %d, more: %v\n", len(page.Items), page.Continue != "")
		}
		return page, err
	})
	of.PageSize = 2
	return of.EachListItem(ctx, metav1.ListOptions{LabelSelector: "app=go"}, func(object runtime.Object) error {
		fmt.Println("item", object.(*corev1.ConfigMap).Name)
		return nil
	})
}

// watches follows changes in order.
func watches(ctx context.Context, s *stage) error {
	maps := s.client.CoreV1().ConfigMaps(s.namespace)
	empty, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	from := empty.ResourceVersion
	if err := changeSome(ctx, s.client, s.namespace); err != nil {
		return err
	}
	if err := s.watch(ctx, "watch", 4, metav1.ListOptions{ResourceVersion: from}); err != nil {
		return err
	}
	if err := s.watch(ctx, "watch a label", 3, metav1.ListOptions{ResourceVersion: from, LabelSelector: "app=go"}); err != nil {
		return err
	}
	initial := metav1.ListOptions{
		SendInitialEvents:    new(true),
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		AllowWatchBookmarks:  true,
		LabelSelector:        "kept=true",
	}
	if err := s.watch(ctx, "watch with initial events", 2, initial); err != nil {
		return err
	}
	_, err = maps.Watch(ctx, metav1.ListOptions{ResourceVersion: "x"})
	s.done("watch from an invalid version", err)
	return nil
}

func changeSome(ctx context.Context, client *kubernetes.Clientset, namespace string) error {
	maps := client.CoreV1().ConfigMaps(namespace)
	made, err := maps.Create(ctx, newConfigMap("a"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	made.Data["key"] = "changed"
	if made, err = maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	made.Labels = map[string]string{"kept": "true"}
	if _, err = maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	other := newConfigMap("b")
	other.Labels = nil
	if _, err := maps.Create(ctx, other, metav1.CreateOptions{}); err != nil {
		return err
	}
	return maps.Delete(ctx, "b", metav1.DeleteOptions{})
}

// watch prints the first events.
func (s *stage) watch(ctx context.Context, title string, count int, options metav1.ListOptions) error {
	events, err := s.client.CoreV1().ConfigMaps(s.namespace).Watch(ctx, options)
	if err != nil {
		return err
	}
	defer events.Stop()
	return s.showEvents(ctx, title, count, events)
}

func (s *stage) showEvents(ctx context.Context, title string, count int, events watch.Interface) error {
	for range count {
		select {
		case <-ctx.Done():
			return fmt.Errorf("expected %d events of %s: %w", count, title, ctx.Err())
		case event, open := <-events.ResultChan():
			if !open {
				return fmt.Errorf("expected %d events of %s, got the end of the watch", count, title)
			}
			s.show(fmt.Sprintf("%s: %s", title, event.Type))(event.Object, nil)
		}
	}
	return nil
}
