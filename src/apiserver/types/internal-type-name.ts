import type { Resource } from "./resource.ts";

/** Returns the Go type of objects of a kind inside kube-apiserver, which its errors name: `core.Pod`. */
export function internalTypeName({
  custom,
  group,
  kind,
}: Pick<Resource, "custom" | "group" | "kind">): string {
  if (custom) return "unstructured.Unstructured";
  return `${goPackages[group] ?? group.split(".")[0]}.${kind}`;
}

/** The Go packages that differ from the first label of the group. */
const goPackages: Readonly<Record<string, string>> = {
  "": "core",
  "events.k8s.io": "core",
  "internal.apiserver.k8s.io": "apiserverinternal",
};
