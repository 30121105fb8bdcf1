// Command go-clients uses client-go and controller-runtime at their defaults, so with protobuf for built-in kinds, and
// prints a transcript of what it sees. Values that differ between runs are masked, so that two API servers can be
// compared.
//
//	go-clients story KUBECONFIG            prints the transcript
//	go-clients measure KUBECONFIG COUNT    lists COUNT Pods as JSON and as protobuf, and prints time and bytes
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// chapters run in this order, each in a namespace of its own.
var chapters = []chapter{
	{"typed", typedClient},
	{"patches", patches},
	{"apply", applies},
	{"lists", lists},
	{"watches", watches},
	{"subresources", subresources},
	{"definitions", definitions},
	{"dynamic", dynamicClient},
	{"metadata", metadataClient},
	{"informers", informersOfAllClients},
	{"events", recorders},
	{"election", election},
	{"reviews", reviews},
	{"discovery", discoveries},
	{"runtime-client", runtimeClient},
	{"manager", managers},
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "go-clients:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	ctrl.SetLogger(logr.Discard())
	if len(arguments) < 2 {
		return fmt.Errorf("expected a command and a kubeconfig file, got %q", arguments)
	}
	config, err := clientcmd.BuildConfigFromFlags("", arguments[1])
	if err != nil {
		return err
	}
	// The default of 5 requests per second would measure the client.
	config.QPS, config.Burst = 1000, 1000
	switch command := arguments[0]; {
	case command == "story" && len(arguments) == 2:
		return tell(ctx, config)
	case command == "measure" && len(arguments) == 3:
		return measureCount(ctx, config, arguments[2])
	}
	return fmt.Errorf("expected story or measure with its arguments, got %q", arguments)
}

func measureCount(ctx context.Context, config *rest.Config, text string) error {
	count, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	return measure(ctx, config, count)
}
