import { controller, owns } from "trimtab";
import { isControlledBy, type ObjectOf } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { defineResource } from "trimtab/crd";
import { z } from "zod";

export const Foo = defineResource({
  group: "samplecontroller.k8s.io",
  version: "v1alpha1",
  kind: "Foo",
  spec: z.object({ deploymentName: z.string().min(1), replicas: z.int32().min(1).max(10).default(1) }),
  status: z.object({ availableReplicas: z.int32() }),
  columns: [
    { name: "Deployment", path: ".spec.deploymentName", type: "string" },
    { name: "Replicas", path: ".spec.replicas", type: "integer" },
    { name: "Available", path: ".status.availableReplicas", type: "integer" },
  ],
  // API groups under k8s.io are protected, so a definition there needs an approval annotation.
  annotations: { "api-approved.kubernetes.io": "unapproved, experimental-only; an example" },
});
export type Foo = ObjectOf<typeof Foo>;

/** Keeps the Deployment that the Foo names at the Foo's replicas. Refuses a Deployment of another owner. */
export const foos = controller({
  for: Foo,
  on: [owns(Deployment)],
  concurrency: 2,
  async reconcile(key, { client, events }) {
    const foo = await client.get(Foo, key);
    if (!foo) return;
    const target = { namespace: key.namespace, name: foo.spec.deploymentName };

    const existing = await client.get(Deployment, target);
    if (existing && !isControlledBy(existing, foo)) {
      const text = `Resource "${target.name}" already exists and is not managed by Foo`;
      events.warning(foo, "ErrResourceExists", text);
      throw new Error(text);
    }

    const labels = { app: "nginx", controller: foo.metadata.name };
    const deployment = await client.apply(
      Deployment,
      {
        metadata: target,
        spec: {
          replicas: foo.spec.replicas,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "nginx", image: "nginx:latest" }] },
          },
        },
      },
      { owner: foo },
    );
    await client.applyStatus(Foo, foo, { availableReplicas: deployment.status?.availableReplicas ?? 0 });
    events.normal(foo, "Synced", "Foo synced successfully");
  },
});
