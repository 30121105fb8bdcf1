import { uid } from "./digits.ts";
import type { Marks, Template } from "./template.ts";

/** A custom object of about 0.88 KB. Its fields are in alphabetical order, as in custom objects of kube-apiserver. */
export const websiteTemplate: Template = {
  resource: "websites",
  path: "/apis/bench.trimtab.dev/v1",
  kind: "Website",
  apiVersion: "bench.trimtab.dev/v1",
  namedInLists: true,
  object: (index, marks) => ({
    apiVersion: "bench.trimtab.dev/v1",
    kind: "Website",
    metadata: metadata(index, marks),
    spec: {
      host: `site-${index}.example.com`,
      image: `registry.example.com/sites/site-${index % 40}:v1.${index % 80}.0`,
      replicas: 1 + (index % 7),
    },
    status: {
      conditions: [
        {
          lastTransitionTime: "2026-03-02T08:15:41Z",
          message: "all replicas are available",
          reason: "Available",
          status: "True",
          type: "Ready",
        },
      ],
      observedGeneration: 2,
      readyReplicas: 1 + (index % 7),
    },
  }),
};

function metadata(index: number, marks: Marks): object {
  return {
    annotations: { "bench.trimtab.dev/sent-us": marks.sentUs },
    creationTimestamp: "2026-03-02T08:15:30Z",
    generation: 2,
    labels: { app: `site-${index % 100}`, tier: "frontend" },
    managedFields: [
      {
        apiVersion: "bench.trimtab.dev/v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { ".": {}, "f:image": {}, "f:replicas": {} } },
        manager: "kubectl",
        operation: "Apply",
        time: "2026-03-02T08:15:30Z",
      },
    ],
    name: `website-${index}`,
    namespace: `ns-${index % 50}`,
    resourceVersion: marks.resourceVersion,
    uid: websiteUid(index),
  };
}

export function websiteUid(index: number): string {
  return uid(index + 6e8);
}
