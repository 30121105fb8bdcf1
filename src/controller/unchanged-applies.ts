import { createHash } from "node:crypto";
import {
  type AnyKind,
  compareResourceVersions,
  type DeepReadonly,
  type KubeObject,
  keyText,
  kindName,
  type ObjectKey,
  type Owner,
} from "../api/index.ts";
import { BoundedMap, type Clock } from "../base/index.ts";
import type { ApplyOptions } from "../client/index.ts";
import type { DeclaredCache } from "./declared-cache.ts";

/** An apply that a reconcile asks for. */
export interface RequestedApply<T extends KubeObject> {
  readonly kind: AnyKind<T>;
  readonly key: ObjectKey;
  /** The fields that are sent. */
  readonly draft: Draft;
  /** Everything else that changes the request, such as the metadata of the object whose status is applied. */
  readonly target?: unknown;
  readonly fieldManager: string;
  readonly options: ApplyOptions;
}

type Draft = { readonly metadata?: object } & object;

/** Returns the draft of an apply with its owner among the fields, and the owner. */
export function ownedDraft(
  object: { readonly metadata: { readonly ownerReferences?: unknown } },
  owner: Owner | undefined,
): Pick<RequestedApply<KubeObject>, "draft" | "target"> {
  if (!owner) return { draft: object };
  const { ownerReferences = [], ...metadata } = object.metadata;
  const { name, uid } = owner.metadata;
  return {
    draft: { ...object, metadata: { ...metadata, ownerReferences } },
    target: [owner.apiVersion, owner.kind, name, uid],
  };
}

/** Returns what the status of an object depends on besides its key: the uid that it is for, and the generation. */
export function versionOfTarget(target: unknown): unknown {
  if (typeof target !== "object" || target === null) return undefined;
  const { uid, generation } = ("metadata" in target ? target.metadata : target) as Partial<
    KubeObject["metadata"]
  >;
  return [uid, generation];
}

/**
 * Skips applies that would change nothing. An apply is skipped only if all of this is true:
 *
 * - The last apply of this field manager to this object, from here, sent the identical draft with the same options, and
 *   succeeded at most ten minutes ago. No other one was in flight at the same time.
 * - A synced view that keeps whole objects has the object, with every own write, and it has the same uid as the
 *   response of that apply.
 * - The object has the same resource version as that response, or it has the same generation and the same values where
 *   the draft has any. Lists and all fields outside the metadata are compared as a whole, so that an added item counts
 *   as a change. Values are compared with the response and not with the draft, because the server sets defaults.
 *
 * The generation shows that no other client changed the spec and restored it, which moves the ownership of fields. Only
 * the resource version shows that for kinds without a generation. What no version shows (managed fields of labels that
 * were changed and restored, new webhooks) ends with the ten minutes.
 *
 * Memory is bounded: 10,000 applies, each with two hashes. A forgotten apply is sent.
 */
export class UnchangedApplies {
  readonly #cache: DeclaredCache;
  readonly #clock: Clock;
  readonly #targets = new BoundedMap<Target>(maxTargets);

  constructor(cache: DeclaredCache, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
  }

  /** Returns the cached object if the apply would change nothing. Otherwise sends the apply. */
  async apply<T extends KubeObject>(apply: RequestedApply<T>, send: () => Promise<T>): Promise<T> {
    if (apply.options.dryRun || !this.#cache.has(apply.kind, apply.key.namespace)) return send();
    const target = this.#target(apply);
    const sent = isRepeatable(apply) ? draftHash(apply) : undefined;
    const unchanged = sent === undefined ? undefined : this.#unchanged(apply, target.last, sent);
    if (unchanged) return unchanged;
    const end = target.begin();
    let response: T | undefined;
    try {
      response = await send();
      return response;
    } finally {
      end(response && sent !== undefined ? this.#remembered(apply, response, sent) : undefined);
    }
  }

  #target({ kind, key, fieldManager, options }: RequestedApply<KubeObject>): Target {
    const name = `${kindName(kind)} ${keyText(key)} ${options.subresource ?? ""} ${fieldManager}`;
    const known = this.#targets.get(name);
    if (known) return known;
    const target = new Target();
    this.#targets.add(name, target);
    return target;
  }

  #unchanged<T extends KubeObject>(
    { kind, key, draft }: RequestedApply<T>,
    last: Applied | undefined,
    sent: string,
  ): T | undefined {
    if (last?.sent !== sent || this.#clock.monotonic() - last.atMs >= maxAgeMs) return undefined;
    const cached = this.#cache.wholeObject(kind, key);
    return cached && showsResult(cached.view, last, draft) ? cached.copy() : undefined;
  }

  #remembered<T extends KubeObject>({ draft }: RequestedApply<T>, response: T, sent: string): Applied {
    const { uid, resourceVersion, generation } = response.metadata;
    const atMs = this.#clock.monotonic();
    return { sent, uid, resourceVersion, generation, values: valuesHash(response, draft), atMs };
  }
}

/** A successful apply. */
interface Applied {
  /** Hash of the draft and the options. */
  readonly sent: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  /** Hash of the values in the response. */
  readonly values: string;
  /** Monotonic time of the response. */
  readonly atMs: number;
}

/** The applies of one field manager to one object or status. */
class Target {
  /** The last apply. `undefined` while one is in flight, and if the server may have handled another one later. */
  last: Applied | undefined;
  #inFlight = 0;
  #begun = 0;

  /** Begins an apply. @returns a callback for its end, with `undefined` if it must not be remembered */
  begin(): (applied: Applied | undefined) => void {
    const alone = this.#inFlight === 0;
    this.last = undefined;
    this.#inFlight += 1;
    this.#begun += 1;
    const begun = this.#begun;
    return (applied) => {
      this.#inFlight -= 1;
      if (alone && begun === this.#begun) this.last = applied;
    };
  }
}

/** Maximum number of objects and statuses whose last apply is remembered. */
const maxTargets = 10_000;
/** An apply is sent again after ten minutes. */
const maxAgeMs = 600_000;

/** Returns true if sending the same apply twice has no other effect than sending it once. */
function isRepeatable({ draft, options }: RequestedApply<KubeObject>): boolean {
  const { subresource, takeOver = [], onResponseBody, signal } = options;
  if (subresource !== undefined && subresource !== "status") return false;
  if (takeOver.length > 0 || onResponseBody || signal?.aborted) return false;
  return !("resourceVersion" in (draft.metadata ?? {})); // it must be compared on the server
}

function showsResult(cached: DeepReadonly<KubeObject>, last: Applied, draft: Draft): boolean {
  const { uid, resourceVersion, generation } = cached.metadata;
  if (uid !== last.uid) return false;
  const age = compareResourceVersions(resourceVersion, last.resourceVersion);
  if (age <= 0) return age === 0; // an older version is from before a restore of etcd
  if (generation === undefined || generation !== last.generation) return false;
  return valuesHash(cached, draft) === last.values;
}

function draftHash({ draft, target, options }: RequestedApply<KubeObject>): string {
  return hash([draft, target, options.force]);
}

/** Returns the hash of the values that an object has where the draft has any. */
function valuesHash(object: DeepReadonly<KubeObject>, { metadata = {}, ...sections }: Draft): string {
  const parts = Object.keys(sections).filter((name) => name !== "apiVersion" && name !== "kind");
  return hash([valuesAt(object, parts), metadataValues(object.metadata, metadata)]);
}

/** Returns the values of the metadata that the draft sets: of labels and annotations by key, because others add some. */
function metadataValues(metadata: object, draft: object): unknown[] {
  const names = Object.keys(draft).filter((name) => !identity.has(name));
  return names.map((name) => {
    const value: unknown = Reflect.get(metadata, name);
    return byKey.has(name)
      ? valuesAt(value ?? {}, Object.keys(Reflect.get(draft, name) ?? {}))
      : (value ?? null);
  });
}

const identity: ReadonlySet<string> = new Set(["name", "namespace", "uid"]);
const byKey: ReadonlySet<string> = new Set(["labels", "annotations"]);

function valuesAt(object: object, names: readonly string[]): unknown[] {
  return names.map((name) => (Reflect.get(object, name) as unknown) ?? null);
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64");
}
