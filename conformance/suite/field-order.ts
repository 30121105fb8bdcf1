import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

/** Returns the paths of all fields of a JSON value, in the order of the text. */
function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, `${path}.${key}`))];
}

/** Returns the fields of the spec after a create, and after a patch and an update that change none of them. */
async function orders(client: Client, path: `/${string}`, spec: object): Promise<unknown[][]> {
  const made = await wire(client, `POST ${path}`, { body: { spec, metadata: { name: "a" } } });
  const patched = await wire(client, `PATCH ${path}/a`, { body: { metadata: { labels: { b: "1" } } } });
  const updated = await wire(client, `PUT ${path}/a`, { body: patched.text });
  return [made, patched, updated].map(({ body }) => pathsIn((body as { spec: unknown }).spec));
}

const pod = { containers: [{ image: "nginx", name: "web" }], enableServiceLinks: false };

scenario(
  "a created Pod has its fields in the same order as a patched one",
  async ({ client, namespace, expect }) => {
    const [created = [], ...later] = await orders(client, `/api/v1/namespaces/${namespace}/pods`, pod);
    expect(later).toEqual([created, created]);
    expect(created.filter((path) => /^\.\w+$/.test(String(path)))).toEqual(
      [
        "containers",
        "restartPolicy",
        "terminationGracePeriodSeconds",
        "dnsPolicy",
        "securityContext",
        "schedulerName",
        "tolerations",
        "priority",
        "enableServiceLinks",
        "preemptionPolicy",
      ].map((name) => `.${name}`),
    );
  },
);

scenario(
  "a created Service has its fields in the same order as a patched one",
  async ({ client, namespace, expect }) => {
    const spec = { selector: { app: "web" }, ports: [{ port: 80 }], type: "NodePort" };
    const [created = [], ...later] = await orders(client, `/api/v1/namespaces/${namespace}/services`, spec);
    expect(later).toEqual([created, created]);
    expect(created.filter((path) => /^\.\w+$/.test(String(path)))).toEqual(
      [
        "ports",
        "selector",
        "clusterIP",
        "clusterIPs",
        "type",
        "sessionAffinity",
        "externalTrafficPolicy",
        "ipFamilies",
        "ipFamilyPolicy",
        "internalTrafficPolicy",
      ].map((name) => `.${name}`),
    );
  },
);

scenario(
  "a created Job has its fields in the same order as a patched one",
  async ({ client, namespace, expect }) => {
    const spec = { template: { spec: { ...pod, restartPolicy: "Never" } } };
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs` as const;
    const [created = [], ...later] = await orders(client, path, spec);
    expect(later).toEqual([created, created]);
    expect(created.filter((each) => /^\.\w+$/.test(String(each)))).toEqual(
      [
        "parallelism",
        "completions",
        "backoffLimit",
        "selector",
        "manualSelector",
        "template",
        "completionMode",
        "suspend",
        "podReplacementPolicy",
      ].map((name) => `.${name}`),
    );
  },
);

scenario("a volume claim template starts with its kind", async ({ client, namespace, expect }) => {
  const claim = {
    metadata: { name: "data" },
    spec: { resources: { requests: { storage: "1Gi" } }, accessModes: ["ReadWriteOnce"] },
  };
  const template = { metadata: { labels: { app: "web" } }, spec: pod };
  const selector = { matchLabels: { app: "web" } };
  const spec = { serviceName: "web", selector, template, volumeClaimTemplates: [claim] };
  const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets` as const;
  const [created = [], ...later] = await orders(client, path, spec);
  expect(later).toEqual([created, created]);
  const inside = created.filter((each) => /^\.volumeClaimTemplates\.0\.\w+$/.test(String(each)));
  expect(inside.map((each) => String(each).split(".").at(-1))).toEqual([
    "kind",
    "apiVersion",
    "metadata",
    "spec",
    "status",
  ]);
});
