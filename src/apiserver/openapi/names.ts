import { type GroupVersionKind, kindName } from "../../api/index.ts";
import { facts } from "../../api/types/facts.ts";
import type { Resource } from "../resource.ts";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";

/** Schemas that every document needs. */
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

/** The schema of a kind: a name of the pinned release, or one made of the group's words in reverse. */
export function schemaName(kind: GroupVersionKind, { custom }: Pick<Resource, "custom">): string {
  const known = facts().schemaNames.get(kindName(kind));
  if (known !== undefined) return known;
  return custom ? [...kind.group.split(".").reverse(), kind.version, kind.kind].join(".") : "";
}

/** The words of a group and version in the names of operations: `AppsV1`, `RbacAuthorizationV1`, `CoreV1`. */
export function versionWords({ group, version }: Pick<Resource, "group" | "version">): string {
  return groupWords(group) + capital(version);
}

/** What the operations of a group and version are filed under: `apps_v1`, `rbacAuthorization_v1`. */
export function tagOf({ group, version }: Pick<Resource, "group" | "version">): string {
  const words = groupWords(group);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}_${version}`;
}

/** `RbacAuthorization` */
export function groupWords(group: string): string {
  const words = group === "" ? ["core"] : group.replace(/\.k8s\.io$/, "").split(".");
  return words.map(capital).join("");
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
