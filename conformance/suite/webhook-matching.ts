import { hookScenario as scenario } from "../hook-scenario.ts";
import { web } from "../web.ts";
import { type AdmissionRequest, allowing, type Hook, type Hooks, hooks, patching } from "../webhooks.ts";
import { wire } from "../wire.ts";

const configMaps = (namespace: string): `/${string}` => `/api/v1/namespaces/${namespace}/configmaps`;
const core = (namespace: string, plural: string): `/${string}` => `/api/v1/namespaces/${namespace}/${plural}`;

type Rule = NonNullable<Hook["rules"]>[number];

const rule = (resources: string[], more: Partial<Rule> = {}): Rule => ({
  apiGroups: ["*"],
  apiVersions: ["*"],
  operations: ["*"],
  resources,
  ...more,
});

/** Returns the requests of a webhook: `CREATE Binding pods/binding`. */
function calls({ requests }: Hooks, name: string): string[] {
  return (requests[name] ?? []).map(({ operation, kind, resource, subResource }: AdmissionRequest) => {
    const { kind: what } = kind as { kind: string };
    const { resource: plural } = resource as { resource: string };
    return `${operation} ${what} ${plural}${subResource ? `/${subResource}` : ""}`;
  });
}

scenario("subresources are admitted with the kind of their body", async (stage) => {
  const { client, namespace, expect } = stage;
  await using mutating = await hooks(stage, "mutating", {
    all: { rules: [rule(["*/*"], { scope: "Namespaced" })], answer: () => allowing },
  });
  await using validating = await hooks(stage, "validating", {
    all: { rules: [rule(["*/*"], { scope: "Namespaced" })], answer: () => allowing },
    none: { rules: [rule(["pods"])], answer: () => allowing },
    some: { rules: [rule(["pods/eviction", "*/scale", "deployments/*"])], answer: () => allowing },
  });
  const pods = core(namespace, "pods");
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments` as const;
  const spec = { containers: [{ name: "main", image: "a" }] };
  await wire(client, `POST ${pods}`, { body: { metadata: { name: "a" }, spec } });
  await wire(client, `PATCH ${pods}/a/status`, { body: { status: { message: "m" } } });
  await wire(client, `POST ${pods}/a/binding`, { body: { metadata: { name: "a" }, target: { name: "n" } } });
  await wire(client, `POST ${pods}/a/eviction?dryRun=All`, { body: { metadata: { name: "a" } } });
  await wire(client, `GET ${pods}/a/exec?command=ls&container=none`);
  await wire(client, `POST ${deployments}`, { body: web(1) });
  await wire(client, `PATCH ${deployments}/web/scale`, { body: { spec: { replicas: 2 } } });
  const all = [
    "CREATE Pod pods",
    "UPDATE Pod pods/status",
    "CREATE Binding pods/binding",
    "CREATE Eviction pods/eviction",
    "CONNECT PodExecOptions pods/exec",
    "CREATE Deployment deployments",
    "UPDATE Scale deployments/scale",
  ];
  expect(calls(mutating, "all")).toEqual(all);
  expect(calls(validating, "all")).toEqual(all);
  expect(calls(validating, "none")).toEqual(["CREATE Pod pods"]);
  expect(calls(validating, "some")).toEqual([
    "CREATE Eviction pods/eviction",
    "CREATE Deployment deployments",
    "UPDATE Scale deployments/scale",
  ]);
});

scenario("a webhook of a scale changes the replicas, and sees both scales", async (stage) => {
  const { client, namespace, expect } = stage;
  const rules = [rule(["deployments/scale"])];
  const four = patching({ op: "replace", path: "/spec/replicas", value: 4 });
  await using _ = await hooks(stage, "mutating", { four: { rules, answer: () => four } });
  await using made = await hooks(stage, "validating", { see: { rules, answer: () => allowing } });
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments` as const;
  await wire(client, `POST ${deployments}`, { body: web(1) });
  const scaled = await wire(client, `PATCH ${deployments}/web/scale`, { body: { spec: { replicas: 2 } } });
  expect(scaled.body).toMatchObject({ kind: "Scale", spec: { replicas: 4 } });
  expect((await wire(client, `GET ${deployments}/web`)).body).toMatchObject({ spec: { replicas: 4 } });
  expect(made.requests.see).toMatchObject([
    { oldObject: { kind: "Scale", spec: { replicas: 1 } }, object: { kind: "Scale", spec: { replicas: 4 } } },
  ]);
});

scenario("the deletion of a Pod is admitted before it is marked and before it is removed", async (stage) => {
  const { client, namespace, expect } = stage;
  await using made = await hooks(stage, "validating", {
    see: { rules: [rule(["pods"], { operations: ["DELETE"] })], answer: () => allowing },
  });
  const spec = { schedulerName: "none", containers: [{ name: "main", image: "a" }] };
  await wire(client, `POST ${core(namespace, "pods")}`, { body: { metadata: { name: "a" }, spec } });
  await wire(client, `DELETE ${core(namespace, "pods")}/a`);
  const marks = made.requests.see?.map(({ oldObject, options }) =>
    JSON.stringify([
      (oldObject as { metadata: { deletionTimestamp?: string } }).metadata.deletionTimestamp !== undefined,
      (options as { gracePeriodSeconds?: number }).gracePeriodSeconds,
    ]),
  );
  // kube-apiserver asks again for the first step if its cache is behind.
  expect([...new Set(marks)]).toEqual(["[false,0]", "[true,0]"]);
});

scenario("a request in another version is converted to the version of the rule", async (stage) => {
  const { client, namespace, expect } = stage;
  const rules = [rule(["horizontalpodautoscalers"], { apiGroups: ["autoscaling"], apiVersions: ["v2"] })];
  await using mutating = await hooks(stage, "mutating", {
    nine: { rules, answer: () => patching({ op: "replace", path: "/spec/maxReplicas", value: 9 }) },
    exact: { rules, matchPolicy: "Exact", answer: () => allowing },
  });
  const path = `/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers` as const;
  const scaleTargetRef = { kind: "Deployment", name: "web", apiVersion: "apps/v1" };
  const created = await wire(client, `POST ${path}`, {
    body: {
      metadata: { name: "a" },
      spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 40 },
    },
  });
  expect(created.body).toMatchObject({
    apiVersion: "autoscaling/v1",
    spec: { maxReplicas: 9, targetCPUUtilizationPercentage: 40 },
  });
  expect(mutating.requests.exact).toBe(undefined);
  const named = (version: string) => ({ group: "autoscaling", version, kind: "HorizontalPodAutoscaler" });
  const metrics = [{ resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 40 } } }];
  expect(mutating.requests.nine).toMatchObject([
    {
      kind: named("v2"),
      requestKind: named("v1"),
      object: { apiVersion: "autoscaling/v2", spec: { metrics } },
    },
  ]);
});

scenario("selectors and scopes select the requests of a webhook", async (stage) => {
  const { client, namespace, expect } = stage;
  const labelled = { objectSelector: { matchLabels: { app: "web" } }, answer: () => allowing };
  const elsewhere = { namespaceSelector: { matchLabels: { none: "none" } }, answer: () => allowing };
  await using made = await hooks(stage, "validating", {
    labelled,
    elsewhere,
    cluster: { rules: [rule(["configmaps"], { scope: "Cluster" })], answer: () => allowing },
    namespaced: { rules: [rule(["configmaps"], { scope: "Namespaced" })], answer: () => allowing },
    updates: { rules: [rule(["configmaps"], { operations: ["UPDATE"] })], answer: () => allowing },
    groups: { rules: [rule(["configmaps"], { apiGroups: ["apps"] })], answer: () => allowing },
  });
  const path = configMaps(namespace);
  await wire(client, `POST ${path}`, { body: { metadata: { name: "a" } } });
  await wire(client, `PATCH ${path}/a`, { body: { metadata: { labels: { app: "web" } } } });
  await wire(client, `PATCH ${path}/a`, { body: { metadata: { labels: { app: null } } } });
  await wire(client, `DELETE ${path}/a`);
  const operations = Object.fromEntries(
    Object.entries(made.requests).map(([name, requests]) => [
      name,
      requests.map(({ operation }) => operation),
    ]),
  );
  expect(operations).toEqual({
    labelled: ["UPDATE", "UPDATE"],
    namespaced: ["CREATE", "UPDATE", "UPDATE", "DELETE"],
    updates: ["UPDATE", "UPDATE"],
  });
});

scenario("cluster-scoped objects and namespaces are admitted", async (stage) => {
  const { client, namespace, expect } = stage;
  const labels = { scenario: namespace };
  await using made = await hooks(stage, "validating", {
    see: {
      rules: [rule(["namespaces", "nodes"])],
      namespaceSelector: { matchLabels: labels },
      objectSelector: { matchLabels: labels },
      answer: () => allowing,
    },
  });
  const name = `${namespace}-x`;
  await wire(client, "POST /api/v1/namespaces", { body: { metadata: { name, labels } } });
  await wire(client, "POST /api/v1/nodes", { body: { metadata: { name, labels } } });
  await wire(client, `DELETE /api/v1/nodes/${name}`);
  await wire(client, `DELETE /api/v1/namespaces/${name}`);
  expect(made.requests.see?.map((one) => [one.operation, one.name, one.namespace])).toEqual([
    ["CREATE", name, name],
    ["CREATE", name, undefined],
    ["DELETE", name, undefined],
    ["DELETE", name, name],
  ]);
});

scenario("webhook configurations are not admitted by webhooks", async (stage) => {
  const { client, namespace, expect } = stage;
  const labels = { scenario: namespace };
  await using made = await hooks(stage, "validating", {
    see: { rules: [rule(["*"])], objectSelector: { matchLabels: labels }, answer: () => allowing },
  });
  const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
  await wire(client, `POST ${path}`, { body: { metadata: { name: namespace, labels } } });
  await wire(client, `DELETE ${path}/${namespace}`);
  expect(made.requests).toEqual({});
});

scenario("a webhook that accepts only v1beta1 gets reviews of that version", async (stage) => {
  const { client, namespace, expect } = stage;
  await using made = await hooks(stage, "mutating", {
    old: {
      review: "v1beta1",
      answer: () => ({
        ...patching({ op: "add", path: "/data", value: { a: "1" } }),
        uid: "any",
        patchType: undefined,
      }),
    },
  });
  const created = await wire(client, `POST ${configMaps(namespace)}`, { body: { metadata: { name: "a" } } });
  expect(created.body).toMatchObject({ data: { a: "1" } });
  expect(made.requests.old?.length).toBe(1);
});

const set = (key: string, value: string): object => patching({ op: "add", path: `/data/${key}`, value });

scenario("webhooks run again if a later one changes the object and their policy allows it", async (stage) => {
  const { client, namespace, expect } = stage;
  const order: string[] = [];
  const logged =
    (name: string, answer: (data: Record<string, string>) => object) => (request: AdmissionRequest) => {
      const { data } = request.object as { data: Record<string, string> };
      order.push(`${name} ${Object.keys(data).sort().join("")}`);
      return answer(data);
    };
  await using _ = await hooks(stage, "mutating", {
    a: {
      reinvocationPolicy: "IfNeeded",
      answer: logged("a", (data) => set("a", `${Object.keys(data).length}`)),
    },
    b: { reinvocationPolicy: "Never", answer: logged("b", () => set("b", "1")) },
    c: { reinvocationPolicy: "IfNeeded", answer: logged("c", () => allowing) },
    d: { answer: logged("d", () => allowing) },
  });
  const created = await wire(client, `POST ${configMaps(namespace)}`, {
    body: { metadata: { name: "a" }, data: { s: "0" } },
  });
  expect(created.body).toMatchObject({ data: { a: "3", b: "1", s: "0" } });
  expect(order).toEqual(["a s", "b as", "c abs", "d abs", "a abs", "c abs"]);
});

scenario("webhooks do not run again if nothing changes after them", async (stage) => {
  const { client, namespace, expect } = stage;
  const order: string[] = [];
  const logged = (name: string, answer: object) => () => {
    order.push(name);
    return answer;
  };
  await using _ = await hooks(stage, "mutating", {
    a: { reinvocationPolicy: "IfNeeded", answer: logged("a", set("a", "1")) },
    b: { reinvocationPolicy: "IfNeeded", answer: logged("b", set("s", "0")) },
  });
  await wire(client, `POST ${configMaps(namespace)}`, {
    body: { metadata: { name: "a" }, data: { s: "0" } },
  });
  expect(order).toEqual(["a", "b"]);
});

scenario("validating webhooks run in parallel", async (stage) => {
  const { client, namespace, expect } = stage;
  const waiting: Array<() => void> = [];
  const together = (): Promise<object> =>
    new Promise((resolve) => {
      waiting.push(() => resolve(allowing));
      if (waiting.length === 2) for (const go of waiting) go();
    });
  await using _ = await hooks(stage, "validating", { one: together, two: together });
  const created = await wire(client, `POST ${configMaps(namespace)}`, { body: { metadata: { name: "a" } } });
  expect(created.status).toBe(201);
});
