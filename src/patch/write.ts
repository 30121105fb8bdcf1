import type { JsonObject, SchemaNode } from "../schema/index.ts";
import type { FieldSet } from "./field-set.ts";

/** One write to an object, as far as the ownership of its fields goes. */
export interface Write {
  /** The structure of the object in the version of the request. */
  readonly node: SchemaNode;
  /** What is stored, in the version of the request, with its `managedFields`. Absent where the write creates it. */
  readonly live?: JsonObject | undefined;
  /**
   * An object of the kind before anybody set anything: what a decoder fills in by itself, as `spec: {}`. That is
   * nobody's. @default {} (custom resources)
   */
  readonly blank?: JsonObject | undefined;
  /** Who writes: the `fieldManager` of the request, or its user agent up to the first `/`. `""` is "unknown". */
  readonly manager: string;
  /** The version of the request: `apps/v1`. */
  readonly apiVersion: string;
  /** `status`, `scale` ... @default none */
  readonly subresource?: string | undefined;
  /** Now: RFC 3339 in UTC, whole seconds. */
  readonly time: string;
  /** What the endpoint puts back as it was, so that nobody comes to own it here. @default none */
  readonly reset?: FieldSet | undefined;
  /**
   * Whether objects of the kind can be had in this version. Entries of other versions are dropped; those of a custom
   * resource cannot be understood, so that an apply is refused and an update leaves no managers.
   * @default all can, and are built alike
   */
  readonly served?: ((apiVersion: string) => boolean) | undefined;
  /** Whether the object is a custom resource, whose empty list of managers resets nothing. @default false */
  readonly custom?: boolean | undefined;
}
