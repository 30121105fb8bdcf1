/** Functions to call after a change. */
export class Listeners {
  readonly #listeners = new Set<{ readonly notify: () => void }>();

  add(notify: () => void): Disposable {
    const entry = { notify }; // one function may be added twice
    this.#listeners.add(entry);
    return { [Symbol.dispose]: () => void this.#listeners.delete(entry) };
  }

  notify(): void {
    for (const { notify } of [...this.#listeners]) notify();
  }
}
