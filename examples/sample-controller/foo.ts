import type { ObjectOf } from "trimtab/api";
import { defineResource } from "trimtab/crd";
import { z } from "zod";

/** A Foo asks for a Deployment of its name with so many replicas. */
export const Foo = defineResource({
  group: "samplecontroller.k8s.io",
  version: "v1alpha1",
  kind: "Foo",
  spec: z.object({
    deploymentName: z.string().min(1),
    replicas: z.int32().min(1).max(10).default(1),
  }),
  status: z.object({ availableReplicas: z.int32() }),
  columns: [
    { name: "Deployment", path: ".spec.deploymentName", type: "string" },
    { name: "Replicas", path: ".spec.replicas", type: "integer" },
    { name: "Available", path: ".status.availableReplicas", type: "integer" },
  ],
  // Groups of k8s.io are protected: whoever defines one there says by whose leave.
  annotations: { "api-approved.kubernetes.io": "unapproved, experimental-only; an example" },
});
export type Foo = ObjectOf<typeof Foo>;
