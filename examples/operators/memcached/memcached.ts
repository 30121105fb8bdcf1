import { controller, createOrPatch, owns } from "trimtab";
import { available, degraded, type ObjectKey, type ObjectOf } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Service } from "trimtab/api/core/v1";
import { defineResource } from "trimtab/crd";
import { conditions } from "trimtab/zod";
import { z } from "zod";

export const Memcached = defineResource({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  spec: z.object({
    size: z.int32().min(1).max(5).default(1),
    port: z.int32().min(1).max(65_535).default(11_211),
  }),
  status: z.object({ readyReplicas: z.int32(), conditions: conditions() }),
  columns: [
    { name: "Size", path: ".spec.size", type: "integer" },
    { name: "Ready", path: ".status.readyReplicas", type: "integer" },
  ],
});
export type Memcached = ObjectOf<typeof Memcached>;

/** The ConfigMap from which clients read the addresses of all Memcacheds of a namespace. */
const directory = ({ namespace }: ObjectKey): ObjectKey => ({ namespace, name: "memcached-directory" });

export const memcacheds = controller({
  for: Memcached,
  on: [owns(Deployment), owns(Service)],
  finalizer: "cache.example.com/directory",
  async reconcile(key, { client }) {
    const memcached = await client.get(Memcached, key);
    if (!memcached) return;
    const { size, port } = memcached.spec;
    const { status } = await client.apply(Deployment, deployment(key, memcached.spec), { owner: memcached });
    await client.apply(Service, service(key, memcached.spec), { owner: memcached });
    await createOrPatch(client, ConfigMap, {
      key: directory(key),
      mutate(map) {
        map.data = { ...map.data, [key.name]: `${key.name}.${key.namespace}.svc:${port}` };
      },
    });
    const readyReplicas = status?.readyReplicas ?? 0;
    const message = `${readyReplicas} of ${size} replicas are ready`;
    await client.applyStatus(Memcached, memcached, {
      readyReplicas,
      conditions: [
        available(readyReplicas > 0, readyReplicas > 0 ? "Serving" : "NoReplicas", message),
        degraded(readyReplicas < size, readyReplicas < size ? "TooFewReplicas" : "AllReplicas", message),
      ],
    });
  },
  // The Memcacheds of a namespace share the ConfigMap, so it has no owner, and the garbage collector cannot clean it up.
  async cleanup({ metadata }, { client }) {
    if (!(await client.get(ConfigMap, directory(metadata)))) return;
    await client.patch(ConfigMap, directory(metadata), { merge: { data: { [metadata.name]: null } } });
  },
});

const labelsOf = ({ name }: ObjectKey) => ({
  "app.kubernetes.io/name": "memcached",
  "app.kubernetes.io/instance": name,
});

function service(key: ObjectKey, { port }: Memcached["spec"]) {
  return { metadata: key, spec: { selector: labelsOf(key), ports: [{ name: "memcached", port }] } };
}

function deployment(key: ObjectKey, { size, port }: Memcached["spec"]) {
  const labels = labelsOf(key);
  const container = {
    name: "memcached",
    image: "memcached:1.6-alpine",
    args: ["memcached", "-m=64", `--port=${port}`],
    ports: [{ name: "memcached", containerPort: port }],
    securityContext: { runAsNonRoot: true, runAsUser: 1001, allowPrivilegeEscalation: false },
  };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  return {
    metadata: key,
    spec: { replicas: size, selector: { matchLabels: labels }, template },
  };
}
