import type { Transport } from "../../src/transport/index.ts";
import { Contender, type Side } from "./contender.ts";
import { differenceOf, same } from "./difference.ts";
import type { Script, Step } from "./script.ts";
import { type Answer, closed } from "./side.ts";
import type { Subject } from "./subject.ts";

/** The first thing about a script that two servers do not have in common. */
export interface Difference {
  /** The step, or what was compared after the last. */
  readonly at: Step | string;
  /** `-` is the real server, `+` the embedded one. */
  readonly text: string;
}

export interface Outcome {
  /** Requests that were answered alike. */
  readonly agreed: number;
  /** Those of them that were granted. */
  readonly granted: number;
  readonly difference?: Difference | undefined;
}

/** Two servers, and watches of both over every kind. */
export class Duel implements AsyncDisposable {
  readonly #real: Contender;
  readonly #embedded: Contender;
  readonly #subjects: ReadonlyMap<string, Subject>;
  /** Namespaces are counted, so that every script has its own. */
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
   * Plays a script up to the first difference, and plays it again where there is one: the servers' clocks tick at
   * different moments, and the order of managers depends on that. What shows three times is a difference.
   */
  async judge(script: Script): Promise<Outcome> {
    let outcome = await this.play(script);
    for (let again = 0; again < 2 && outcome.difference; again += 1) outcome = await this.play(script);
    return outcome;
  }

  /** Plays a script on both servers, up to the first difference. */
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

/** Whether the real server fell over where the embedded one refused: that is as good as its word. */
function panicked([real, embedded]: readonly Answer[]): boolean {
  return real?.status === closed && (embedded?.status ?? 0) >= 400;
}

function compared(at: Step | string, [real, embedded]: readonly unknown[]): Difference | undefined {
  return same(real, embedded) ? undefined : { at, text: differenceOf(real, embedded) };
}
