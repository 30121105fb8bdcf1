import { hookScenario as scenario } from "../hook-scenario.ts";
import { type Answer, allowing, hooks, patching, RawAnswer } from "../webhooks.ts";
import { statusMessage, warningsOf, wire } from "../wire.ts";

const configMaps = (namespace: string): `/${string}` => `/api/v1/namespaces/${namespace}/configmaps`;
const secrets = (namespace: string): `/${string}` => `/api/v1/namespaces/${namespace}/secrets`;
const body = { metadata: { name: "a" } };
const secretRules = [
  { apiGroups: [""], apiVersions: ["v1"], operations: ["*" as const], resources: ["secrets"] },
];

const types = ["mutating", "validating"] as const;

/** Returns the message of a request that failed because a webhook could not be called. */
const failed = (name: string, why: string): readonly [number, string] => [
  500,
  `Internal error occurred: failed calling webhook "${name}.example.dev": ${why}`,
];

scenario("a webhook that takes too long fails the request, or is ignored", async (stage) => {
  const { client, namespace, expect } = stage;
  for (const type of types) {
    const answer = (): Promise<object> => new Promise((resolve) => setTimeout(resolve, 1500, allowing));
    const slow = { timeoutSeconds: 1, answer };
    await using fail = await hooks(stage, type, { slow });
    const url = `https://127.0.0.1:${fail.server.port}/slow?timeout=1s`;
    expect(statusMessage(await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body }))).toEqual(
      failed("slow", `failed to call webhook: Post "${url}": context deadline exceeded`),
    );
    await using _ = await hooks(stage, type, {
      slow: { ...slow, rules: secretRules, failurePolicy: "Ignore" },
    });
    expect((await wire(client, `POST ${secrets(namespace)}?dryRun=All`, { body })).status).toBe(201);
  }
});

scenario("a webhook that is down fails the request, or is ignored", async (stage) => {
  const { client, namespace, expect } = stage;
  const clientConfig = { url: "https://127.0.0.1:9/down" };
  for (const type of types) {
    const down = { clientConfig, rules: secretRules, answer: () => allowing };
    {
      await using _ = await hooks(stage, type, { down });
      const why =
        'Post "https://127.0.0.1:9/down?timeout=10s": dial tcp 127.0.0.1:9: connect: connection refused';
      const answer = await wire(client, `POST ${secrets(namespace)}?dryRun=All`, { body });
      expect(statusMessage(answer)).toEqual(failed("down", `failed to call webhook: ${why}`));
    }
    await using _ = await hooks(stage, type, { down: { ...down, failurePolicy: "Ignore" } });
    expect((await wire(client, `POST ${secrets(namespace)}?dryRun=All`, { body })).status).toBe(201);
  }
});

scenario("a webhook that is overloaded is called again after its Retry-After", async (stage) => {
  const { client, namespace, expect } = stage;
  const codes = [503, 429, 500];
  const answer = (): object => {
    const code = codes.shift();
    return code === undefined ? allowing : new RawAnswer(code, "", { "retry-after": "0" });
  };
  await using hook = await hooks(stage, "validating", { busy: { answer } });
  const { status } = await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body });
  expect([status, hook.requests.busy?.length]).toEqual([201, 4]);
});

scenario(
  "a webhook that stays overloaded fails the request after ten more calls, or in its time",
  async (stage) => {
    const { client, namespace, expect } = stage;
    let retryAfter = "0";
    const answer = (): object => new RawAnswer(503, "busy", { "retry-after": retryAfter });
    await using hook = await hooks(stage, "validating", { busy: { timeoutSeconds: 2, answer } });
    const refused = async (): Promise<unknown> =>
      statusMessage(await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body }));
    const unable = failed(
      "busy",
      "failed to call webhook: the server is currently unable to handle the request",
    );
    expect([await refused(), hook.requests.busy?.length]).toEqual([unable, 11]);
    retryAfter = "60";
    const url = `https://127.0.0.1:${hook.server.port}/busy?timeout=2s`;
    const late = failed("busy", `failed to call webhook: Post "${url}": context deadline exceeded`);
    expect([await refused(), hook.requests.busy?.length]).toEqual([late, 12]);
  },
);

scenario("a webhook must have a certificate of the bundle, and a Service that exists", async (stage) => {
  const { client, namespace, expect } = stage;
  await using other = await hooks(stage, "mutating", { other: () => allowing });
  const { port, caBundle } = other.server;
  const service = { namespace, name: "none", path: "/admit" };
  const untrusted = "tls: failed to verify certificate: x509: certificate signed by unknown authority";
  const cases = [
    [{ url: `https://127.0.0.1:${port}` }, `https://127.0.0.1:${port}/`, untrusted],
    [{ service }, `https://none.${namespace}.svc:443/admit`, 'service "none" not found'],
    [
      { service: { ...service, port: 8443 }, caBundle },
      `https://none.${namespace}.svc:8443/admit`,
      'service "none" not found',
    ],
  ] as const;
  for (const [clientConfig, url, why] of cases) {
    await using _ = await hooks(stage, "validating", {
      down: { clientConfig, rules: secretRules, answer: () => allowing },
    });
    expect(statusMessage(await wire(client, `POST ${secrets(namespace)}?dryRun=All`, { body }))).toEqual(
      failed("down", `failed to call webhook: Post "${url}?timeout=10s": ${why}`),
    );
  }
});

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const review = (more: object): RawAnswer =>
  new RawAnswer(200, JSON.stringify({ kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", ...more }));
const invalid = (why: string): string => `received invalid webhook response: ${why}`;
const call = (why: string): string => `failed to call webhook: ${why}`;
const unmarshal = "couldn't get version/kind; json parse error: json: cannot unmarshal";

/** Answers that are no valid reviews, and their errors. */
const answers: ReadonlyArray<readonly [answer: Answer, error: string]> = [
  [() => new RawAnswer(200, "hello"), call(`${unmarshal} string into Go value of type ${typeMeta}`)],
  [() => new RawAnswer(200, "[]"), call(`${unmarshal} array into Go value of type ${typeMeta}`)],
  [
    () => new RawAnswer(200, ""),
    call("0-length response with status code: 200 and content type: application/json"),
  ],
  [() => new RawAnswer(200, "{}"), invalid("webhook response was absent")],
  [() => review({}), invalid("webhook response was absent")],
  [
    ({ uid }) => new RawAnswer(200, JSON.stringify({ response: { uid, allowed: true } })),
    invalid("expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind="),
  ],
  [
    ({ uid }) => review({ apiVersion: "admission.k8s.io/v1beta1", response: { uid, allowed: true } }),
    call("converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion"),
  ],
  [
    () => review({ kind: "Other" }),
    call(
      'no kind "Other" is registered for version "admission.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    ),
  ],
  [
    () => ({ allowed: "yes" }),
    call(
      "json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool",
    ),
  ],
  [() => new RawAnswer(404, "none"), call("the server could not find the requested resource")],
  [
    () => new RawAnswer(500, "oops"),
    call('an error on the server ("unknown") has prevented the request from succeeding'),
  ],
  [() => new RawAnswer(503, "busy"), call("the server is currently unable to handle the request")],
];

scenario("an invalid response fails the request with the reason", async (stage) => {
  const { client, namespace, expect } = stage;
  for (const type of types) {
    let current: Answer = () => allowing;
    await using _ = await hooks(stage, type, { wrong: (request) => current(request) });
    for (const [answer, error] of answers) {
      current = answer;
      const refused = await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body });
      expect(statusMessage(refused)).toEqual(failed("wrong", error));
    }
  }
});

scenario("a response must have the uid of its request", async (stage) => {
  const { client, namespace, expect } = stage;
  await using made = await hooks(stage, "validating", { wrong: () => ({ uid: "other", allowed: true }) });
  const refused = await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body });
  const [{ uid = "" } = {}] = made.requests.wrong ?? [];
  expect(statusMessage(refused)).toEqual(
    failed("wrong", invalid(`expected response.uid="${uid}", got "other"`)),
  );
});

scenario("a validating webhook must not patch", async (stage) => {
  const { client, namespace, expect } = stage;
  let answer: object = {};
  await using _ = await hooks(stage, "validating", { wrong: () => answer });
  for (const [sent, field] of [
    [patching({ op: "add", path: "/data", value: {} }), "patch"],
    [{ allowed: true, patchType: "JSONPatch" }, "patchType"],
  ] as const) {
    answer = sent;
    const refused = await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body });
    expect(statusMessage(refused)).toEqual(
      failed("wrong", invalid(`validating webhook may not return response.${field}`)),
    );
  }
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const add = base64('[{"op":"add","path":"/data","value":{}}]');

/** Patches that cannot be applied, and the errors after "Internal error occurred: ". */
const patches: ReadonlyArray<readonly [answer: object, error: string]> = [
  [
    { allowed: true, patch: "W10=" },
    wrong(invalid("webhook returned response.patch but not response.patchType")),
  ],
  [
    { allowed: true, patchType: "JSONPatch" },
    wrong(invalid("webhook returned response.patchType but not response.patch")),
  ],
  [{ allowed: true, patchType: "Merge", patch: add }, wrong('unsupported patch type "Merge"')],
  [
    { allowed: true, patchType: "JSONPatch", patch: "###" },
    wrong(call("illegal base64 data at input byte 0")),
  ],
  [
    { allowed: true, patchType: "JSONPatch", patch: base64("{}") },
    wrong(
      "received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch",
    ),
  ],
  [
    patching({ op: "add", path: "/a/b/c", value: 1 }),
    'add operation does not apply: doc is missing path: "/a/b/c": missing value',
  ],
  [
    patching({ op: "remove", path: "/data/none" }),
    'remove operation does not apply: doc is missing path: "/data/none": missing value',
  ],
  [
    patching({ op: "remove", path: "/metadata/none" }),
    "error in remove for path: '/metadata/none': Unable to remove nonexistent key: none: missing value",
  ],
  [
    patching({ op: "replace", path: "/none/x", value: 1 }),
    "replace operation does not apply: doc is missing path: /none/x: missing value",
  ],
  [
    patching({ op: "test", path: "/metadata/name", value: "b" }),
    "testing value /metadata/name failed: test failed",
  ],
  [patching({ op: "zap", path: "/a" }), "Unexpected kind: zap"],
  [
    patching({ op: "add", path: "/data", value: "text" }),
    "json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string",
  ],
];

function wrong(why: string): string {
  return `failed calling webhook "wrong.example.dev": ${why}`;
}

scenario("a patch that cannot be applied fails the request with the reason", async (stage) => {
  const { client, namespace, expect } = stage;
  let answer: object = {};
  await using _ = await hooks(stage, "mutating", { wrong: () => answer });
  for (const [sent, error] of patches) {
    answer = sent;
    const refused = await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body });
    expect(statusMessage(refused)).toEqual([500, `Internal error occurred: ${error}`]);
  }
});

scenario("a deletion cannot be patched", async (stage) => {
  const { client, namespace, expect } = stage;
  await wire(client, `POST ${configMaps(namespace)}`, { body });
  await using _ = await hooks(stage, "mutating", {
    wrong: () => patching({ op: "add", path: "/a", value: 1 }),
  });
  expect(statusMessage(await wire(client, `DELETE ${configMaps(namespace)}/a`))).toEqual([
    500,
    'Internal error occurred: admission webhook "wrong.example.dev" attempted to modify the object, which is not supported for this operation',
  ]);
});

scenario("managed fields that a webhook makes invalid are restored", async (stage) => {
  const { client, namespace, expect } = stage;
  const value = [{ manager: "me", operation: "Zap" }];
  await using _ = await hooks(stage, "mutating", {
    wrong: () => patching({ op: "add", path: "/metadata/managedFields", value }),
  });
  const answer = await wire(client, `POST ${configMaps(namespace)}`, { body });
  expect([answer.status, warningsOf(answer)]).toEqual([
    201,
    [
      ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`",
    ],
  ]);
});
