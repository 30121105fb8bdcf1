import fc from "fast-check";
import { fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import { podSpec, podSpecPart } from "./pod-parts.ts";
import type { Subject } from "./subject.ts";

export const pods: Subject = {
  plural: "pods",
  root: "/api/v1",
  apiVersion: "v1",
  kind: "Pod",
  subresources: ["status"],
  whole: fields({ spec: mostly(podSpec) }),
  part: fields({ spec: podSpecPart }),
  status: fields({
    phase: maybe(mostly(pick("Pending", "Running", "Succeeded"))),
    podIP: maybe(mostly(pick("10.1.0.1"), pick("x"))),
    message: maybe(pick("m")),
    conditions: maybe(
      fc.array(
        fields({ type: mostly(pick("Ready", "Initialized")), status: mostly(pick("True", "False")) }),
        {
          maxLength: 2,
        },
      ),
    ),
    containerStatuses: option(
      pick([{ name: "one", ready: true, restartCount: 0, image: "example.dev/a:1", imageID: "" }], []),
      { nil: undefined, freq: 4 },
    ),
  }),
  pointers: [
    "/spec/containers/0/image",
    "/spec/containers/0/env",
    "/spec/containers/0",
    "/spec/terminationGracePeriodSeconds",
    "/spec/activeDeadlineSeconds",
    "/spec/tolerations/-",
    "/spec/nodeName",
    "/status/phase",
    "/spec",
  ],
  values: pick("example.dev/c", 5, { key: "z", operator: "Exists" }, []),
  fields: ["status.phase=Pending", "spec.nodeName=", "spec.restartPolicy=Always"],
  least: { spec: { containers: [{ name: "one", image: "example.dev/a" }] } },
};
