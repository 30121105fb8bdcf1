import type { Transport } from "../../src/transport/index.ts";
import { Contender, type Side } from "./contender.ts";
import { differenceOf, same } from "./difference.ts";
import type { Script, Step } from "./script.ts";
import { type Answer, closed } from "./side.ts";
import type { Subject } from "./subject.ts";

/** The first difference between two servers in a script. */
export interface Difference {
  /** The step, or the part that was compared after the last step. */
  readonly at: Step | string;
  /** `-` is kube-apiserver, `+` the embedded server. */
  readonly text: string;
}

export interface Outcome {
  /** Number of requests with equal responses. */
  readonly agreed: number;
  /** Number of those that succeeded. */
  readonly granted: number;
  readonly difference?: Difference | undefined;
}

/** Two servers, with watches of every kind on both. */
export class Duel implements AsyncDisposable {
  readonly #real: Contender;
  readonly #embedded: Contender;
  readonly #subjects: ReadonlyMap<string, Subject>;
  /** Namespaces are numbered, so that every script has its own. */
  #scripts = 0;

  static async begin(real: Transport, embedded: Transport, subjects: readonly Subject[]): Promise<Duel> {
    return new Duel(
      await Contender.enter(real, subjects),
      await Contender.enter(embedded, subjects),
      new Map(subjects.map((subject) => [subject.plural, subject])),
    );
  }

  private constructor(real: Contender, embedded: Contender, subjects: ReadonlyMap<string, Subject>) {
    this.#real = real;
    this.#embedded = embedded;
    this.#subjects = subjects;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#real[Symbol.dispose]();
    this.#embedded[Symbol.dispose]();
  }

  /**
   * Plays a script up to the first difference, and repeats it if there is one: the servers' clocks tick at different
   * times, which affects the order of managers. A difference that shows three times is real.
   */
  async judge(script: Script): Promise<Outcome> {
    let outcome = await this.play(script);
    for (let again = 0; again < 2 && outcome.difference; again += 1) outcome = await this.play(script);
    return outcome;
  }

  /** Plays a script on both servers up to the first difference. */
  async play({ subject: plural, steps }: Script): Promise<Outcome> {
    const subject = this.#subjects.get(plural);
    if (!subject) throw new Error(`expected a script about ${[...this.#subjects.keys()]}, got ${plural}`);
    const namespace = `differential-${this.#scripts++}`;
    const sides = await Promise.all([this.#real.side(namespace), this.#embedded.side(namespace)]);
    const outcome = await this.#steps(sides, steps);
    const ends = await Promise.all(sides.map((side) => side.finish(subject)));
    const difference = outcome.difference ?? compared("the watch events of the script", ends);
    return { ...outcome, difference };
  }

  async #steps(sides: readonly Side[], steps: readonly Step[]): Promise<Outcome> {
    let [agreed, granted] = [0, 0];
    for (const step of steps) {
      const answers = await Promise.all(sides.map((side) => side.send(step)));
      if (panicked(answers)) continue;
      const difference = compared(step, answers);
      if (difference) return { agreed, granted, difference };
      agreed += 1;
      granted += answers.every(({ status }) => status < 300) ? 1 : 0;
    }
    return { agreed, granted };
  }
}

/** Returns true if kube-apiserver closed the connection and the embedded server refused. These count as equal. */
function panicked([real, embedded]: readonly Answer[]): boolean {
  return real?.status === closed && (embedded?.status ?? 0) >= 400;
}

function compared(at: Step | string, [real, embedded]: readonly unknown[]): Difference | undefined {
  return same(real, embedded) ? undefined : { at, text: differenceOf(real, embedded) };
}
