// Command protobuf writes random objects of every kind that Kubernetes' Go clients know: one JSON object per line, with
// the protobuf form of the object, and the JSON form of what Go reads from it.
//
//	protobuf SEED COUNT
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubejson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"sigs.k8s.io/randfill"
)

type line struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Protobuf   []byte          `json:"protobuf"`
	Object     json.RawMessage `json:"object"`
}

func main() {
	seed, count, err := arguments(os.Args[1:])
	if err == nil {
		err = writeObjects(seed, count)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "protobuf:", err)
		os.Exit(1)
	}
}

func arguments(given []string) (seed int64, count int, err error) {
	if len(given) != 2 {
		return 0, 0, fmt.Errorf("expected SEED COUNT, got %d arguments", len(given))
	}
	if seed, err = strconv.ParseInt(given[0], 10, 64); err != nil {
		return 0, 0, err
	}
	count, err = strconv.Atoi(given[1])
	return seed, count, err
}

// writeObjects writes objects of every kind, kinds in a fixed order.
func writeObjects(seed int64, count int) error {
	known := scheme.Scheme
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(known); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(os.Stdout)
	filler := filler(seed)
	for _, kind := range kindsOf(known) {
		for range count {
			if err := writeObject(out, known, kind, filler); err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
		}
	}
	return out.Flush()
}

func kindsOf(known *runtime.Scheme) []schema.GroupVersionKind {
	kinds := []schema.GroupVersionKind{}
	for kind := range known.AllKnownTypes() {
		if kind.Version != runtime.APIVersionInternal && kind.Kind != "WatchEvent" {
			kinds = append(kinds, kind)
		}
	}
	sort.Slice(kinds, func(a, b int) bool { return kinds[a].String() < kinds[b].String() })
	return kinds
}

func writeObject(out *bufio.Writer, known *runtime.Scheme, kind schema.GroupVersionKind, filler *randfill.Filler) error {
	object, err := known.New(kind)
	if err != nil {
		return err
	}
	filler.Fill(object)
	object.GetObjectKind().SetGroupVersionKind(kind)
	coder := protobuf.NewSerializer(known, known)
	encoded := bytes.Buffer{}
	if err := coder.Encode(object, &encoded); err != nil {
		// Some options have no protobuf form.
		return nil
	}
	read, _, err := coder.Decode(encoded.Bytes(), nil, nil)
	if err != nil {
		return err
	}
	read.GetObjectKind().SetGroupVersionKind(kind)
	text := bytes.Buffer{}
	if err := kubejson.NewSerializerWithOptions(kubejson.DefaultMetaFactory, known, known, kubejson.SerializerOptions{}).Encode(read, &text); err != nil {
		return err
	}
	group, name := kind.ToAPIVersionAndKind()
	return json.NewEncoder(out).Encode(line{group, name, encoded.Bytes(), bytes.TrimSpace(text.Bytes())})
}

// filler fills objects at random. Types with a narrow JSON form get values that have one.
func filler(seed int64) *randfill.Filler {
	return randfill.New().RandSource(rand.NewSource(seed)).NilChance(.3).NumElements(0, 3).MaxDepth(14).Funcs(
		func(value *metav1.TypeMeta, _ randfill.Continue) {},
		func(value *string, c randfill.Continue) { *value = text(c) },
		func(value *metav1.Time, c randfill.Continue) { value.Time = time.Unix(c.Int63n(4e9), 0) },
		func(value *metav1.MicroTime, c randfill.Continue) { value.Time = time.Unix(c.Int63n(4e9), c.Int63n(1e9)) },
		func(value *resource.Quantity, c randfill.Continue) { *value = quantity(c) },
		func(value *intstr.IntOrString, c randfill.Continue) {
			*value = intstr.FromInt32(c.Int31())
			if c.Bool() {
				*value = intstr.FromString(text(c))
			}
		},
		func(value *runtime.RawExtension, c randfill.Continue) { value.Raw = rawJSON(c) },
		func(value *apiextensions.JSON, c randfill.Continue) { value.Raw = rawJSON(c) },
		func(value *metav1.FieldsV1, c randfill.Continue) { value.Raw = []byte(`{"f:metadata":{"f:labels":{".":{}}}}`) },
		func(value *apiextensions.JSONSchemaPropsOrBool, c randfill.Continue) {
			value.Allows = c.Bool()
			if c.Bool() {
				value.Allows = true
				value.Schema = &apiextensions.JSONSchemaProps{}
				c.Fill(value.Schema)
			}
		},
		func(value *apiextensions.JSONSchemaPropsOrArray, c randfill.Continue) {
			if c.Bool() {
				value.Schema = &apiextensions.JSONSchemaProps{}
				c.Fill(value.Schema)
				return
			}
			value.JSONSchemas = make([]apiextensions.JSONSchemaProps, 1+c.Intn(2))
			for i := range value.JSONSchemas {
				c.Fill(&value.JSONSchemas[i])
			}
		},
		func(value *apiextensions.JSONSchemaPropsOrStringArray, c randfill.Continue) {
			value.Property = []string{text(c)}
		},
	)
}

func text(c randfill.Continue) string {
	texts := []string{"", "a", "web-1", "Grüße", "\U0001f680", `"quoted\`, "line\nbreak", "<&>"}
	return texts[c.Intn(len(texts))] + strings.Repeat("x", c.Intn(3)*c.Intn(80))
}

func quantity(c randfill.Continue) resource.Quantity {
	texts := []string{"0", "1", "100m", "1.5", "1Gi", "1500Mi", "12e6", "-3", "0.5Gi", "1n", "123456789012345"}
	return resource.MustParse(texts[c.Intn(len(texts))])
}

func rawJSON(c randfill.Continue) []byte {
	texts := []string{`{"a":1,"b":[true,null,"x"]}`, `"text"`, `{"kind":"A","apiVersion":"b/v1"}`, `{}`, `[1.5,2]`}
	return []byte(texts[c.Intn(len(texts))])
}
