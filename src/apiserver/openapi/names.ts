import { kindName } from "../../api/index.ts";
import { facts, type GroupVersionKind } from "../../api/types/facts.ts";
import type { Resource } from "../types/resource.ts";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** Names of schemas that many documents need. */
export const metaNames: Readonly<Record<MetaName, string>> = {
  status: `${meta}.Status`,
  deleteOptions: `${meta}.DeleteOptions`,
  patch: `${meta}.Patch`,
  watchEvent: `${meta}.WatchEvent`,
  objectMeta: `${meta}.ObjectMeta`,
  listMeta: `${meta}.ListMeta`,
  resourceList: `${meta}.APIResourceList`,
  apiVersions: `${meta}.APIVersions`,
  group: `${meta}.APIGroup`,
  groupList: `${meta}.APIGroupList`,
};

type MetaName =
  | "status"
  | "deleteOptions"
  | "patch"
  | "watchEvent"
  | "objectMeta"
  | "listMeta"
  | "resourceList"
  | "apiVersions"
  | "group"
  | "groupList";

/**
 * Returns the name of the schema of a kind: that of the pinned release, or for custom resources the reversed group,
 * version and kind.
 */
export function schemaName(kind: GroupVersionKind, { custom }: Pick<Resource, "custom">): string {
  const builtin = facts().schemaNames.get(kindName(kind));
  if (builtin !== undefined) return builtin;
  return custom ? [...kind.group.split(".").reverse(), kind.version, kind.kind].join(".") : "";
}

/** Returns a group and version as part of an operation id: `AppsV1`, `RbacAuthorizationV1`, `CoreV1`. */
export function versionWords({ group, version }: Pick<Resource, "group" | "version">): string {
  return groupWords(group) + capital(version);
}

/** Returns the tag of the operations of a group and version: `apps_v1`, `rbacAuthorization_v1`. */
export function tagOf({ group, version }: Pick<Resource, "group" | "version">): string {
  const words = groupWords(group);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}_${version}`;
}

/** Returns a group as part of an operation id: `RbacAuthorization`. */
export function groupWords(group: string): string {
  const words = group === "" ? ["core"] : group.replace(/\.k8s\.io$/, "").split(".");
  return words.map(capital).join("");
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
