/** A promise that is settled from outside, once. Nobody has to look at it. */
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
