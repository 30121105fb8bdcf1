import { type Kind, type KubeObject, keyText, type ObjectKey } from "../api/index.ts";
import { type Client, isConflict, isInvalid, isNotFound, type JsonPatchStep } from "../client/index.ts";
import type { Context, Controller, Requeue } from "./controller.ts";

export interface FinalizerOptions {
  readonly controller: Controller;
  readonly client: Client;
}

/**
 * Keeps an object until what was done for it is undone.
 *
 * The finalizer is on the object before `reconcile` first sees it, and goes after `cleanup` has succeeded. Both are
 * patches that hold only for the finalizers that were seen: where somebody else was faster, it looks again.
 */
export class Finalizer {
  readonly #kind: Kind;
  readonly #cleanup: NonNullable<Controller["options"]["cleanup"]>;
  readonly #client: Client;
  /** On the objects: the name of the controller in a domain of ours. */
  readonly name: string;

  constructor({ controller: { name, options }, client }: FinalizerOptions) {
    if (!options.cleanup) throw new TypeError("expected a controller that cleans up, got one that does not");
    this.#kind = options.for;
    this.#cleanup = options.cleanup;
    this.#client = client;
    this.name = `trimtab.dev/${name}`;
  }

  /** What is to be done before `reconcile`. `undefined` where it may go on; else it is over, with what to do next. */
  async before(key: ObjectKey, context: Context): Promise<Over | undefined> {
    const object = await this.#client.get(this.#kind, key);
    if (!object) return undefined;
    const seen = object.metadata.finalizers ?? [];
    const deleted = object.metadata.deletionTimestamp !== undefined;
    if (!deleted) return seen.includes(this.name) ? undefined : this.#add(object, seen);
    if (!seen.includes(this.name)) return nothingMore; // others hold it: our part is done
    const again = await this.#cleanup(object, context);
    return again ? { again } : this.#remove(object, seen);
  }

  async #add(object: KubeObject, seen: readonly string[]): Promise<Over | undefined> {
    const path = "/metadata/finalizers";
    const test: JsonPatchStep = { op: "test", path, value: seen.length > 0 ? seen : null };
    const add: JsonPatchStep =
      seen.length > 0
        ? { op: "add", path: `${path}/-`, value: this.name }
        : { op: "add", path, value: [this.name] };
    return (await this.#patch(object, [test, add])) ? undefined : lookAgain;
  }

  async #remove(object: KubeObject, seen: readonly string[]): Promise<Over> {
    const path = `/metadata/finalizers/${seen.indexOf(this.name)}`;
    const steps: JsonPatchStep[] = [
      { op: "test", path, value: this.name },
      { op: "remove", path },
    ];
    return (await this.#patch(object, steps)) ? nothingMore : lookAgain;
  }

  /** Whether it could be done: not where somebody was faster. */
  async #patch({ metadata }: KubeObject, steps: readonly JsonPatchStep[]): Promise<boolean> {
    const uid: JsonPatchStep = { op: "test", path: "/metadata/uid", value: metadata.uid };
    try {
      await this.#client.patch(this.#kind, metadata, { json: [uid, ...steps] });
      return true;
    } catch (error) {
      if (isNotFound(error) || isConflict(error) || isInvalid(error)) return false;
      throw new Error(`cannot change the finalizers of ${this.#kind.kind} ${keyText(metadata)}`, {
        cause: error,
      });
    }
  }
}

/** The reconcile is over. */
export interface Over {
  readonly again: Requeue | undefined;
}

const nothingMore: Over = { again: undefined };
/** The cache is behind: when it has caught up an event comes, and at the latest in a second. */
const lookAgain: Over = { again: { requeueAfterMs: 1000 } };
