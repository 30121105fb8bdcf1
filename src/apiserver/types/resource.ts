import type { KubeObject } from "../../api/index.ts";
import type { CustomResourceColumnDefinition } from "../../api/types/apiextensions/v1.ts";
import type {
  FieldError,
  JsonDocument,
  SchemaNode,
  StrictProblem,
  StructuralSchema,
} from "../../schema/index.ts";
import type { UserInfo } from "./exchange.ts";

/** A served kind, built-in or custom, with everything that the generic handlers need. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /**
   * True for custom kinds, which differ in a few ways: they need a resourceVersion in PUT and have no strategic merge
   * patches.
   */
  readonly custom: boolean;
  /** The prefix of its storage keys: "/registry/apps/deployments/". All versions of a kind share it. */
  readonly storagePrefix: string;
  /** The schema that determines how its objects are merged and owned. */
  readonly node: SchemaNode;
  readonly codec: Codec;
  /**
   * Converts a stored object, which may be of another version of the kind, to this version.
   * @default only apiVersion is changed
   */
  readonly fromStored?: ((object: KubeObject) => KubeObject) | undefined;
  /** Converts objects between versions by a webhook, before `fromStored`. @default no webhook */
  readonly converter?: Converter | undefined;
  /** Objects that this version stored after this revision need no `fromStored`. @default all objects of this version */
  readonly verbatimAfter?: number | undefined;
  /** The paths of a custom kind's scale. @default the paths of workloads: `spec.replicas` and so on */
  readonly scale?: ScalePaths | undefined;
  readonly strategy: Strategy;
  /** The parts of its CustomResourceDefinition that discovery, OpenAPI and tables use. Absent for built-in kinds. */
  readonly definition?: Definition | undefined;
}

/** The conversion webhook of a custom kind. Both methods throw a `StatusError` if it fails. */
export interface Converter {
  /** Converts stored objects of other versions to the version of the resource, in one call. */
  fromStorage(objects: readonly KubeObject[]): Promise<readonly KubeObject[]>;
  /** Converts an object of the resource to the storage version. */
  toStorage(object: KubeObject): Promise<KubeObject>;
}

/** The description of one version of a custom kind. */
export interface Definition {
  /** The version in which objects are stored. */
  readonly storageVersion: string;
  /** Its `openAPIV3Schema`. @default any object */
  readonly schema?: StructuralSchema | undefined;
  /** The deprecation warning of this version. */
  readonly deprecation?: string | undefined;
  /** The columns of a Table after the name. @default the age */
  readonly columns?: readonly CustomResourceColumnDefinition[] | undefined;
}

/** The paths of a scale in the notation of CustomResourceDefinitions: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** The path of a label selector in text form. */
  readonly selector?: string | undefined;
}

export interface ServedSubresource {
  readonly name: string;
  /** The group, version and kind of its body. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Decodes and validates objects of the kind like kube-apiserver. */
export interface Codec {
  /**
   * Decodes an object: drops unknown fields, sets defaults, and reports dropped and repeated fields.
   * The handlers check apiVersion and kind before. Throws a `DecodeError` for a value that is not such an object.
   */
  decode(document: JsonDocument): Decoded;
  /**
   * Returns the result of an apply as it is validated and stored: with defaults, and with the fields that `decode`
   * drops.
   * @default the result of `decode`
   */
  asApplied?(value: unknown): KubeObject;
  /** Sorts the fields of the object in storage order. @default the order is kept */
  orderFields?(object: KubeObject): void;
  /** Returns a new object with no field set, as Go encodes it: `spec: {}`. */
  blank(): KubeObject;
  /** Returns the errors that the schema finds. `before` is the old object, for rules that tolerate old errors. */
  validate(object: KubeObject, before?: KubeObject): FieldError[];
}

export interface Decoded {
  readonly object: KubeObject;
  /** The problems in the order in which kube-apiserver reports them. */
  readonly problems: readonly StrictProblem[];
}

/**
 * The special rules of a kind. Every member has a default, which is right for most kinds. Functions may modify the
 * objects that they get.
 */
export interface Strategy {
  /** Converts an object that another version of the kind stored. @default only apiVersion is changed */
  readonly fromStored?: ((object: KubeObject) => KubeObject) | undefined;
  /** The group that the error of an invalid object names. @default the group of the kind */
  readonly refusedAs?: string | undefined;
  /** The rule for names. @default a DNS-1123 subdomain */
  readonly name?: NameRule | undefined;
  /** The rule for incrementing `metadata.generation`. @default it is not set */
  readonly generation?: GenerationRule | undefined;
  /** True if a PUT without a resourceVersion overwrites. @default true for built-in kinds, false for custom ones */
  readonly unconditionalUpdate?: boolean | undefined;
  /** True if a PUT can create an object. @default false */
  readonly createOnUpdate?: boolean | undefined;
  /** True if a deletion returns the object instead of a Status. @default false */
  readonly returnsDeleted?: boolean | undefined;
  /** True if a deletion orphans dependents by default. @default false */
  readonly orphansByDefault?: boolean | undefined;
  /** The warning for a deletion without a propagation policy. @default none */
  readonly orphanWarning?: string | undefined;
  /** Returns the grace period of a deletion in seconds. @default no grace period */
  readonly graceSeconds?: ((object: KubeObject, requestedSeconds: number | undefined) => number) | undefined;
  /** The rules for kinds whose deletion does not depend on `metadata.finalizers` only. */
  readonly deletion?: DeletionRule | undefined;
  /** The paths that a status update does not change. @default ["spec"] */
  readonly statusKeeps?: readonly string[] | undefined;
  /** The rules of further subresources that write a part of an object, by name. */
  readonly parts?: Readonly<Record<string, PartRule>> | undefined;
  /** True if a new object keeps the status that was sent. @default false */
  readonly keepsStatusOnCreate?: boolean | undefined;
  /** The paths of fields for which an empty value differs from an absent one. @default none */
  readonly distinguishesEmpty?: readonly string[] | undefined;
  /** The paths of fields for which a default value differs from the same value that was sent. @default none */
  readonly distinguishesDefault?: readonly string[] | undefined;
  /** Sets defaults that are not in the schema, on every decode. */
  readonly default?: ((object: KubeObject) => void) | undefined;
  /** Runs the built-in admission of a new object, before all else. Returns the reason if it is forbidden. */
  readonly admit?: ((object: KubeObject, context: WriteContext) => string | undefined) | undefined;
  /** Sets the initial fields of a new object before validation. */
  readonly prepareCreate?: ((object: KubeObject, context: WriteContext) => void) | undefined;
  readonly prepareUpdate?:
    | ((object: KubeObject, before: KubeObject, context: WriteContext) => void)
    | undefined;
  /**
   * Allocates addresses and ports after `prepareCreate` or `prepareUpdate`. Returned errors are reported before
   * validation.
   */
  readonly allocate?:
    | ((object: KubeObject, before: KubeObject | undefined, context: WriteContext) => FieldError[])
    | undefined;
  /** Prepares a status update before validation. */
  readonly prepareStatus?:
    | ((object: KubeObject, before: KubeObject, context: WriteContext) => void)
    | undefined;
  readonly validate?: ((object: KubeObject) => FieldError[]) | undefined;
  /** Validates rules that apply only to new objects. */
  readonly validateCreate?: ((object: KubeObject) => FieldError[]) | undefined;
  readonly validateUpdate?: ((object: KubeObject, before: KubeObject) => FieldError[]) | undefined;
  readonly validateStatus?: ((object: KubeObject, before: KubeObject) => FieldError[]) | undefined;
  /** Returns the warnings about an accepted object. */
  readonly warnings?: ((object: KubeObject, before?: KubeObject) => string[]) | undefined;
  /** The field selectors besides metadata.name and metadata.namespace. */
  readonly fields?: Readonly<Record<string, (object: KubeObject) => string>> | undefined;
  /** Returns the error of an unknown field selector. @default the generic message of Kubernetes */
  readonly unknownField?: ((field: string) => string) | undefined;
}

/** The rules of a subresource that writes a part of an object. */
export interface PartRule {
  /** Returns the new object: the old one with the part that the subresource accepts. */
  take(object: KubeObject, before: KubeObject): KubeObject;
  /** Validates the change. @default only metadata is validated */
  readonly validate?: ((object: KubeObject, before: KubeObject) => FieldError[]) | undefined;
}

export interface DeletionRule {
  /**
   * Returns true if a condition besides metadata.finalizers delays the removal, such as `spec.finalizers` of a
   * namespace.
   */
  held(object: KubeObject): boolean;
  /** Marks an object as terminating. Called once per object. `now` is the time as in `WriteContext`. */
  mark(object: KubeObject, now: string): void;
}

export type NameRule = "dns-subdomain" | "dns-label" | "dns-1035-label" | "path-segment";

/** `spec` increments the generation if the spec changes. A function compares two versions of the object. */
export type GenerationRule = "spec" | ((object: KubeObject, before: KubeObject) => boolean);

/** The server state that the strategy of a kind may need for a write. */
export interface WriteContext {
  /** The current time in RFC 3339 with whole seconds. */
  readonly now: string;
  readonly dryRun: boolean;
  /** The user who writes. */
  readonly user: UserInfo;
  /** Returns the object that is stored under a key such as `priorityclasses/high`. */
  stored(key: string): KubeObject | undefined;
  /** Returns the objects that are stored under a prefix such as `priorityclasses/`, by name. */
  storedUnder(prefix: string): readonly KubeObject[];
  /** Allocates unique values: cluster IPs, node ports. */
  readonly allocate: Allocator;
}

export interface Allocator {
  /** Allocates the requested value or a free one. Returns `undefined` if it is in use or none is free. */
  take(pool: "clusterIP" | "nodePort", requested?: string): string | undefined;
}
