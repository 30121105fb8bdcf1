import { asError, type Clock, follow, type Timer } from "../base/index.ts";

export interface AttemptsOptions<T> {
  readonly clock: Clock;
  readonly withinMs: number;
  readonly changes: ((run: () => void) => Disposable) | undefined;
  /** Ends it: what it looks at is gone. */
  readonly signal: AbortSignal;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Tries a check after every change, one try at a time, until it passes or the time is over. */
export class Attempts<T> {
  readonly #check: () => T | Promise<T>;
  readonly #options: AttemptsOptions<T>;
  #changes: Disposable | undefined;
  #outer: Disposable | undefined;
  #deadline: Timer | undefined;
  #next: Timer | undefined;
  #trying = false;
  /** Something changed while it was tried. */
  #again = false;
  #last = new Error("expected a check to end, got none that did");
  #over = false;

  constructor(check: () => T | Promise<T>, options: AttemptsOptions<T>) {
    this.#check = check;
    this.#options = options;
  }

  begin(): void {
    const { clock, withinMs, changes, signal, reject } = this.#options;
    this.#deadline = clock.timer(withinMs, () => this.#end(() => reject(this.#last)));
    this.#changes = changes?.(() => this.#soon(0));
    this.#outer = follow(signal, (reason) => this.#end(() => reject(this.#calledOff(reason))));
    if (!this.#over) void this.#try();
  }

  /** After the change is whole, and those that follow at once. */
  #soon(afterMs: number): void {
    if (this.#over) return;
    if (this.#trying) this.#again = true;
    else {
      this.#next?.cancel();
      this.#next = this.#options.clock.timer(afterMs, () => void this.#try());
    }
  }

  async #try(): Promise<void> {
    this.#next = undefined;
    this.#trying = true;
    this.#again = false;
    try {
      const value = await this.#check();
      this.#end(() => this.#options.resolve(value));
    } catch (error) {
      this.#last = asError(error);
    }
    this.#trying = false;
    this.#soon(this.#again ? 0 : againMs);
  }

  #end(settle: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.#deadline?.cancel();
    this.#next?.cancel();
    this.#changes?.[Symbol.dispose]();
    this.#outer?.[Symbol.dispose]();
    settle();
  }

  #calledOff(reason: unknown): Error {
    const { message } = asError(reason);
    return new Error(`expected a check to pass, got an end before that: ${message}`, { cause: this.#last });
  }
}

/** What a check looks at may be elsewhere than in the server, and some servers tell of nothing. */
const againMs = 50;
