package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"trimtab.dev/bench/probe"
	"trimtab.dev/bench/website"
)

func newWebsiteInformer(config *rest.Config) cache.SharedIndexInformer {
	scheme := runtime.NewScheme()
	website.AddTo(scheme)
	config = rest.CopyConfig(config)
	config.GroupVersion = &website.GroupVersion
	config.APIPath = "/apis"
	config.ContentType = "application/json"
	config.AcceptContentTypes = ""
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(config)
	probe.Must(err)
	codec := runtime.NewParameterCodec(scheme)
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			list := &website.WebsiteList{}
			err := client.Get().Resource("websites").VersionedParams(&options, codec).Do(ctx).Into(list)
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.Watch = true
			return client.Get().Resource("websites").VersionedParams(&options, codec).Watch(ctx)
		},
	}
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	return cache.NewSharedIndexInformer(source, &website.Website{}, 0, indexers)
}
