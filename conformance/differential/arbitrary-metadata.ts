import fc, { type Arbitrary } from "fast-check";
import { entries, fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import type { JsonObject } from "./script.ts";

/** Metadata besides the name, as users write it. */
export const metadata: Arbitrary<JsonObject> = fields({
  labels: maybe(
    mostly(entries(["tier", "app", "example.dev/x"], mostly(pick("a", "b", ""), pick("no spaces", 1, null)))),
  ),
  annotations: maybe(mostly(entries(["note", "example.dev/note"], mostly(pick("one", "two", ""))))),
  finalizers: option(
    mostly(
      fc.uniqueArray(mostly(pick("example.dev/hold", "example.dev/keep"), pick("hold", "", "a b/c")), {
        maxLength: 2,
      }),
    ),
    { nil: undefined, freq: 5 },
  ),
  ownerReferences: option(
    fc.array(
      fields({
        apiVersion: mostly(pick("v1", "apps/v1")),
        kind: mostly(pick("ConfigMap", "Deployment")),
        name: mostly(pick("owner", "other")),
        uid: mostly(pick("11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222")),
        controller: maybe(mostly(fc.boolean())),
        blockOwnerDeletion: maybe(fc.boolean()),
      }),
      { maxLength: 2 },
    ),
    { nil: undefined, freq: 12 },
  ),
});

/** Metadata that is invalid or has no effect. */
export const oddMetadata: Arbitrary<JsonObject> = fields({
  namespace: maybe(pick("{ns}", "elsewhere", "")),
  uid: maybe(pick("none", "11111111-1111-1111-1111-111111111111")),
  generation: maybe(pick(7, -1)),
  creationTimestamp: maybe(pick(null, "2020-01-02T03:04:05Z", "yesterday")),
  deletionTimestamp: maybe(pick(null, "2020-01-02T03:04:05Z")),
  deletionGracePeriodSeconds: maybe(pick(5)),
  resourceVersion: maybe(pick("", "0", "1", "x")),
  selfLink: maybe(pick("/here")),
  managedFields: maybe(pick([], [{}], [{ manager: "m", operation: "Update", apiVersion: "v1" }])),
});
