// Command protobuf writes objects in the protobuf form of Kubernetes' Go clients: one JSON object per line, with the
// protobuf form, and the JSON form of what Go reads from it.
//
//	protobuf random SEED COUNT    random objects of every kind
//	protobuf encode               the objects on standard input, one JSON object per line
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "protobuf:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	writer, err := newWriter()
	if err != nil {
		return err
	}
	if len(arguments) == 1 && arguments[0] == "encode" {
		return writer.encodeAll(os.Stdin)
	}
	if len(arguments) != 3 || arguments[0] != "random" {
		return fmt.Errorf("expected random SEED COUNT or encode, got %q", arguments)
	}
	seed, err := strconv.ParseInt(arguments[1], 10, 64)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(arguments[2])
	if err != nil {
		return err
	}
	return writer.writeRandom(seed, count)
}

type writer struct {
	known *runtime.Scheme
	out   *bufio.Writer
}

func newWriter() (*writer, error) {
	known := scheme.Scheme
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(known); err != nil {
			return nil, err
		}
	}
	return &writer{known, bufio.NewWriter(os.Stdout)}, nil
}

// writeRandom writes objects of every kind, kinds in a fixed order.
func (w *writer) writeRandom(seed int64, count int) error {
	filler := filler(seed)
	for _, kind := range kindsOf(w.known) {
		for range count {
			object, err := w.known.New(kind)
			if err != nil {
				return err
			}
			filler.Fill(object)
			object.GetObjectKind().SetGroupVersionKind(kind)
			if err := w.write(object, kind); err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
		}
	}
	return w.out.Flush()
}

// encodeAll writes the objects that it reads.
func (w *writer) encodeAll(in io.Reader) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		object, kind, err := w.json().Decode(lines.Bytes(), nil, nil)
		if err != nil {
			return err
		}
		object.GetObjectKind().SetGroupVersionKind(*kind)
		if err := w.write(object, *kind); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return w.out.Flush()
}

func (w *writer) json() *kubejson.Serializer {
	return kubejson.NewSerializerWithOptions(kubejson.DefaultMetaFactory, w.known, w.known, kubejson.SerializerOptions{})
}

func (w *writer) write(object runtime.Object, kind schema.GroupVersionKind) error {
	coder := protobuf.NewSerializer(w.known, w.known)
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
	if err := w.json().Encode(read, &text); err != nil {
		return err
	}
	apiVersion, name := kind.ToAPIVersionAndKind()
	return json.NewEncoder(w.out).Encode(line{apiVersion, name, encoded.Bytes(), bytes.TrimSpace(text.Bytes())})
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

// filler fills objects at random. Types with a narrow JSON form get values that have one.
func filler(seed int64) *randfill.Filler {
	return randfill.New().RandSource(rand.NewSource(seed)).NilChance(.3).NumElements(0, 3).MaxDepth(14).Funcs(
		func(value *metav1.TypeMeta, _ randfill.Continue) {},
		func(value *string, c randfill.Continue) { *value = text(c) },
		func(value *metav1.Time, c randfill.Continue) { value.Time = time.Unix(c.Int63n(4e9), 0) },
		func(value *metav1.MicroTime, c randfill.Continue) {
			value.Time = time.Unix(c.Int63n(4e9), c.Int63n(1e9))
		},
		func(value *resource.Quantity, c randfill.Continue) { *value = quantity(c) },
		func(value *intstr.IntOrString, c randfill.Continue) {
			*value = intstr.FromInt32(c.Int31())
			if c.Bool() {
				*value = intstr.FromString(text(c))
			}
		},
		func(value *runtime.RawExtension, c randfill.Continue) { value.Raw = rawJSON(c) },
		func(value *apiextensions.JSON, c randfill.Continue) { value.Raw = rawJSON(c) },
		func(value *metav1.FieldsV1, c randfill.Continue) {
			value.Raw = []byte(`{"f:metadata":{"f:labels":{".":{}}}}`)
		},
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
