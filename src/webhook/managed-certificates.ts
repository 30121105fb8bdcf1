import { Secret } from "../api/types/core/v1.ts";
import { asError, Backoff, type Clock, type Logger, type Rng, sleep, type Timer } from "../base/index.ts";
import type { KeyedCertificate } from "../certificates/index.ts";
import { type Client, isAlreadyExists, isConflict } from "../client/index.ts";
import { type CertificateSource, Listeners } from "../serving/index.ts";
import {
  bundleOf,
  type CertificateState,
  type FoundState,
  type IssuedPair,
  isDueForRotation,
  issuePair,
  isUsable,
  otherData,
  readState,
  writeState,
} from "./certificate-secret.ts";

export interface ManagedCertificatesOptions {
  readonly client: Client;
  /** The name of the Secret. */
  readonly name: string;
  readonly namespace: string;
  /** The host names that the certificate must have. */
  readonly hosts: readonly string[];
  readonly log: Logger;
  readonly clock: Clock;
  readonly rng: Rng;
}

/**
 * Certificates in a Secret that all replicas share.
 *
 * Any replica may write the Secret; its resource version decides which write counts, and the others read the result.
 * After two thirds of its time, a pair is replaced in steps, so that no API server meets a certificate that it does not
 * trust: a next pair is added and its CA published; five minutes after the publication was confirmed (no API server
 * acknowledges it) the next pair becomes the current one; the CA of the former pair stays published, because other
 * replicas read the Secret once a minute. If the Secret is deleted or damaged, the replicas restore it and replace the
 * pair in the same steps.
 */
export class ManagedCertificates implements CertificateSource {
  readonly #options: ManagedCertificatesOptions;
  readonly #listeners = new Listeners();
  readonly #ended = new AbortController();
  #state: CertificateState | undefined;
  /** The next CA and the monotonic time since which it is known to be published. */
  #published: { readonly ca: string; readonly sinceMs: number } | undefined;
  #timer: Timer | undefined;
  #checking: Promise<void> = Promise.resolve();

  constructor(options: ManagedCertificatesOptions) {
    this.#options = options;
  }

  get current(): KeyedCertificate {
    if (!this.#state) throw new Error("managed certificates not loaded yet");
    const { cert, key } = this.#state.current;
    return { cert, key };
  }

  get bundle(): string | undefined {
    return this.#state && bundleOf(this.#state);
  }

  async start(): Promise<void> {
    const { clock, rng } = this.#options;
    const backoff = new Backoff({ initialMs: 200, maxMs: 5000, clock, rng });
    for (let remaining = maxAttempts; !this.#state; ) {
      try {
        await this.check();
      } catch (error) {
        remaining -= 1;
        if (remaining === 0) throw error;
        await sleep(backoff.next(), { clock, signal: this.#ended.signal });
      }
    }
    this.#schedule();
  }

  onChange(listener: () => void): Disposable {
    return this.#listeners.add(listener);
  }

  /** Reports that API servers have these CAs. A next pair is used five minutes after its CA was published. */
  confirmPublished(bundle: string): void {
    const next = this.#state?.next;
    if (!next || !bundle.includes(next.ca)) this.#published = undefined;
    else if (this.#published?.ca !== next.ca) {
      this.#published = { ca: next.ca, sinceMs: this.#options.clock.monotonic() };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new Error("the webhook server is closed"));
    this.#timer?.cancel();
    await this.#checking.catch(() => {}); // it was logged
  }

  /**
   * Reads the Secret, writes what is due, and uses the result. Rejects if the API server does not allow or answer it.
   */
  async check(): Promise<void> {
    for (;;) {
      const state = await this.#attempt();
      if (!state) continue; // another replica has written it meanwhile
      const before = this.#state;
      this.#state = state;
      const rotated = before !== undefined && before.current.cert !== state.current.cert;
      if (rotated) this.#options.log.info("webhook certificate rotated", { secret: this.#options.name });
      if (before && (rotated || bundleOf(before) !== bundleOf(state))) this.#listeners.notify();
      return;
    }
  }

  /** Returns the state after one attempt to bring it up to date, or `undefined` if another replica was faster. */
  async #attempt(): Promise<CertificateState | undefined> {
    const { client, name, namespace, hosts, clock } = this.#options;
    const { signal } = this.#ended;
    const secret = await client.get(Secret, { name, namespace }, { signal });
    const found = readState(secret?.data ?? {}, { hosts, nowMs: clock.now() });
    const wanted = this.#wanted(found);
    if (secret && isSame(found, wanted)) return wanted;
    const data = { ...otherData(secret?.data), ...writeState(wanted) };
    try {
      if (secret) await client.update(Secret, { ...secret, data }, { signal });
      else {
        const metadata = { name, namespace, labels: { "app.kubernetes.io/managed-by": "trimtab" } };
        await client.create(Secret, { metadata, type: "kubernetes.io/tls", data }, { signal });
      }
      return wanted;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) return undefined;
      throw error;
    }
  }

  /** Returns the state that follows from what the Secret has: at most one step further. */
  #wanted({ current, next, previousCa }: FoundState): CertificateState {
    const { hosts, clock } = this.#options;
    const nowMs = clock.now();
    if (!current) return this.#restored(previousCa) ?? { current: issuePair(hosts, nowMs), previousCa };
    if (next && this.#isPublished(next)) return { current: next, previousCa: current.ca };
    if (next || !isDueForRotation(current, nowMs)) return { current, next, previousCa };
    return { current, next: issuePair(hosts, nowMs), previousCa };
  }

  /**
   * Returns the state for a Secret that was deleted or damaged: this replica's own pair, which API servers trust, and a
   * next one, because the key may have been deleted on purpose. `undefined` if this replica has no usable pair.
   */
  #restored(previousCa: string | undefined): CertificateState | undefined {
    const { hosts, clock } = this.#options;
    const valid = { hosts, nowMs: clock.now() };
    if (!this.#state || !isUsable(this.#state.current, valid)) return undefined;
    const { current } = this.#state;
    const { log, name } = this.#options;
    log.warn("webhook certificates deleted or damaged; restoring them, and replacing their key", {
      secret: name,
    });
    return { current, next: issuePair(hosts, valid.nowMs), previousCa: this.#state.previousCa ?? previousCa };
  }

  #isPublished({ ca }: IssuedPair): boolean {
    if (this.#published?.ca !== ca) return false;
    return this.#options.clock.monotonic() - this.#published.sinceMs >= publishedMs;
  }

  #schedule(): void {
    const { clock } = this.#options;
    this.#timer = clock.timer(checkMs, () => void this.#checkAgain(), { background: true });
  }

  async #checkAgain(): Promise<void> {
    this.#checking = this.check();
    try {
      await this.#checking;
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      this.#options.log.warn("checking the webhook certificates failed; keeping the current ones", {
        error: asError(error).message,
      });
    }
    if (!this.#ended.signal.aborted) this.#schedule();
  }
}

function isSame(found: FoundState, wanted: CertificateState): boolean {
  return (
    found.current?.cert === wanted.current.cert &&
    found.next?.cert === wanted.next?.cert &&
    found.previousCa === wanted.previousCa
  );
}

/** How often the Secret is read. It must be much shorter than `publishedMs`. */
const checkMs = 60_000;
/** Time from the confirmed publication of a CA until its certificate is used. */
const publishedMs = 300_000;
const maxAttempts = 5;
