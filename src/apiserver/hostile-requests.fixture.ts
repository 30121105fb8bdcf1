import type { Status } from "../api/index.ts";
import type { TestResponse, TestServer } from "./requests.fixture.ts";

/** A request with many parts, for which a careless server takes long. */
export interface HostileRequest {
  /** Method and path: `GET /api/v1/pods`. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes a request of `size` parts. Stores the objects that it needs. */
export type HostileTask = (size: number) => HostileRequest | Promise<HostileRequest>;

/** Sends a request and ignores the response. */
export function sendHostile(
  server: TestServer,
  { line, headers, body }: HostileRequest,
): Promise<TestResponse> {
  const [method = "", path = ""] = line.split(" ");
  return server.send(method, path, { body, headers });
}

const namespace = "/api/v1/namespaces/default";
const pods = `${namespace}/pods`;
const configMaps = `${namespace}/configmaps`;
const things = "/apis/example.dev/v1/namespaces/default/things";
const types = {
  json: "application/json",
  yaml: "application/yaml",
  apply: "application/apply-patch+yaml",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  steps: "application/json-patch+json",
};

interface Request {
  readonly type?: keyof typeof types;
  readonly accept?: string;
  readonly body?: unknown;
}

function sending(line: string, { type = "json", accept = types.json, body }: Request): HostileRequest {
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  return { line, headers: { "content-type": types[type], accept }, body: text };
}

const times = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const record = <T>(size: number, make: (index: number) => readonly [string, T]): Record<string, T> =>
  Object.fromEntries(times(size, make));

/** Creates a Pod with these fields in its spec, as a dry run. */
const pod = (spec: object): HostileRequest =>
  sending(`POST ${pods}?dryRun=All`, {
    body: { metadata: { name: "a" }, spec: { containers: [web], ...spec } },
  });
const web = { name: "web", image: "web" };
const container = (fields: object): HostileRequest => pod({ containers: [{ ...web, ...fields }] });
/** An object named `a`. A custom object declares its kind. */
const named = (path: string, object: object): object => ({
  ...(path === things && { apiVersion: "example.dev/v1", kind: "Thing" }),
  metadata: { name: "a" },
  ...object,
});
const created = (path: string, object: object): HostileRequest =>
  sending(`POST ${path}?dryRun=All`, { body: named(path, object) });
const meta = (fields: object): HostileRequest =>
  sending(`POST ${configMaps}?dryRun=All`, { body: { metadata: { name: "a", ...fields } } });
const owner = (name: string): object => ({ apiVersion: "v1", kind: "Pod", name, uid: name });

const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const thing = (name: string, spec: object): object => named(things, { metadata: { name }, spec });

/** A ConfigMap in which each key has another manager. */
function managed(name: string, size: number, operation: string): object {
  const managedFields = times(size, (at) => ({
    manager: `m${at}`,
    operation,
    apiVersion: "v1",
    time: "2020-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { [`f:k${at}`]: {} } },
  }));
  return { metadata: { name, managedFields }, data: record(size, (at) => [`k${at}`, "w"]) };
}

function definition(plural: string, list: object): object {
  const string = { type: "string" };
  const item = { type: "object", required: ["name"], properties: { name: string, value: string } };
  const properties = {
    choices: { type: "array", items: { type: "string", enum: times(4000, (at) => `c${at}`) } },
    set: { type: "array", "x-kubernetes-list-type": "set", items: string },
    list: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: item,
    },
    text: { type: "string", pattern: "^[a-z]([-a-z]*[a-z])?$" },
    other: list,
  };
  const schema = {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
  };
  return {
    group: "example.dev",
    scope: "Namespaced",
    names: { plural, kind: plural === "things" ? "Thing" : "Many" },
    versions: [{ name: "v1", served: true, storage: true, schema }],
  };
}

/** Creates the custom kind of some of the requests. */
export async function defineThings(server: TestServer): Promise<void> {
  const crd = { metadata: { name: "things.example.dev" }, spec: definition("things", { type: "string" }) };
  await server.object("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
}

/** The requests by the part that they have many of. Those for custom objects need `defineThings`. */
export function hostileRequests(server: TestServer): Readonly<Record<string, HostileTask>> {
  const stored = storing(server);
  return {
    // decoders
    "a JSON key that repeats": (n) =>
      sending(`POST ${configMaps}?dryRun=All`, {
        body: `{"metadata":{"name":"a"}${`,"data":{"a":"b"}`.repeat(n)}}`,
      }),
    "a JSON map that is extended by repeated keys": (n) =>
      sending(`POST ${configMaps}?dryRun=All`, {
        body: `{"metadata":{"name":"a"}${times(n, (at) => `,"data":{"k${at}":"b"}`).join("")}}`,
      }),
    "JSON keys that repeat in different objects": (n) =>
      sending(`POST ${pods}?dryRun=All`, {
        body: `{"metadata":{"name":"a"},"spec":{"containers":[${times(n, () => '{"name":"a","name":"b"}').join()}]}}`,
      }),
    "unknown JSON fields": (n) =>
      created(
        configMaps,
        record(n, (at) => [`unknown${at}`, at]),
      ),
    "a JSON number of many digits": (n) =>
      sending(`POST ${configMaps}`, { body: `{"x":${"1".repeat(20 * n)}}` }),
    "YAML items": (n) => sending(`POST ${configMaps}`, { type: "yaml", body: "- 1\n".repeat(n) }),
    "YAML dashes": (n) => sending(`POST ${configMaps}`, { type: "yaml", body: "-".repeat(20 * n) }),
    "YAML keys that repeat": (n) => sending(`POST ${configMaps}`, { type: "yaml", body: "a: 1\n".repeat(n) }),
    "YAML documents": (n) => sending(`POST ${configMaps}`, { type: "yaml", body: "---\n".repeat(n) }),
    "YAML problems": (n) => sending(`POST ${configMaps}`, { type: "yaml", body: "]".repeat(n) }),

    // validators
    "owner references": (n) => meta({ ownerReferences: times(n, (at) => owner(`o${at}`)) }),
    "owner references that repeat": (n) => meta({ ownerReferences: times(n, () => owner("o")) }),
    finalizers: (n) => meta({ finalizers: times(n, (at) => `example.dev/f${at}`) }),
    labels: (n) => meta({ labels: record(n, (at) => [`example.dev/l${at}`, "v"]) }),
    "a long name": (n) => created(configMaps, { metadata: { name: "a-".repeat(5 * n) } }),
    "environment variables": (n) => container({ env: times(n, (at) => ({ name: `E${at}`, value: "v" })) }),
    "environment variables that repeat": (n) =>
      container({ env: times(n, () => ({ name: "E", value: "v" })) }),
    "container ports": (n) =>
      container({ ports: times(n, (at) => ({ containerPort: 1 + (at % 60_000), hostPort: at })) }),
    "container ports that repeat": (n) =>
      container({ ports: times(n, () => ({ containerPort: 80, name: "p" })) }),
    "containers, volumes and mounts": (n) =>
      pod({
        volumes: times(n, (at) => ({ name: `v${at}`, emptyDir: {} })),
        containers: times(n, (at) => ({
          ...web,
          name: `c${at}`,
          volumeMounts: [{ name: `v${at}`, mountPath: "/a" }],
          resources: { claims: [{ name: `v${at}` }] },
        })),
      }),
    "claims of a pod and its containers": (n) =>
      pod({
        resourceClaims: times(n, (at) => ({ name: `c${at}`, resourceClaimName: "c" })),
        containers: [{ ...web, resources: { claims: times(n, (at) => ({ name: `c${at}` })) } }],
      }),
    "scheduling gates": (n) => pod({ schedulingGates: times(n, (at) => ({ name: `g${at}` })) }),
    "topology spread constraints": (n) =>
      pod({
        topologySpreadConstraints: times(n, (at) => ({
          maxSkew: 1,
          topologyKey: `k${at}`,
          whenUnsatisfiable: "ScheduleAnyway",
        })),
      }),
    tolerations: (n) => pod({ tolerations: times(n, (at) => ({ key: `k${at}`, operator: "Exists" })) }),
    "image pull secrets": (n) => pod({ imagePullSecrets: times(n, (at) => ({ name: `s${at}` })) }),
    sysctls: (n) =>
      pod({ securityContext: { sysctls: times(n, (at) => ({ name: `a.b${at}`, value: "1" })) } }),
    "a quantity of many digits": (n) =>
      container({ resources: { limits: { cpu: `${"1".repeat(5 * n)}x` } } }),
    "a quantity of many zeros": (n) => container({ resources: { limits: { cpu: `1${"0".repeat(5 * n)}` } } }),
    "service ports": (n) =>
      created(`${namespace}/services`, {
        spec: { ports: times(n, (at) => ({ name: `p${at}`, port: 1 + (at % 65_000), nodePort: at })) },
      }),
    "node taints": (n) =>
      created("/api/v1/nodes", {
        spec: { taints: times(n, (at) => ({ key: `k${at}`, effect: "NoSchedule" })) },
      }),
    "ports of an endpoint slice": (n) =>
      created("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
        addressType: "IPv4",
        endpoints: [],
        ports: times(n, (at) => ({ name: `p${at}`, port: 1 + (at % 65_000) })),
      }),
    "a schedule of a long duration": (n) =>
      created("/apis/batch/v1/namespaces/default/cronjobs", {
        spec: { schedule: `@every ${"1".repeat(5 * n)}x` },
      }),
    "a certificate request with many beginnings": (n) =>
      created("/apis/certificates.k8s.io/v1/certificatesigningrequests", {
        spec: {
          signerName: "example.dev/a",
          usages: ["any"],
          request: Buffer.from("-----BEGIN CERTIFICATE REQUEST-----".repeat(n)).toString("base64"),
        },
      }),
    "custom values of an enum": (n) =>
      created(things, { spec: { choices: times(n, (at) => `c${at % 4000}`) } }),
    "custom values that are not of an enum": (n) =>
      created(things, { spec: { choices: times(n, (at) => `x${at}`) } }),
    "a custom set": (n) => created(things, { spec: { set: times(n, (at) => `s${at}`) } }),
    "a custom map list": (n) =>
      created(things, { spec: { list: times(n, (at) => ({ name: `n${at}`, value: "v" })) } }),
    "a custom text with a pattern": (n) => created(things, { spec: { text: "a-".repeat(10 * n) } }),
    "keys of a list in a definition": (n) =>
      created("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
        spec: definition("many", {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": times(n, (at) => `k${at}`),
          items: { type: "object" },
        }),
      }),

    // differs
    "a forbidden update of a Pod": async (n) => {
      const path = await stored(pods, {
        spec: { containers: [{ ...web, env: times(n, (at) => ({ name: `E${at}`, value: "v" })) }] },
      });
      return sending(`PUT ${path}`, {
        body: {
          metadata: { name: nameIn(path) },
          spec: {
            containers: [{ ...web, env: times(n, (at) => ({ name: `E${at}`, value: at % 2 ? "v" : "w" })) }],
          },
        },
      });
    },
    "an update of all keys": async (n) => {
      const path = await stored(configMaps, { data: record(n, (at) => [`k${at}`, "v"]) });
      return sending(`PUT ${path}?dryRun=All`, {
        body: { metadata: { name: nameIn(path) }, data: record(n, (at) => [`k${at + 1}`, "w"]) },
      });
    },
    "an update of a custom map list with errors": async (n) => {
      const path = await stored(things, {
        spec: { list: times(n, (at) => ({ name: `n${at}`, value: "v" })) },
      });
      return sending(`PUT ${path}?dryRun=All`, {
        body: thing(nameIn(path), { list: times(n, (at) => ({ name: `n${n - at}`, value: 1 })) }),
      });
    },

    // mergers
    "apply of a new object": (n) =>
      sending(`PATCH ${things}/b?fieldManager=m&dryRun=All`, {
        type: "apply",
        body: thing("b", { list: times(n, (at) => ({ name: `n${at}`, value: "v" })) }),
      }),
    "apply over another order": async (n) => {
      const path = await stored(things, {
        spec: { list: times(n, (at) => ({ name: `n${at}`, value: "v" })) },
      });
      return sending(`PATCH ${path}?fieldManager=m&force=true&dryRun=All`, {
        type: "apply",
        body: thing(nameIn(path), { list: times(n, (at) => ({ name: `n${n - at}`, value: "w" })) }),
      });
    },
    "apply with conflicts": async (n) => {
      const path = await stored(things, {
        spec: { list: times(n, (at) => ({ name: `n${at}`, value: "v" })) },
      });
      return sending(`PATCH ${path}?fieldManager=m&dryRun=All`, {
        type: "apply",
        body: thing(nameIn(path), { list: times(n, (at) => ({ name: `n${at}`, value: "w" })) }),
      });
    },
    "a write to an object with many managers": async (n) => {
      const path = await stored(configMaps, { data: record(n, (at) => [`k${at}`, "v"]) });
      return sending(`PUT ${path}?dryRun=All`, { body: managed(nameIn(path), n, "Update") });
    },
    "apply to an object with many managers": async (n) => {
      const path = await stored(configMaps, { data: record(n, (at) => [`k${at}`, "v"]) });
      await server.send("PUT", path, { body: managed(nameIn(path), n, "Apply") });
      return sending(`PATCH ${path}?fieldManager=m&force=true&dryRun=All`, {
        type: "apply",
        body: {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: nameIn(path) },
          data: record(n, (at) => [`k${at}`, "w"]),
        },
      });
    },
    "a strategic patch of a list": async (n) => {
      const path = await stored(pods, {
        spec: { containers: [{ ...web, env: times(n, (at) => ({ name: `E${at}`, value: "v" })) }] },
      });
      return sending(`PATCH ${path}?dryRun=All`, {
        type: "strategic",
        body: {
          spec: {
            containers: [
              {
                name: "web",
                "$setElementOrder/env": times(n, (at) => ({ name: `E${n - 1 - at}` })),
                env: times(n, (at) => ({ name: `E${n - 1 - at}`, value: "v" })),
              },
            ],
          },
        },
      });
    },
    "a merge patch of many keys": async (n) => {
      const path = await stored(configMaps, { data: record(n, (at) => [`k${at}`, "v"]) });
      return sending(`PATCH ${path}?dryRun=All`, {
        type: "merge",
        body: { data: record(n, (at) => [`k${at}`, at % 2 ? null : "w"]) },
      });
    },
    "a JSON patch of many steps": async (n) => {
      const path = await stored(configMaps, { data: record(n, (at) => [`k${at}`, "v"]) });
      return sending(`PATCH ${path}?dryRun=All`, {
        type: "steps",
        body: times(n, (at) => ({ op: at % 2 ? "replace" : "remove", path: `/data/k${at}`, value: "w" })),
      });
    },

    // selectors
    "a label selector of many values": (n) =>
      sending(
        `GET ${configMaps}?labelSelector=${encodeURIComponent(`a in (${times(n, (at) => `v${at}`).join()})`)}`,
        {},
      ),
    "a label selector of many requirements": (n) =>
      sending(
        `GET ${configMaps}?labelSelector=${encodeURIComponent(times(n, (at) => `a${at}=b`).join())}`,
        {},
      ),
    "a label selector with a problem at its end": (n) =>
      sending(
        `GET ${configMaps}?labelSelector=${encodeURIComponent(`${times(n, (at) => `a${at}=b`).join()},=`)}`,
        {},
      ),
    "a field selector of many terms": (n) =>
      sending(
        `GET ${configMaps}?fieldSelector=${encodeURIComponent(times(n, () => "metadata.name=b").join())}`,
        {},
      ),
    "a field selector with a problem at its end": (n) =>
      sending(
        `GET ${configMaps}?fieldSelector=${encodeURIComponent(`${times(n, () => "metadata.name=b").join()},x`)}`,
        {},
      ),

    // printers
    "an object as YAML": async (n) => {
      const path = await stored(configMaps, {
        data: { ...record(n, (at) => [`k${at}`, "v w\nx"]), a: "a b ".repeat(n) },
      });
      return sending(`GET ${path}`, { accept: types.yaml });
    },
    "a table row of a long object": async (n) => {
      const path = await stored(pods, {
        spec: { containers: times(n, (at) => ({ ...web, name: `c${at}` })) },
      });
      return sending(`GET ${path}`, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
    },
  };
}

/** Returns a function that stores an object under a new name and returns its path. */
function storing(server: TestServer): (path: string, object: object) => Promise<string> {
  let count = 0;
  return async (path, object) => {
    count += 1;
    const body = { ...named(path, object), metadata: { name: `a${count}` } };
    const response = await server.send("POST", path, { body });
    if (response.code === 201) return `${path}/a${count}`;
    throw new Error(
      `expected 201 from POST ${path}, got ${response.code}: ${(response.body as Status).message}`,
    );
  };
}
