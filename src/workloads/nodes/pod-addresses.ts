/** Gives Pods addresses of 10.244.0.0/16, and then of the following networks. */
export class PodAddresses {
  #last = 0;

  /** Returns an address that was not given before. */
  next(): string {
    this.#last += 1;
    const [low, middle, high] = [
      this.#last % 254,
      Math.floor(this.#last / 254) % 256,
      Math.floor(this.#last / 254 / 256),
    ];
    return `10.${244 + (high % 11)}.${middle}.${low + 1}`;
  }
}
