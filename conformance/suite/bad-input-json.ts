import { badRequest } from "../bad-request.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

/** Bodies that are not valid JSON or not a valid object, and the server's error. */
const refused: ReadonlyArray<readonly [what: string, body: string, message: string]> = [
  [
    "a body of spaces",
    "  \n",
    "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (20200a)",
  ],
  [
    "a list",
    "[]",
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)',
  ],
  [
    "a string",
    '"x"',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (227822)',
  ],
  [
    "a number",
    "5",
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (35)',
  ],
  [
    "a comma at the end",
    '{"metadata":{"name":"a"},}',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'}\' looking for beginning of object key string ({"metadata":{"name":"a"},})',
  ],
  [
    "something after the object",
    '{"metadata":{"name":"tg"}} x',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'x\' after top-level value ({"metadata":{"name":"tg"}} x)',
  ],
  [
    "a second object",
    '{"metadata":{"name":"td"}}{"metadata":{"name":"b"}}',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'{\' after top-level value ({"metadata":{"name":"td"}}{"me ...)',
  ],
  [
    "a name in single quotes",
    "{'metadata':{'name':'a'}}",
    "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character '\\'' looking for beginning of object key string ({'metadata':{'name':'a'}})",
  ],
  [
    "a comment",
    '/* x */{"metadata":{"name":"a"}}',
    "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character '/' looking for beginning of value (2f2a2078202a2f7b226d65746164617461223a7b226e616d65223a226122 ...)",
  ],
  [
    "a number that is none",
    '{"metadata":{"name":"a"},"data":{"x":NaN}}',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'N\' looking for beginning of value ({"metadata":{"name":"a"},"data ...)',
  ],
  [
    "a string that does not end",
    '{"metadata":{"name":"a',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"metadata":{"name":"a)',
  ],
  [
    "a line feed in a string",
    '{"metadata":{"name":"a\nb"}}',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'\\n\' in string literal ({"metadata":{"name":"a\nb"}})',
  ],
  [
    "an unknown escape",
    '{"metadata":{"name":"a\\x"}}',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'x\' in string escape code ({"metadata":{"name":"a\\x"}})',
  ],
  [
    "a mark of byte order",
    '﻿{"metadata":{"name":"bom"}}',
    "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'ï' looking for beginning of value (efbbbf7b226d65746164617461223a7b226e616d65223a22626f6d227d7d)",
  ],
  [
    "a web page",
    "<html>hello world this is long enough to be cut</html>",
    "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character '<' looking for beginning of value (3c68746d6c3e68656c6c6f20776f726c642074686973206973206c6f6e67 ...)",
  ],
  [
    "an unknown version",
    '{"apiVersion":"v2","kind":"ConfigMap","metadata":{"name":"a"}}',
    'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    "an unknown kind",
    '{"apiVersion":"v1","kind":"Confmap","metadata":{"name":"a"}}',
    'Confmap in version "v1" cannot be handled as a ConfigMap: no kind "Confmap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    "another kind",
    '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}',
    'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  ],
  [
    "another group's kind",
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"}}',
    'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
  ],
  [
    "a number for a version",
    '{"apiVersion":1,"kind":"ConfigMap","metadata":{"name":"a"}}',
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .apiVersion of type string ({"apiVersion":1,"kind":"Config ...)',
  ],
  [
    "a version of three parts",
    '{"apiVersion":"a/b/c","kind":"ConfigMap","metadata":{"name":"a"}}',
    'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)',
  ],
  [
    "text for metadata",
    '{"metadata":"x"}',
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
  ],
  [
    "a list of labels",
    '{"metadata":{"name":"a","labels":["x"]}}',
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
  ],
  [
    "a number for a label",
    '{"metadata":{"name":"a","labels":{"x":1}}}',
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
  ],
];

for (const [what, body, message] of refused) {
  scenario(`JSON: ${what} is refused`, async ({ client, namespace, expect }) => {
    const headers = { "content-type": "application/json" };
    const response = await wire(client, `POST /api/v1/namespaces/${namespace}/configmaps`, { body, headers });
    expect(response.body).toEqual(badRequest(message));
  });
}
