import type { AnyKind, Kind, KubeObject } from "../api/index.ts";
import { unlessAborted } from "../base/index.ts";

/**
 * Kinds whose plural and scope had to be looked up, each once: those who ask while the question is under way wait for
 * its answer. A question that failed is asked again by the next.
 */
export class KnownKinds {
  readonly #answers = new Map<AnyKind, Promise<Kind>>();

  /** @param lookUp belongs to nobody's call: the end of one, by its signal, is not the end of another */
  get<T extends KubeObject>(
    kind: AnyKind<T>,
    lookUp: () => Promise<Kind<T>>,
    signal: AbortSignal | undefined,
  ): Promise<Kind<T>> {
    const known = this.#answers.get(kind) as Promise<Kind<T>> | undefined; // stored below under this very kind
    return unlessAborted(known ?? this.#ask(kind, lookUp), signal);
  }

  #ask<T extends KubeObject>(kind: AnyKind<T>, lookUp: () => Promise<Kind<T>>): Promise<Kind<T>> {
    const answer = lookUp();
    this.#answers.set(kind, answer);
    answer.catch(() => this.#answers.delete(kind)); // whoever waits for the answer is told
    return answer;
  }
}
