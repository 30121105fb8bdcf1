import { badRequest } from "../bad-request.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

/** Bodies that are not valid YAML or not a valid object, and the server's error. */
const refused: ReadonlyArray<readonly [what: string, body: string, message: string]> = [
  [
    "a mapping in a mapping's line",
    "a: b: c",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: mapping values are not allowed in this context (613a20623a2063)",
  ],
  [
    "a tab for spaces",
    "metadata:\n\tname: x",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: line 2: found character that cannot start any token (6d657461646174613a0a096e616d653a2078)",
  ],
  [
    "a flow that does not end",
    "metadata: {name: x",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: line 1: did not find expected ',' or '}' (6d657461646174613a207b6e616d653a2078)",
  ],
  [
    "a word",
    "hello",
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (68656c6c6f)',
  ],
  [
    "a list",
    "- a\n- b",
    'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (2d20610a2d2062)',
  ],
  [
    "what grows by aliases",
    "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g]\ni: &i [*h,*h,*h,*h,*h,*h,*h,*h,*h]\nmetadata: {name: bomb}\n",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: document contains excessive aliasing (613a202661205b782c782c782c782c782c782c782c782c785d0a623a2026 ...)",
  ],
  [
    "an alias of nothing",
    "metadata: {name: *nobody}",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: unknown anchor 'nobody' referenced (6d657461646174613a207b6e616d653a202a6e6f626f64797d)",
  ],
  [
    "an alias of what it stands in",
    "metadata: &m {name: x, labels: *m}",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: anchor 'm' value contains itself (6d657461646174613a20266d207b6e616d653a20782c206c6162656c733a ...)",
  ],
  [
    "a NUL character",
    "metadata: {name: a\u0000b}",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: control characters are not allowed (6d657461646174613a207b6e616d653a206100627d)",
  ],
  [
    "a list in a key's line",
    "a: - x",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: block sequence entries are not allowed in this context (613a202d2078)",
  ],
  [
    "a quote that does not end",
    "a: 'x",
    "the object provided is unrecognized (must be of type ConfigMap): yaml: found unexpected end of stream (613a202778)",
  ],
  [
    "a number that JSON has not",
    "a: .inf",
    "the object provided is unrecognized (must be of type ConfigMap): json: unsupported value: +Inf (613a202e696e66)",
  ],
];

for (const [what, body, message] of refused) {
  scenario(`YAML: ${what} is refused`, async ({ client, namespace, expect }) => {
    const headers = { "content-type": "application/yaml" };
    const response = await wire(client, `POST /api/v1/namespaces/${namespace}/configmaps`, { body, headers });
    expect(response.body).toEqual(badRequest(message));
  });
}
