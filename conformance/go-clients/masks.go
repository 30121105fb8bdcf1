package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/client-go/rest"
)

// masks replaces values that differ between runs.
type masks struct {
	host string
}

func masksOf(config *rest.Config) masks {
	return masks{strings.TrimPrefix(config.Host, "https://")}
}

var fieldMasks = map[string]string{
	"uid":             "<uid>",
	"resourceVersion": "<version>",
	"continue":        "<continue>",
	"token":           "<token>",
	"gitVersion":      "<release>",
	"caBundle":        "<ca>",
}

var textMasks = []struct {
	pattern *regexp.Regexp
	mask    string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "<time>"},
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "<uid>"},
	// The name of an event ends with its time.
	{regexp.MustCompile(`\.[0-9a-f]{16}\b`), ".<time>"},
}

// masked returns JSON with sorted keys and masked values, on one line for each field.
func (m masks) masked(text []byte) string {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		panic(err) // The text was written by json.Marshal.
	}
	out := &bytes.Buffer{}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(m.value(value)); err != nil {
		panic(err)
	}
	return strings.TrimRight(out.String(), "\n")
}

func (m masks) value(value any) any {
	switch value := value.(type) {
	case string:
		return m.text(value)
	case []any:
		for i, item := range value {
			value[i] = m.value(item)
		}
	case map[string]any:
		m.fields(value)
	}
	return value
}

func (m masks) fields(fields map[string]any) {
	for name, field := range maps.Clone(fields) {
		delete(fields, name)
		fields[m.text(name)] = m.field(name, field)
	}
	if generated, ok := fields["generateName"].(string); ok {
		fields["name"] = generated + "<random>"
	}
}

func (m masks) field(name string, value any) any {
	text, isText := value.(string)
	if mask := fieldMasks[name]; isText && mask != "" && text != "" {
		return mask
	}
	if name == "items" && value == nil {
		return []any{} // Protobuf has no empty lists.
	}
	if entries, isList := value.([]any); isList && name == "managedFields" {
		return sorted(m.value(entries).([]any))
	}
	return m.value(value)
}

// sorted sorts managed fields by content: the server sorts them by time first.
func sorted(entries []any) []any {
	slices.SortFunc(entries, func(a, b any) int { return strings.Compare(textOf(a), textOf(b)) })
	return entries
}

func textOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // The value was decoded from JSON.
	}
	return string(text)
}

func (m masks) text(text string) string {
	text = strings.ReplaceAll(text, m.host, "<server>")
	for _, one := range textMasks {
		text = one.pattern.ReplaceAllString(text, one.mask)
	}
	return text
}
