import { podTemplate } from "../../stub/index.ts";

interface MadePod {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly object[];
  };
  readonly spec: { readonly containers: readonly object[]; readonly volumes: readonly object[] };
}

/** A pod as somebody sends it: 2.5 KB, of which the server makes about 5 KB. `mark` tells one version of it from the next. */
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

/** A deployment as a controller applies it: 2 KB. */
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

/** Made by our own template, whose type says no more than "object". */
function madePod(index: number): MadePod {
  return podTemplate.object(index, { resourceVersion: "", sentUs: "0" }) as MadePod;
}
