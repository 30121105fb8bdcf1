package main

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

// recorders records events with both recorders of client-go. Each event is recorded twice.
func recorders(ctx context.Context, s *stage) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	about, err := s.client.CoreV1().ConfigMaps(s.namespace).Create(ctx, newConfigMap("a"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := s.recordCoreEvents(ctx, about); err != nil {
		return err
	}
	if err := s.recordEvents(ctx, about); err != nil {
		return err
	}
	found, err := s.client.CoreV1().Events(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	slices.SortFunc(found.Items, func(a, b corev1.Event) int { return strings.Compare(a.Reason, b.Reason) })
	s.show("events")(found.Items, nil)
	s.show("search of the recorder")(s.client.CoreV1().Events(s.namespace).SearchWithContext(ctx, scheme.Scheme, about))
	modern, err := s.client.EventsV1().Events(s.namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=Modern"})
	s.show("events.k8s.io")(modern, err)
	return nil
}

func (s *stage) recordCoreEvents(ctx context.Context, about *corev1.ConfigMap) error {
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: s.client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "go-clients", Host: "host"})
	recorder.Event(about, corev1.EventTypeNormal, "Classic", "recorded")
	recorder.AnnotatedEventf(about, map[string]string{"a": "b"}, corev1.EventTypeWarning, "Annotated", "recorded %d", 1)
	if err := s.untilEvent(ctx, "Annotated", func(event corev1.Event) bool { return true }); err != nil {
		return err
	}
	recorder.Event(about, corev1.EventTypeNormal, "Classic", "recorded")
	return s.untilEvent(ctx, "Classic", func(event corev1.Event) bool { return event.Count == 2 })
}

func (s *stage) recordEvents(ctx context.Context, about *corev1.ConfigMap) error {
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: s.client.EventsV1()})
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, "go-clients")
	recorder.Eventf(about, nil, corev1.EventTypeNormal, "Modern", "Recording", "recorded")
	if err := s.untilEvent(ctx, "Modern", func(event corev1.Event) bool { return true }); err != nil {
		return err
	}
	recorder.Eventf(about, nil, corev1.EventTypeNormal, "Modern", "Recording", "recorded")
	return s.untilEvent(ctx, "Modern", func(event corev1.Event) bool { return event.Series != nil })
}

func (s *stage) untilEvent(ctx context.Context, reason string, holds func(corev1.Event) bool) error {
	return until(ctx, "the event "+reason, func(ctx context.Context) (bool, error) {
		found, err := s.client.CoreV1().Events(s.namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=" + reason})
		return err == nil && len(found.Items) > 0 && holds(found.Items[0]), err
	})
}
