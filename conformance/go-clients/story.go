package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// chapter is a part of the story.
type chapter struct {
	name string
	tell func(context.Context, *stage) error
}

// stage is what a chapter works with.
type stage struct {
	config    *rest.Config
	client    *kubernetes.Clientset
	namespace string
	masks     masks
}

// A chapter that takes longer has hung.
const chapterTimeout = 2 * time.Minute

func tell(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, one := range chapters {
		fmt.Printf("== %s\n", one.name)
		on := &stage{config, client, "go-" + one.name, masksOf(config)}
		if err := on.run(ctx, one); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return nil
}

func (s *stage) run(ctx context.Context, of chapter) error {
	ctx, cancel := context.WithTimeout(ctx, chapterTimeout)
	defer cancel()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}}
	if _, err := s.client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s\n", of.name)
	return of.tell(ctx, s)
}

// show returns a function that prints what a call returned.
func (s *stage) show(title string) func(any, error) {
	return func(value any, err error) {
		if err != nil {
			s.showError(title, err)
			return
		}
		text, err := json.Marshal(value)
		if err != nil {
			s.showError(title, err)
			return
		}
		fmt.Printf("%s: %s\n", title, s.masks.masked(text))
	}
}

// done prints the result of a call that returns only an error.
func (s *stage) done(title string, err error) {
	if err != nil {
		s.showError(title, err)
		return
	}
	fmt.Printf("%s: done\n", title)
}

func (s *stage) showError(title string, err error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		fmt.Printf("%s: error %T %s\n", title, err, s.masks.text(err.Error()))
		return
	}
	text, err := json.Marshal(status.Status())
	if err != nil {
		panic(err) // A Status is always encodable.
	}
	fmt.Printf("%s: error %s\n", title, s.masks.masked(text))
}

// until waits for a state of the server, up to the end of the chapter.
func until(ctx context.Context, what string, holds func(context.Context) (bool, error)) error {
	err := wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, holds)
	if err != nil {
		return fmt.Errorf("expected %s: %w", what, err)
	}
	return nil
}
