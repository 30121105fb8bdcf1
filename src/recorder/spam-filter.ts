import { type Clock, TokenBucket } from "../base/index.ts";
import { LruMap } from "./lru-map.ts";
import { type RecordedEvent, sourceKey } from "./recorded-event.ts";

/** Lets 25 events of one type about one object pass, and then one every five minutes. */
export class SpamFilter {
  readonly #clock: Clock;
  readonly #buckets = new LruMap<TokenBucket>(4096);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  passes(event: RecordedEvent): boolean {
    const clock = this.#clock;
    const fresh = (): TokenBucket => new TokenBucket({ perSecond: 1 / 300, burst: 25, clock });
    return this.#buckets.getOr(sourceKey(event), fresh).tryTake();
  }
}
