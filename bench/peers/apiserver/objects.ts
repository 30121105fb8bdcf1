import { podTemplate } from "../../stub/index.ts";

interface MadePod {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly object[];
  };
  readonly spec: { readonly containers: readonly object[]; readonly volumes: readonly object[] };
}

/** Returns a pod as a user sends it: 2.5 KB, stored as about 5 KB. `mark` distinguishes its versions. */
export function podBody(namespace: string, index: number, mark: string): string {
  const { metadata, spec } = madePod(index);
  const { labels, annotations, ownerReferences } = metadata;
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName(index),
      namespace,
      labels,
      annotations: { ...annotations, "bench.trimtab.dev/mark": mark },
      ownerReferences,
    },
    spec,
  });
}

export const podName = (index: number): string => `pod-${index}`;

/** Returns a deployment as a controller applies it: 2 KB. */
export function deploymentBody(index: number, mark: string): string {
  const { metadata, spec } = madePod(index);
  const { containers, volumes } = spec;
  const [container] = containers;
  return JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: deploymentName(index),
      labels: metadata.labels,
      annotations: { "bench.trimtab.dev/mark": mark },
    },
    spec: {
      replicas: 3,
      selector: { matchLabels: metadata.labels },
      template: {
        metadata: { labels: metadata.labels },
        spec: {
          containers: [{ ...container, image: `registry.example.com/shop/app:v1.${mark}` }],
          volumes,
        },
      },
    },
  });
}

export const deploymentName = (index: number): string => `deployment-${index}`;

/** Made by our own template, whose type is only "object". */
function madePod(index: number): MadePod {
  return podTemplate.object(index, { resourceVersion: "", sentUs: "0" }) as MadePod;
}
