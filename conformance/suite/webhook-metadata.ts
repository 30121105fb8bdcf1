import { hookScenario as scenario } from "../hook-scenario.ts";
import { allowing, hooks, patching } from "../webhooks.ts";
import { statusMessage, wire } from "../wire.ts";

const configMaps = (namespace: string): `/${string}` => `/api/v1/namespaces/${namespace}/configmaps`;
const body = { metadata: { name: "a" }, data: { k: "v" } };

function setting(field: string, value: unknown): object {
  return patching({ op: "add", path: `/metadata/${field}`, value });
}

const otherNamespace = [
  400,
  "the namespace of the provided object does not match the namespace sent on the request",
];
const noName = "metadata.name: Required value: name or generateName is required";

scenario("a webhook cannot move a new object to another namespace", async (stage) => {
  const { client, namespace, expect } = stage;
  let answer: object = allowing;
  await using _ = await hooks(stage, "mutating", { meta: () => answer });
  const refusal = async (sent: object): Promise<unknown> => {
    answer = sent;
    return statusMessage(await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body }));
  };
  expect(await refusal(setting("namespace", "kube-system"))).toEqual(otherNamespace);
  const empty = [422, `ConfigMap "" is invalid: ${noName}`];
  expect(await refusal(patching({ op: "replace", path: "", value: {} }))).toEqual(empty);
  expect(await refusal(patching({ op: "remove", path: "/metadata" }))).toEqual(empty);
  answer = setting("namespace", "");
  const created = await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body });
  expect(created).toMatchObject({ status: 201, body: { metadata: { name: "a", namespace } } });
});

scenario("a webhook cannot change the identity of an object in an update", async (stage) => {
  const { client, namespace, expect } = stage;
  const path: `/${string}` = `${configMaps(namespace)}/a`;
  await wire(client, `POST ${configMaps(namespace)}`, { body });
  let answer: object = allowing;
  await using _ = await hooks(stage, "mutating", { meta: () => answer });
  const refusal = async (sent: object): Promise<unknown> => {
    answer = sent;
    return statusMessage(await wire(client, `PUT ${path}?dryRun=All`, { body }));
  };
  expect(await refusal(setting("namespace", "kube-system"))).toEqual(otherNamespace);
  const immutable = (was: string): string => `metadata.name: Invalid value: "${was}": field is immutable`;
  const renamed = [422, `ConfigMap "b" is invalid: ${immutable("b")}`];
  expect(await refusal(setting("name", "b"))).toEqual(renamed);
  const unnamed = [422, `ConfigMap "" is invalid: [${noName}, ${immutable("")}]`];
  expect(await refusal(setting("name", ""))).toEqual(unnamed);
  expect(await refusal(patching({ op: "remove", path: "/metadata" }))).toEqual(unnamed);
  answer = setting("namespace", "");
  const updated = await wire(client, `PUT ${path}?dryRun=All`, { body });
  expect(updated).toMatchObject({ status: 200, body: { metadata: { name: "a", namespace } } });
});

/** Responses with a field of another type, and Go's description of the fault. */
const wrongTypes: ReadonlyArray<readonly [response: object, fault: string]> = [
  [{ status: { code: "x" } }, "string into Go struct field Status.response.status.code of type int32"],
  [
    { status: { code: 403.5 } },
    "number 403.5 into Go struct field Status.response.status.code of type int32",
  ],
  [
    { status: { code: 1e300 } },
    "number 1e+300 into Go struct field Status.response.status.code of type int32",
  ],
  [{ status: { message: {} } }, "object into Go struct field Status.response.status.message of type string"],
  [
    { status: { reason: 5 } },
    "number into Go struct field Status.response.status.reason of type v1.StatusReason",
  ],
  [
    { status: { details: "x" } },
    "string into Go struct field Status.response.status.details of type v1.StatusDetails",
  ],
  [
    { status: { details: { causes: "x" } } },
    "string into Go struct field StatusDetails.response.status.details.causes of type []v1.StatusCause",
  ],
  [
    { status: { details: { causes: [5] } } },
    "number into Go struct field StatusDetails.response.status.details.causes of type v1.StatusCause",
  ],
  [
    { status: { details: { causes: [{ field: 5 }] } } },
    "number into Go struct field StatusCause.response.status.details.causes.field of type string",
  ],
  [
    { status: { details: { retryAfterSeconds: "x" } } },
    "string into Go struct field StatusDetails.response.status.details.retryAfterSeconds of type int32",
  ],
  [{ warnings: [5] }, "number into Go struct field AdmissionResponse.response.warnings of type string"],
  [
    { auditAnnotations: 5 },
    "number into Go struct field AdmissionResponse.response.auditAnnotations of type map[string]string",
  ],
  [
    { auditAnnotations: { a: 5 } },
    "number into Go struct field AdmissionResponse.response.auditAnnotations of type string",
  ],
];

scenario("a response with fields of other types fails the request with the field", async (stage) => {
  const { client, namespace, expect } = stage;
  let answer: object = allowing;
  await using _ = await hooks(stage, "validating", { typed: () => ({ allowed: false, ...answer }) });
  for (const [response, fault] of wrongTypes) {
    answer = response;
    const refused = await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body });
    const why = `failed calling webhook "typed.example.dev": failed to call webhook: json: cannot unmarshal ${fault}`;
    expect(statusMessage(refused)).toEqual([500, `Internal error occurred: ${why}`]);
  }
  answer = { status: { details: { causes: [null] } }, warnings: [null, "w"] };
  const denied = await wire(client, `POST ${configMaps(namespace)}?dryRun=All`, { body });
  expect(denied).toMatchObject({ status: 400, body: { details: { causes: [{}] } } });
});
