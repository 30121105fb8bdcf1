import { type Kind, type KubeObject, kind } from "../api/index.ts";

/** An object of a custom kind, for tests. */
export interface Website extends KubeObject {
  spec: { domain: string; image: string; replicas?: number | undefined };
}

export const Website: Kind<Website> = {
  ...kind<Website>({
    group: "example.dev",
    version: "v1",
    kind: "Website",
    plural: "websites",
    namespaced: true,
  }),
  definedHere: true,
};

/** Returns a Website as an API server sends it in a review. */
export function website(spec: Partial<Website["spec"]> = {}): Website {
  return {
    apiVersion: "example.dev/v1",
    kind: "Website",
    metadata: { name: "docs", namespace: "default", uid: "u1", resourceVersion: "1", creationTimestamp: "" },
    spec: { domain: "docs.example.dev", image: "nginx:1.27", ...spec },
  };
}

/** Returns the text of an AdmissionReview of a Website. Fields of `request` override its own. */
export function reviewText(request: object = {}, apiVersion = "admission.k8s.io/v1"): string {
  const kind = { group: "example.dev", version: "v1", kind: "Website" };
  const resource = { group: "example.dev", version: "v1", resource: "websites" };
  const userInfo = { username: "jane", groups: ["dev"] };
  const common = { uid: "705ab4f5", kind, resource, name: "docs", namespace: "default", userInfo };
  return JSON.stringify({
    apiVersion,
    kind: "AdmissionReview",
    request: {
      ...common,
      operation: "CREATE",
      object: website(),
      oldObject: null,
      dryRun: false,
      ...request,
    },
  });
}
