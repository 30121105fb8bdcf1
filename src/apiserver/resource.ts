import type { KubeObject } from "../api/index.ts";
import type { FieldError, SchemaNode } from "../schema/index.ts";

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
  readonly strategy: Strategy;
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
   * Throws a `StatusError` (400) for what is no such object at all.
   */
  decode(value: unknown): Decoded;
  /** What the schema alone has against the object. `before` is what it was, for rules that let old faults be. */
  validate(object: KubeObject, before?: KubeObject): FieldError[];
}

export interface Decoded {
  readonly object: KubeObject;
  /** Paths like `spec.foo`, in the order the real server names them. */
  readonly unknown: readonly string[];
}

/**
 * What a kind does differently from all others. Every part has a default, and a kind with no entry at all is served
 * right by those. Functions get objects they may change.
 */
export interface Strategy {
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
  /** Seconds that a deletion waits, given the object. @default none: deletion is at once */
  readonly graceSeconds?: ((object: KubeObject, asked: number | undefined) => number) | undefined;
  /** What a write through /status may not change, as top-level paths kept from the stored object. @default ["spec"] */
  readonly statusKeeps?: readonly string[] | undefined;
  /** Fills in what the schema's own defaults do not, on every decode. */
  readonly default?: ((object: KubeObject) => void) | undefined;
  /** Before a new object is checked and stored: clears status, allocates. */
  readonly prepareCreate?: ((object: KubeObject, context: WriteContext) => void) | undefined;
  readonly prepareUpdate?:
    | ((object: KubeObject, before: KubeObject, context: WriteContext) => void)
    | undefined;
  readonly validate?: ((object: KubeObject) => FieldError[]) | undefined;
  readonly validateUpdate?: ((object: KubeObject, before: KubeObject) => FieldError[]) | undefined;
  readonly validateStatus?: ((object: KubeObject, before: KubeObject) => FieldError[]) | undefined;
  /** What the server warns of about an object that it takes. */
  readonly warnings?: ((object: KubeObject) => string[]) | undefined;
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly fields?: Readonly<Record<string, (object: KubeObject) => string>> | undefined;
  /** The text for an unknown field selector. @default Kubernetes' generic one */
  readonly unknownField?: ((field: string) => string) | undefined;
}

export type NameRule = "dns-subdomain" | "dns-label" | "dns-1035-label" | "path-segment";

/** `spec`: whenever `spec` changes. A function says it of two versions of the object. */
export type GenerationRule = "spec" | ((object: KubeObject, before: KubeObject) => boolean);

/** What preparing an object may need of the server. */
export interface WriteContext {
  /** RFC 3339, whole seconds. */
  readonly now: string;
  readonly dryRun: boolean;
  /** Gives out what may be given once: cluster IPs, node ports. */
  readonly allocate: Allocator;
}

export interface Allocator {
  /** Takes `wanted`, or the next free one. `undefined`: it is taken, or none is left. */
  take(pool: "clusterIP" | "nodePort", wanted?: string): string | undefined;
  release(pool: "clusterIP" | "nodePort", value: string): void;
}
