import { type ApiRequest, isNotFound, type Transport } from "../transport/index.ts";
import { fetchJson } from "./fetch-json.ts";

/** A group and version of the API. */
export interface GroupVersion {
  /** `""` for the core group. */
  readonly group: string;
  readonly version: string;
}

/** A resource in the discovery of its group and version. */
export interface Resource {
  /** The plural. */
  readonly name: string;
  readonly singularName?: string | undefined;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  /** Names without the resource: "status", "scale". */
  readonly subresources: readonly string[];
}

/** Returns the resources of one group and version, or `undefined` if the server does not serve it. */
export async function resourceList(
  transport: Transport,
  { group, version }: GroupVersion,
  signal: AbortSignal | undefined,
): Promise<readonly Resource[] | undefined> {
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const request: ApiRequest = { method: "GET", path, headers: { accept: "application/json" }, signal };
  try {
    const { resources } = await fetchJson<ApiResourceList>(transport, request);
    return withSubresources(resources ?? []);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** An `APIResourceList`. Subresources are separate entries, such as "deployments/scale". */
interface ApiResourceList {
  readonly resources?: readonly Omit<Resource, "subresources">[] | null;
}

function withSubresources(listed: readonly Omit<Resource, "subresources">[]): Resource[] {
  return listed
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => ({ ...resource, subresources: subresourcesOf(resource.name, listed) }));
}

function subresourcesOf(plural: string, listed: readonly Pick<Resource, "name">[]): string[] {
  const prefix = `${plural}/`;
  return listed.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}
