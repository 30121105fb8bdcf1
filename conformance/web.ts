import type { New } from "trimtab/api";
import type { Deployment } from "trimtab/api/apps/v1";

/** The smallest valid Deployment, named "web". */
export function web(replicas?: number): New<Deployment> & { readonly metadata: { readonly name: string } } {
  return {
    metadata: { name: "web" },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "main", image: "registry.example/web:1" }] },
      },
    },
  };
}
