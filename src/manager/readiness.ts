/** A promise that its owner settles once. An unhandled rejection is ignored. */
export class Readiness {
  readonly promise: Promise<void>;
  reached = false;
  #resolve: () => void = () => {};
  fail: (error: Error) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.fail = reject;
    });
    this.promise.catch(() => {});
  }

  reach(): void {
    this.reached = true;
    this.#resolve();
  }
}
