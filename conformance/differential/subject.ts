import type { Arbitrary } from "fast-check";
import type { JsonObject } from "./script.ts";

/** A kind that scripts are about: where it is served and what its objects are made of. */
export interface Subject {
  readonly plural: string;
  /** Of its group and version: "/apis/apps/v1". */
  readonly root: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresources: readonly string[];
  /** The CustomResourceDefinition that makes it a kind. @default it is built in */
  readonly definition?: JsonObject | undefined;
  /** All of an object but apiVersion, kind and metadata. Most are valid. */
  readonly whole: Arbitrary<JsonObject>;
  /** A piece of an object, for patches and applies. Most are valid. */
  readonly part: Arbitrary<JsonObject>;
  /** A `status`. @default no such writes */
  readonly status?: Arbitrary<JsonObject> | undefined;
  /** Places in an object that JSON patches are about. */
  readonly pointers: readonly string[];
  /** What JSON patches put there. */
  readonly values: Arbitrary<unknown>;
  /** Field selectors that lists try. */
  readonly fields: readonly string[];
  /** The smallest object that is valid. */
  readonly least: JsonObject;
}
