import { type Kind, type KubeObject, keyText, type ObjectKey } from "../api/index.ts";
import { type Client, isConflict, isInvalid, isNotFound, type JsonPatchStep } from "../client/index.ts";
import type { CleanupOptions, Context, Requeue } from "./controller.ts";
import { EventReason } from "./event-reason.ts";
import { MergedReason } from "./merged-reason.ts";
import type { Reason } from "./reason.ts";

export interface FinalizerOptions extends CleanupOptions<KubeObject> {
  readonly kind: Kind;
}

/**
 * Keeps an object until `cleanup` has undone the controller's work for it.
 *
 * The finalizer is on the object before `reconcile` first sees it, and is removed after `cleanup` has succeeded. Both
 * are patches that test the finalizers that the cache shows: if they are outdated, the key is retried with backoff.
 */
export class Finalizer {
  readonly #kind: Kind;
  readonly #cleanup: CleanupOptions<KubeObject>["cleanup"];
  readonly #name: string;
  /** Names that this controller used before. */
  readonly #former: ReadonlySet<string>;
  /** Resource versions that adding the finalizer made, by key, until the key is reconciled again. */
  readonly #added = new Map<string, string>();

  constructor({ kind, cleanup, finalizer, formerFinalizers = [] }: FinalizerOptions) {
    this.#kind = kind;
    this.#cleanup = cleanup;
    this.#name = finalizer;
    this.#former = new Set(formerFinalizers);
  }

  /**
   * Returns true, once per added finalizer, if the echo of adding it is the only reason for a key. The reconcile that
   * added the finalizer has read that version, so the key needs no other reconcile. The resource version must be our
   * own, and only the finalizers may have changed.
   */
  consumeOwnEcho(key: string, reasons: readonly Reason[]): boolean {
    const added = this.#added.get(key);
    const isEcho = added !== undefined && this.#isEcho(key, reasons, added);
    if (isEcho) this.#added.delete(key);
    return isEcho;
  }

  #isEcho(key: string, reasons: readonly Reason[], added: string): boolean {
    const [reason] = reasons;
    if (reasons.length !== 1) return false;
    if (!(reason instanceof EventReason || reason instanceof MergedReason)) return false;
    const isOwn = reason.event === "updated" && reason.resourceVersion === added;
    return (
      isOwn && this.#isPrimary(reason, key) && reason.changed.every((path) => path === "metadata.finalizers")
    );
  }

  /**
   * Adds the finalizer to a live object, or cleans up a terminating one. Uses the reconcile's own client, so its
   * requests abort with `context.signal`.
   * @returns `undefined` if `reconcile` is next, else the result of the whole reconcile
   */
  async before(key: ObjectKey, context: Context): Promise<Done | undefined> {
    this.#added.delete(keyText(key));
    const object = await context.client.get(this.#kind, key);
    if (!object) return undefined;
    const seen = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp === undefined) {
      const current = seen.includes(this.#name) && !seen.some((one) => this.#former.has(one));
      return current ? undefined : this.#adopt(object, seen, context);
    }
    if (!seen.some((one) => this.#isOurs(one))) return done; // only other controllers' finalizers are left
    const requeue = await this.#cleanup(object, context);
    return requeue ? { requeue } : this.#release(object, seen, context);
  }

  #isPrimary({ kind, key }: Reason, wanted: string): boolean {
    return kind === this.#kind.kind && key === wanted;
  }

  #isOurs(finalizer: string): boolean {
    return finalizer === this.#name || this.#former.has(finalizer);
  }

  /** Adds the finalizer and removes former ones in one patch. */
  async #adopt(object: KubeObject, seen: readonly string[], { client }: Context): Promise<Done | undefined> {
    const path = "/metadata/finalizers";
    const kept = seen.filter((one) => !this.#former.has(one));
    const value = kept.includes(this.#name) ? kept : [...kept, this.#name];
    const steps: JsonPatchStep[] = [
      { op: "test", path, value: seen.length > 0 ? seen : null },
      { op: "add", path, value },
    ];
    const patched = await this.#patch(client, object, steps);
    if (!patched) return cacheIsBehind;
    this.#added.set(keyText(object.metadata), patched.metadata.resourceVersion);
    return undefined;
  }

  /** Removes the finalizer and former ones, the last first, so that the others keep their index. */
  async #release(object: KubeObject, seen: readonly string[], { client }: Context): Promise<Done> {
    const steps = seen.flatMap((finalizer, at): JsonPatchStep[][] => {
      const path = `/metadata/finalizers/${at}`;
      if (!this.#isOurs(finalizer)) return [];
      return [
        [
          { op: "test", path, value: finalizer },
          { op: "remove", path },
        ],
      ];
    });
    return (await this.#patch(client, object, steps.reverse().flat())) ? done : cacheIsBehind;
  }

  /** Returns the patched object, or `undefined` if it has changed since it was read. */
  async #patch(
    client: Client,
    { metadata }: KubeObject,
    steps: readonly JsonPatchStep[],
  ): Promise<KubeObject | undefined> {
    const uid: JsonPatchStep = { op: "test", path: "/metadata/uid", value: metadata.uid };
    try {
      return await client.patch(this.#kind, metadata, { json: [uid, ...steps] });
    } catch (error) {
      if (isNotFound(error) || isConflict(error) || isInvalid(error)) return undefined;
      throw new Error(`cannot change the finalizers of ${this.#kind.kind} ${keyText(metadata)}`, {
        cause: error,
      });
    }
  }
}

/** The result of a reconcile that ends without a call of `reconcile`. */
export interface Done {
  readonly requeue: Requeue | undefined;
}

const done: Done = { requeue: undefined };
/** Requeues with backoff. The event that the cache is waiting for reconciles the key earlier. */
const cacheIsBehind: Done = { requeue: { requeueAfterMs: 0 } };
