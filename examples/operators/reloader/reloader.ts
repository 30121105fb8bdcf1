import { createHash } from "node:crypto";
import { controller, index, keyOf, watches } from "trimtab";
import type { ObjectKey } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Secret } from "trimtab/api/core/v1";

/** A Deployment with this annotation is rolled when a ConfigMap or Secret that its Pods use changes. */
export const reload = "reloader.example.dev/reload";
const hashAnnotation = "reloader.example.dev/hash";

const bySecret = index(Deployment, (deployment) => references(deployment).secrets);
const byConfigMap = index(Deployment, (deployment) => references(deployment).configMaps);

export const reloader = controller({
  name: "reloader",
  for: Deployment,
  indexes: [bySecret, byConfigMap],
  on: [
    watches(Secret, (secret, { cache }) => cache.by(bySecret, keyOf(secret))),
    watches(ConfigMap, (map, { cache }) => cache.by(byConfigMap, keyOf(map))),
  ],
  async reconcile(key, { client, events }) {
    const deployment = await client.get(Deployment, key);
    if (deployment?.metadata.annotations?.[reload] !== "true") return;
    const { secrets, configMaps } = references(deployment);
    const hash = createHash("sha256");
    for (const secret of secrets) hash.update(contentOf(await client.get(Secret, secret)));
    for (const map of configMaps) hash.update(contentOf(await client.get(ConfigMap, map)));
    const annotations = { [hashAnnotation]: hash.digest("hex") };

    const current = deployment.spec.template.metadata?.annotations?.[hashAnnotation];
    if (current === annotations[hashAnnotation]) return;
    await client.patch(Deployment, key, { merge: { spec: { template: { metadata: { annotations } } } } });
    if (current) events.normal(deployment, "Reloaded", "a ConfigMap or Secret of the Pods has changed");
  },
});

/** Returns the ConfigMaps and Secrets that the Pods of a Deployment use as volumes and environment variables. */
function references({ metadata: { namespace }, spec }: Deployment) {
  const { volumes = [], containers = [], initContainers = [] } = spec.template.spec ?? {};
  const all = [...initContainers, ...containers];
  const env = all.flatMap((container) => container.env ?? []).map(({ valueFrom }) => valueFrom);
  const envFrom = all.flatMap((container) => container.envFrom ?? []);
  const keys = (names: readonly (string | undefined)[]): ObjectKey[] =>
    [...new Set(names)].flatMap((name) => (name ? { namespace, name } : []));
  return {
    secrets: keys([
      ...volumes.map(({ secret }) => secret?.secretName),
      ...env.map((from) => from?.secretKeyRef?.name),
      ...envFrom.map(({ secretRef }) => secretRef?.name),
    ]),
    configMaps: keys([
      ...volumes.map(({ configMap }) => configMap?.name),
      ...env.map((from) => from?.configMapKeyRef?.name),
      ...envFrom.map(({ configMapRef }) => configMapRef?.name),
    ]),
  };
}

/** Returns the content as text, in the order of its keys. */
function contentOf(object: ConfigMap | Secret | undefined): string {
  return JSON.stringify(Object.entries({ ...object?.data }).sort());
}
