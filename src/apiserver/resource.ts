import type { KubeObject } from "../api/index.ts";
import type { CustomResourceColumnDefinition } from "../api/types/apiextensions/v1.ts";
import type {
  FieldError,
  JsonDocument,
  SchemaNode,
  StrictProblem,
  StructuralSchema,
} from "../schema/index.ts";
import type { UserInfo } from "./exchange.ts";

/** A kind as this server serves it, built-in or custom: all that the generic engine needs to know of it. */
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
  /** Custom kinds answer a few things differently: they need a resourceVersion in PUT, and know no strategic patches. */
  readonly custom: boolean;
  /** Where its objects are stored. Versions of one kind share it: "/registry/apps/deployments/". */
  readonly storagePrefix: string;
  /** How its objects are merged and owned. */
  readonly node: SchemaNode;
  readonly codec: Codec;
  /**
   * Turns what is stored, which may be of another version of the kind, into an object of this one.
   * @default only apiVersion is changed
   */
  readonly fromStored?: ((object: KubeObject) => KubeObject) | undefined;
  /** What this version stored after this revision is as `fromStored` would have it. @default all it ever stored */
  readonly verbatimAfter?: number | undefined;
  /** Where a kind with a scale has what a scale says. @default as workloads have it: `spec.replicas` and so on */
  readonly scale?: ScalePaths | undefined;
  readonly strategy: Strategy;
  /** What its CustomResourceDefinition says that documents and tables show. Absent for built-in kinds. */
  readonly definition?: Definition | undefined;
}

/** One version of a custom kind as its definition describes it to people and tools. */
export interface Definition {
  /** The version that objects are stored in. */
  readonly storageVersion: string;
  /** Its `openAPIV3Schema`. @default any object */
  readonly schema?: StructuralSchema | undefined;
  /** What every request to this version is warned of. */
  readonly deprecation?: string | undefined;
  /** What a table shows after the name. @default the age */
  readonly columns?: readonly CustomResourceColumnDefinition[] | undefined;
}

/** Paths as a CustomResourceDefinition writes them: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** Of a selector in its text form. */
  readonly selector?: string | undefined;
}

export interface ServedSubresource {
  readonly name: string;
  /** Group, version and kind of its body. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Turns what a client sent into an object of the kind, as the real server decodes it. */
export interface Codec {
  /**
   * The object with unknown fields dropped and defaults filled in, and what was dropped or sent twice.
   * Its apiVersion and kind are the resource's, or the engine has refused it before.
   * Throws a `DecodeError` for what is no such object at all.
   */
  decode(document: JsonDocument): Decoded;
  /**
   * What an apply has made, as it is checked and stored: with its defaults, and with what `decode` leaves out.
   * @default as `decode` gives it
   */
  asApplied?(value: unknown): KubeObject;
  /** Puts the fields of the object's parts in the order in which they are stored. @default they stay as they are */
  orderFields?(object: KubeObject): void;
  /** An object in which nothing was set, as Go writes it: `spec: {}`. A new one each time. */
  blank(): KubeObject;
  /** What the schema alone has against the object. `before` is what it was, for rules that let old faults be. */
  validate(object: KubeObject, before?: KubeObject): FieldError[];
}

export interface Decoded {
  readonly object: KubeObject;
  /** In the order the real server tells them. */
  readonly problems: readonly StrictProblem[];
}

/**
 * What a kind does differently from all others. Every part has a default, and a kind with no entry at all is served
 * right by those. Functions get objects they may change.
 */
export interface Strategy {
  /** Makes an object of this version of what another version of the kind stored. @default only apiVersion is changed */
  readonly fromStored?: ((object: KubeObject) => KubeObject) | undefined;
  /** The group by which an invalid object is refused. @default that of the kind */
  readonly refusedAs?: string | undefined;
  /** @default a DNS-1123 subdomain */
  readonly name?: NameRule | undefined;
  /** When `metadata.generation` goes up. @default never, and it is not set */
  readonly generation?: GenerationRule | undefined;
  /** A PUT without a resourceVersion overwrites. @default true for built-in kinds, false for custom ones */
  readonly unconditionalUpdate?: boolean | undefined;
  /** A PUT may create. @default false */
  readonly createOnUpdate?: boolean | undefined;
  /** A deletion answers with the object instead of a Status. @default false */
  readonly returnsDeleted?: boolean | undefined;
  /** Deletion leaves what the object owns, unless told otherwise. @default false */
  readonly orphansByDefault?: boolean | undefined;
  /** What is warned of where a deletion does not say what becomes of what the object owns. @default nothing */
  readonly orphanWarning?: string | undefined;
  /** Seconds that a deletion waits, given the object. @default none: deletion is at once */
  readonly graceSeconds?: ((object: KubeObject, asked: number | undefined) => number) | undefined;
  /** How objects are deleted that do not go by the finalizers in their metadata alone. */
  readonly deletion?: DeletionRule | undefined;
  /** What a write through /status may not change, as top-level paths kept from the stored object. @default ["spec"] */
  readonly statusKeeps?: readonly string[] | undefined;
  /** The other subresources through which a part of an object is written, by name. */
  readonly parts?: Readonly<Record<string, PartRule>> | undefined;
  /** A new object keeps the status it was sent with. @default false: it begins with none */
  readonly keepsStatusOnCreate?: boolean | undefined;
  /** Fields, as paths, for which being sent empty is something else than being left out. @default none */
  readonly tellsEmpty?: readonly string[] | undefined;
  /** Fills in what the schema's own defaults do not, on every decode. */
  readonly default?: ((object: KubeObject) => void) | undefined;
  /** What the server's own admission does to a new object, before all else. A text is why it is forbidden. */
  readonly admit?: ((object: KubeObject, context: WriteContext) => string | undefined) | undefined;
  /** Before a new object is checked and stored: sets what it begins with, allocates. */
  readonly prepareCreate?: ((object: KubeObject, context: WriteContext) => void) | undefined;
  readonly prepareUpdate?:
    | ((object: KubeObject, before: KubeObject, context: WriteContext) => void)
    | undefined;
  /** After that: takes what may be given once. What cannot be had is told at once, before anything else is checked. */
  readonly allocate?:
    | ((object: KubeObject, before: KubeObject | undefined, context: WriteContext) => FieldError[])
    | undefined;
  /** Before what came through /status is checked. */
  readonly prepareStatus?:
    | ((object: KubeObject, before: KubeObject, context: WriteContext) => void)
    | undefined;
  readonly validate?: ((object: KubeObject) => FieldError[]) | undefined;
  /** What only a new object may not be. */
  readonly validateCreate?: ((object: KubeObject) => FieldError[]) | undefined;
  readonly validateUpdate?: ((object: KubeObject, before: KubeObject) => FieldError[]) | undefined;
  readonly validateStatus?: ((object: KubeObject, before: KubeObject) => FieldError[]) | undefined;
  /** What the server warns of about an object that it takes. */
  readonly warnings?: ((object: KubeObject, before?: KubeObject) => string[]) | undefined;
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly fields?: Readonly<Record<string, (object: KubeObject) => string>> | undefined;
  /** The text for an unknown field selector. @default Kubernetes' generic one */
  readonly unknownField?: ((field: string) => string) | undefined;
}

/** How a part of an object is written through a subresource of its own. */
export interface PartRule {
  /** The object as it will be: what was there, and what the subresource takes of what was sent. */
  take(object: KubeObject, before: KubeObject): KubeObject;
  /** What is wrong with the change. @default nothing but what is wrong with the metadata */
  readonly validate?: ((object: KubeObject, before: KubeObject) => FieldError[]) | undefined;
}

export interface DeletionRule {
  /** Whether something besides finalizers holds a deleted object, as a namespace's own finalizers do. */
  held(object: KubeObject): boolean;
  /** Marks an object as deleted, for it cannot go yet. Called once for each object. `now` is as in `WriteContext`. */
  mark(object: KubeObject, now: string): void;
}

export type NameRule = "dns-subdomain" | "dns-label" | "dns-1035-label" | "path-segment";

/** `spec`: whenever `spec` changes. A function says it of two versions of the object. */
export type GenerationRule = "spec" | ((object: KubeObject, before: KubeObject) => boolean);

/** What preparing an object may need of the server. */
export interface WriteContext {
  /** RFC 3339, whole seconds. */
  readonly now: string;
  readonly dryRun: boolean;
  /** Who writes. */
  readonly user: UserInfo;
  /** What is stored under a key like `priorityclasses/high`, if anything is. */
  stored(key: string): KubeObject | undefined;
  /** All that is stored under a prefix like `priorityclasses/`, by name. */
  storedUnder(prefix: string): readonly KubeObject[];
  /** Gives out what may be given once: cluster IPs, node ports. */
  readonly allocate: Allocator;
}

export interface Allocator {
  /** Takes `wanted`, or a free one. `undefined`: it is taken, or none is left. What nobody has any more is free. */
  take(pool: "clusterIP" | "nodePort", wanted?: string): string | undefined;
}
