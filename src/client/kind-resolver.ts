import { type AnyKind, isDiscovered, type Kind, type KubeObject } from "../api/index.ts";
import { unlessAborted } from "../base/index.ts";
import { isNotFound, type Transport } from "../transport/index.ts";
import { resolveKind, UnknownKindError } from "./discovery.ts";
import type { CallOptions } from "./options.ts";

/**
 * Sends the requests of a client for kinds whose plural and scope may not be known yet.
 *
 * If a kind was resolved on the server and is no longer served at that path, because its CRD was replaced, it is
 * resolved again and the request is sent a second time. The server has done nothing with the first request.
 */
export class KindResolver {
  readonly #transport: Transport;
  readonly #known: KnownKinds;

  constructor(transport: Transport, known: KnownKinds) {
    this.#transport = transport;
    this.#known = known;
  }

  /** Returns the kind with its plural and scope. */
  async resolve<T extends KubeObject>(kind: AnyKind<T>, signal: AbortSignal | undefined): Promise<Kind<T>> {
    if (isDiscovered(kind)) return kind;
    return this.#known.get(kind, () => resolveKind(this.#transport, kind), signal);
  }

  /** Makes the next request resolve the kind again, unless that has happened since `stale` was returned. */
  forget(kind: AnyKind, stale: Kind): void {
    this.#known.forget(kind, stale);
  }

  async send<T extends KubeObject, R>(
    kind: AnyKind<T>,
    { signal }: CallOptions,
    send: (known: Kind<T>) => Promise<R>,
  ): Promise<R> {
    if (isDiscovered(kind)) return send(kind);
    const known = await this.resolve(kind, signal);
    try {
      return await send(known);
    } catch (error) {
      return send(await this.#resolveAgain(kind, signal, { known, error }));
    }
  }

  /** Does the same as `send` for a request with several results. It retries only if the first request had no result. */
  async *iterate<T extends KubeObject, R>(
    kind: AnyKind<T>,
    { signal }: CallOptions,
    iterate: (known: Kind<T>) => AsyncIterable<R>,
  ): AsyncGenerator<R, void, void> {
    if (isDiscovered(kind)) return yield* iterate(kind);
    const known = await this.resolve(kind, signal);
    let started = false;
    try {
      for await (const part of iterate(known)) {
        started = true;
        yield part;
      }
    } catch (error) {
      if (started) throw error;
      yield* iterate(await this.#resolveAgain(kind, signal, { known, error }));
    }
  }

  /** Resolves the kind again. Rethrows the error if the path has not changed, or the error has another cause. */
  async #resolveAgain<T extends KubeObject>(
    kind: AnyKind<T>,
    signal: AbortSignal | undefined,
    { known, error }: { readonly known: Kind<T>; readonly error: unknown },
  ): Promise<Kind<T>> {
    if (!isResourceNotServed(error)) throw error;
    this.forget(kind, known);
    const now = await this.resolve(kind, signal).catch((cause: unknown) => {
      throw cause instanceof UnknownKindError ? error : cause; // the error of the request is more specific
    });
    if (now === known) throw error; // equal kinds are the same object: see `kind`
    return now;
  }
}

/** Returns true if the server serves no resource at the request's path. Then the error's details have no name. */
function isResourceNotServed(error: unknown): boolean {
  return isNotFound(error) && error.details?.name === undefined;
}

/**
 * Caches the plural and scope of kinds that were resolved on the server. Concurrent calls share one lookup, and a
 * failed lookup is repeated by the next call.
 */
export class KnownKinds {
  readonly #lookups = new Map<AnyKind, Lookup>();

  /**
   * @param resolve looks the kind up. It has no signal, because aborting one call must not end a lookup that others
   * share
   */
  get<T extends KubeObject>(
    kind: AnyKind<T>,
    resolve: () => Promise<Kind<T>>,
    signal: AbortSignal | undefined,
  ): Promise<Kind<T>> {
    const { result } = this.#lookups.get(kind) ?? this.#start(kind, resolve);
    return unlessAborted(result as Promise<Kind<T>>, signal); // the map's key is the kind
  }

  /** Makes the next `get` resolve the kind again, unless that has happened since `stale` was returned. */
  forget(kind: AnyKind, stale: Kind): void {
    if (this.#lookups.get(kind)?.found === stale) this.#lookups.delete(kind);
  }

  #start<T extends KubeObject>(kind: AnyKind<T>, resolve: () => Promise<Kind<T>>): Lookup {
    const lookup: Lookup = { result: resolve(), found: undefined };
    this.#lookups.set(kind, lookup);
    lookup.result.then(
      (found) => {
        lookup.found = found;
      },
      () => this.#lookups.delete(kind), // every waiting call gets the error
    );
    return lookup;
  }
}

interface Lookup {
  readonly result: Promise<Kind>;
  /** The resolved kind, once the lookup has succeeded. */
  found: Kind | undefined;
}
