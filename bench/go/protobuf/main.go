// Reads the stub's pods and writes them to a file as protobuf, each after its size in four bytes: what the stub serves to
// clients that ask for protobuf is what Kubernetes' own code makes of the same pods.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"trimtab.dev/bench/probe"
)

func main() {
	arguments := probe.Given()
	client, err := kubernetes.NewForConfig(&rest.Config{
		Host: arguments["plain"],
		QPS:  -1,
		ContentConfig: rest.ContentConfig{
			AcceptContentTypes: "application/json",
			ContentType:        "application/json",
		},
	})
	probe.Must(err)
	file, err := os.Create(arguments["file"])
	probe.Must(err)
	out := bufio.NewWriter(file)
	options := metav1.ListOptions{Limit: 1000}
	for {
		page, err := client.CoreV1().Pods("").List(context.Background(), options)
		probe.Must(err)
		for i := range page.Items {
			write(out, &page.Items[i])
		}
		if options.Continue = page.Continue; options.Continue == "" {
			break
		}
	}
	probe.Must(out.Flush())
	probe.Must(file.Close())
}

func write(out *bufio.Writer, pod *corev1.Pod) {
	encoded, err := pod.Marshal()
	probe.Must(err)
	probe.Must(binary.Write(out, binary.BigEndian, uint32(len(encoded))))
	_, err = out.Write(encoded)
	probe.Must(err)
}
