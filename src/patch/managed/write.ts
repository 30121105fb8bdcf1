import type { JsonObject, SchemaNode } from "../../schema/index.ts";
import type { FieldSet } from "./field-set.ts";

/** One write to an object, with the data that field ownership needs. */
export interface Write {
  /** The schema of the object in the version of the request. */
  readonly node: SchemaNode;
  /** The stored object in the version of the request, with its `managedFields`. Absent for a create. */
  readonly live?: JsonObject | undefined;
  /**
   * An object of the kind without any fields set by clients: the parts that a decoder creates, such as `spec: {}`. No
   * manager owns them. @default {} (custom resources)
   */
  readonly blank?: JsonObject | undefined;
  /** The `fieldManager` of the request, or its user agent up to the first `/`. `""` means "unknown". */
  readonly manager: string;
  /** The API version of the request: `apps/v1`. */
  readonly apiVersion: string;
  /** The subresource of the request: `status`, `scale` and so on. @default none */
  readonly subresource?: string | undefined;
  /** The current time: RFC 3339 in UTC, whole seconds. */
  readonly time: string;
  /** The fields that the endpoint resets, so that no manager becomes their owner. @default none */
  readonly reset?: FieldSet | undefined;
  /**
   * Returns true for an API version in which objects of the kind are served. Entries of other versions are dropped. For
   * a custom resource they cannot be converted, so an apply is refused and an update drops all managers.
   * @default every version, all with the same schema
   */
  readonly served?: ((apiVersion: string) => boolean) | undefined;
  /** True for a custom resource, whose empty `managedFields` list does not reset the managers. @default false */
  readonly custom?: boolean | undefined;
}
