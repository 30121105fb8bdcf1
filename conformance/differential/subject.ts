import type { Arbitrary } from "fast-check";
import type { JsonObject } from "./script.ts";

/** A kind for scripts: its path and the arbitraries of its objects. */
export interface Subject {
  readonly plural: string;
  /** Path of its group and version: "/apis/apps/v1". */
  readonly root: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly subresources: readonly string[];
  /** The CustomResourceDefinition of the kind. @default the kind is built in */
  readonly definition?: JsonObject | undefined;
  /** All fields of an object except apiVersion, kind and metadata. Most are valid. */
  readonly whole: Arbitrary<JsonObject>;
  /** A part of an object, for patches and applies. Most are valid. */
  readonly part: Arbitrary<JsonObject>;
  /** A `status`. @default no writes of the status */
  readonly status?: Arbitrary<JsonObject> | undefined;
  /** Paths in an object for JSON patches. */
  readonly pointers: readonly string[];
  /** Values for JSON patches. */
  readonly values: Arbitrary<unknown>;
  /** Field selectors for lists. */
  readonly fields: readonly string[];
  /** The smallest valid object. */
  readonly least: JsonObject;
}
