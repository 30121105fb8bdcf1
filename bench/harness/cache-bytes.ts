/**
 * Metrics of which nothing is kept but how much memory caches take for their objects: Node's own figures leave that out,
 * but for the whole of the process.
 */
export class CacheBytes {
  readonly #caches = new Map<string, number>();

  /** Of all caches that are open. */
  get total(): number {
    return [...this.#caches.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  counter() {
    return { add() {} };
  }

  histogram() {
    return { observe() {} };
  }

  gauge({ name }: { readonly name: string }) {
    const caches = name === "informer_bytes" ? this.#caches : new Map<string, number>();
    return {
      set: (labels: object, bytes: number) => void caches.set(JSON.stringify(labels), bytes),
      remove: (labels: object) => void caches.delete(JSON.stringify(labels)),
    };
  }
}
