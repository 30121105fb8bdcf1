import { apiVersionOf, type KubeObject } from "../../api/index.ts";
import { type Steps, timestamp } from "../../base/index.ts";
import { FieldSet, fieldElement, trackUpdate, type Write } from "../../patch/index.ts";
import type { Resource } from "../types/resource.ts";
import type { ResourceRegistry } from "../types/resource-registry.ts";
import type { WriteOptions } from "../types/write-options.ts";
import type { Call, Engine } from "./engine.ts";

export interface Tracked {
  readonly options: Pick<WriteOptions, "manager">;
  /** The stored object. Absent if the write creates it. */
  readonly live?: KubeObject | undefined;
}

/** The resource and the endpoint of a write. */
type Target = Pick<Call, "resource" | "subresource">;

/** Returns the object with its managed fields after a write that is not an apply. */
export function* withManagers(
  engine: Engine,
  target: Target,
  { next, ...tracked }: Tracked & { next: KubeObject },
): Steps<KubeObject> {
  // `trackUpdate` changes only the managed fields of an object.
  const owned = yield* trackUpdate({ ...fieldWrite(engine, target, tracked), next: fields(next) });
  return owned as unknown as KubeObject;
}

/** Returns the parameters of managed fields tracking for a write. */
export function fieldWrite(
  { clock, registry }: Engine,
  { resource, subresource }: Target,
  { options, live }: Tracked,
): Write {
  return {
    node: resource.node,
    live: live && fields(live),
    blank: resource.custom ? undefined : fields(resource.codec.blank()),
    manager: options.manager,
    apiVersion: apiVersionOf(resource),
    subresource: subresource?.name,
    time: timestamp(clock.now()),
    reset: resetBy(resource, subresource?.name),
    served: (apiVersion) => isServed(registry, resource, apiVersion),
    custom: resource.custom,
  };
}

function isServed(registry: ResourceRegistry, resource: Resource, apiVersion: string): boolean {
  if (apiVersion === apiVersionOf(resource)) return true;
  const { storagePrefix } = resource;
  return registry
    .list()
    .some((one) => one.storagePrefix === storagePrefix && apiVersionOf(one) === apiVersion);
}

const fields = (object: KubeObject): Readonly<Record<string, unknown>> => ({ ...object });

/** Returns the fields that an endpoint resets to their old values. */
function resetBy(resource: Resource, subresource: string | undefined): FieldSet | undefined {
  if (!resource.subresources.some(({ name }) => name === "status")) return undefined;
  const paths = subresource === "status" ? keptByStatus(resource) : ["status"];
  return FieldSet.of(...paths.map((path) => path.split(".").map(fieldElement)));
}

/** Returns the paths that a status update does not change. Those of a custom object include its metadata. */
function keptByStatus({ custom, strategy }: Resource): readonly string[] {
  return custom ? ["metadata", "spec"] : (strategy.statusKeeps ?? ["spec"]);
}
