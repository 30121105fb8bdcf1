import type { ValidationRule } from "../schema/index.ts";
import type { Schema } from "./schema.ts";

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  /** The JSON path of the value in the object: `.spec.image`. */
  readonly path: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  /** A hint for clients that print the value. @default none */
  readonly format?:
    | "int32"
    | "int64"
    | "float"
    | "double"
    | "byte"
    | "date"
    | "date-time"
    | "password"
    | undefined;
  readonly description?: string | undefined;
  /** Columns with a priority above 0 are printed only by `kubectl get -o wide`. @default 0 */
  readonly priority?: number | undefined;
}

/** The fields that `kubectl scale` and autoscalers read and write, as JSON paths. */
export interface Scale {
  /** The desired number of replicas, an integer below `.spec`. */
  readonly specReplicasPath: string;
  /** The observed number of replicas, an integer below `.status`. */
  readonly statusReplicasPath: string;
  /** The serialized label selector of the Pods, a string. A HorizontalPodAutoscaler needs it. @default none */
  readonly labelSelectorPath?: string | undefined;
}

/** The part of a custom kind's declaration that all versions share. */
export interface KindOptions {
  readonly group: string;
  readonly kind: string;
  /** The plural name in paths. @default the English plural of the kind in lower case */
  readonly plural?: string | undefined;
  /** Short names for kubectl. @default none */
  readonly shortNames?: readonly string[] | undefined;
  /** Groups of kinds for kubectl: `kubectl get all` includes the category `all`. @default none */
  readonly categories?: readonly string[] | undefined;
  /** @default "Namespaced" */
  readonly scope?: "Namespaced" | "Cluster" | undefined;
  /** Labels of the CustomResourceDefinition, not of objects. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of the CustomResourceDefinition, not of objects. @default none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The declaration of one version of a custom kind. */
export interface VersionOptions<S extends Schema, U extends Schema> {
  readonly spec: S;
  /**
   * The schema of the status. It enables the status subresource: users write the spec, controllers the status. @default
   * none
   */
  readonly status?: U | undefined;
  /**
   * Validation rules in CEL for the whole object. `self` has `spec`, `status`, `apiVersion`, `kind`, `metadata.name`
   * and `metadata.generateName`. @default none
   */
  readonly rules?: readonly ValidationRule[] | undefined;
  /** Enables the scale subresource. @default none */
  readonly scale?: Scale | undefined;
  /** JSON paths of fields that field selectors may use, at most 8: `.spec.color`. @default none */
  readonly selectableFields?: readonly string[] | undefined;
  /** Columns of `kubectl get`. @default name and age */
  readonly columns?: readonly Column[] | undefined;
}

/** The declaration of a custom kind with one version. */
export interface ResourceDefinition<S extends Schema, U extends Schema>
  extends KindOptions,
    VersionOptions<S, U> {
  readonly version: string;
}
