import { type ApiRequest, isNotFound, type Transport } from "../transport/index.ts";
import { fetchJson } from "./fetch-json.ts";

/** Where kinds are served together. */
export interface GroupVersion {
  /** `""` for the core group. */
  readonly group: string;
  readonly version: string;
}

/** A resource as the server describes it in its own group and version. */
export interface Resource {
  /** The plural. */
  readonly name: string;
  readonly singularName?: string | undefined;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  /** Names only: "status", "scale". */
  readonly subresources: readonly string[];
}

/** What the server serves in one group and version. `undefined` where it knows no such thing. */
export async function resourceList(
  transport: Transport,
  { group, version }: GroupVersion,
  signal: AbortSignal | undefined,
): Promise<readonly Resource[] | undefined> {
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const request: ApiRequest = { method: "GET", path, headers: { accept: "application/json" }, signal };
  try {
    const { resources } = await fetchJson<ApiResourceList>(transport, request);
    return gathered(resources ?? []);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** An `APIResourceList`: subresources stand beside their resource, as "deployments/scale". */
interface ApiResourceList {
  readonly resources?: readonly Omit<Resource, "subresources">[] | null;
}

function gathered(listed: readonly Omit<Resource, "subresources">[]): Resource[] {
  return listed
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => ({ ...resource, subresources: partsOf(resource.name, listed) }));
}

function partsOf(plural: string, listed: readonly Pick<Resource, "name">[]): string[] {
  const prefix = `${plural}/`;
  return listed.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}
