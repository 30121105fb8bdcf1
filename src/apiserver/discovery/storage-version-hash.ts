import { createHash } from "node:crypto";
import type { Resource } from "../types/resource.ts";
import { compareVersions } from "./version-order.ts";

/**
 * Returns a hash of the storage version of a resource, so that clients notice when it changes. `all` has the resources
 * of its group.
 */
export function storageVersionHash(resource: Resource, all: readonly Resource[]): string {
  const { group, version } = storageVersionOf(resource, all);
  return createHash("sha256")
    .update(`${group}/${version}/${resource.kind}`)
    .digest()
    .subarray(0, 8)
    .toString("base64");
}

interface StorageVersion {
  readonly group: string;
  readonly version: string;
}

function storageVersionOf(resource: Resource, all: readonly Resource[]): StorageVersion {
  const { group, kind, definition } = resource;
  if (definition) return { group, version: definition.storageVersion };
  const exception = exceptions[`${group} ${kind}`];
  if (exception) return exception;
  const served = all.filter((other) => other.kind === kind).map(({ version }) => version);
  return { group, version: served.sort(compareVersions)[0] ?? resource.version };
}

/** Built-in kinds whose storage version in the pinned release is not the preferred version. */
const exceptions: Readonly<Record<string, StorageVersion>> = {
  "events.k8s.io Event": { group: "", version: "v1" },
  "apiextensions.k8s.io CustomResourceDefinition": { group: "apiextensions.k8s.io", version: "v1beta1" },
  "admissionregistration.k8s.io MutatingAdmissionPolicy": {
    group: "admissionregistration.k8s.io",
    version: "v1beta1",
  },
  "admissionregistration.k8s.io MutatingAdmissionPolicyBinding": {
    group: "admissionregistration.k8s.io",
    version: "v1beta1",
  },
  "resource.k8s.io DeviceTaintRule": { group: "resource.k8s.io", version: "v1alpha3" },
};
