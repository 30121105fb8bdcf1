import type { KubeObject, ObjectMeta, Written } from "../api/index.ts";
import type { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import type { Conversion } from "./conversion.ts";
import type { Definition } from "./definition.ts";
import type { CustomObject, Resource } from "./resource.ts";
import type { KindOptions, VersionOptions } from "./resource-definition.ts";
import type { InputOf, OutputOf, Schema } from "./schema.ts";

/** The result of a conversion: the object in its other version. */
export type Converted<T extends KubeObject> = Omit<T, keyof KubeObject> & {
  /** Changed labels and annotations. All other metadata is kept. @default those of the given object */
  readonly metadata?: Pick<ObjectMeta, "labels" | "annotations"> | undefined;
};

/**
 * The conversion of a version to the stored one and back. The functions may change the object that they are given. They
 * set `spec` and `status`: the caller sets `apiVersion` and `kind`, and keeps the metadata. They must not fail for a
 * valid object, and must not lose data: `expectLosslessConversion` of `trimtab/testing` finds what is lost.
 */
export interface Convert<Own extends KubeObject, Stored extends KubeObject> {
  readonly toStorage: (object: Own) => Converted<Stored>;
  readonly fromStorage: (object: Stored) => Converted<Own>;
}

/** The options of a version among several. */
export interface VersionState {
  /** False for a version that is only converted, no longer served. @default true */
  readonly served?: boolean | undefined;
  /** True, or a text, for a version whose clients get a warning. @default false */
  readonly deprecated?: boolean | string | undefined;
}

/** The name of the version that is stored. `T` has `true` for it. */
type StorageOf<T> = { [K in keyof T]: T[K] extends true ? K : never }[keyof T];

/** The schema of a version's status, of which nothing is known if the version declares none. */
type StatusAt<U, K> = K extends keyof U
  ? U[K] extends Schema
    ? U[K]
    : Schema<undefined, undefined>
  : Schema<undefined, undefined>;

type ObjectAt<S, U, K extends keyof S> = CustomObject<OutputOf<S[K]>, OutputOf<StatusAt<U, K>>>;

interface Options extends VersionState, Omit<VersionOptions<Schema, Schema>, "spec"> {}

interface StoredOptions extends Options {
  /** True for the version in which all objects are stored. */
  readonly storage: true;
  readonly convert?: undefined;
}

interface ConvertedOptions<Own extends KubeObject, Stored extends KubeObject> extends Options {
  readonly storage?: false | undefined;
  /** The conversion to the stored version and back, or `"none"` if only `apiVersion` differs. */
  readonly convert: Convert<Own, Stored> | "none";
}

/**
 * The declaration of a custom kind with several versions. The compiler infers the schemas of the specs (`S`) and
 * statuses (`U`), and the stored version (`T`), from three mapped types, and then checks each version.
 */
export interface VersionedDefinition<S extends Readonly<Record<string, Schema>>, U, T> extends KindOptions {
  /** The versions by name. Exactly one has `storage: true`; the others have `convert`. */
  readonly versions: { readonly [K in keyof S]: { readonly spec: S[K] } } & {
    readonly [K in keyof U]: { readonly status?: U[K] };
  } & { readonly [K in keyof T]: { readonly storage?: T[K] } } & NoInfer<{
      readonly [K in keyof S]: K extends StorageOf<T>
        ? StoredOptions
        : ConvertedOptions<ObjectAt<S, U, K>, ObjectAt<S, U, StorageOf<T> & keyof S>>;
    }>;
}

type ClientConfig = NonNullable<
  NonNullable<NonNullable<CustomResourceDefinition["spec"]["conversion"]>["webhook"]>["clientConfig"]
>;

export interface DefinitionOptions {
  /**
   * The address of the conversion webhook, for manifests. Without it, `spec.conversion` is left to the registration of
   * the webhook, and the API server converts only `apiVersion` until then. @default none
   */
  readonly webhook?: ClientConfig | undefined;
}

/** The parts of a kind with several versions beside its versions. */
export interface VersionedResource {
  /** Converts objects between the versions. */
  readonly conversion: Conversion;
  /** Returns a new CustomResourceDefinition with all versions on every call. */
  toCustomResourceDefinition(options?: DefinitionOptions): Definition;
}

/** A custom kind with several versions: a kind for each version, by its name. */
export type Versions<S, U> = VersionedResource & {
  readonly [K in keyof S]: Resource<ObjectAt<S, U, K> & Written<InputOf<S[K]>, InputOf<StatusAt<U, K>>>>;
};
