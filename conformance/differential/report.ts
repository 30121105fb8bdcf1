import type { Difference, Outcome } from "./duel.ts";
import { type Script, type Step, writeScript } from "./script.ts";

/** Counts scripts and requests, and prints each kind of difference once. */
export class Report {
  #agreed = 0;
  #granted = 0;
  #passed = 0;
  #failed = 0;
  /** Printed differences, by their changed lines. */
  readonly #printed = new Map<string, number>();

  add(script: Script, { agreed, granted, difference }: Outcome): void {
    this.#agreed += agreed;
    this.#granted += granted;
    if (!difference) {
      this.#passed += 1;
      return;
    }
    this.#failed += 1;
    const number = this.#printed.get(essence(difference));
    if (number !== undefined) return console.log(`\ndifference ${number} again`);
    this.#printed.set(essence(difference), this.#printed.size + 1);
    console.log(`\ndifference ${this.#printed.size}: - real, + embedded\n${textOf(difference, script)}`);
  }

  /** Prints the counts and returns the exit code. */
  end(): number {
    const scripts = this.#passed + this.#failed;
    const requests = `${this.#agreed} requests, of which ${this.#granted} were granted`;
    console.log(`\n${this.#passed} of ${scripts} scripts agreed, and in all ${requests}`);
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    return this.#failed === 0 && scripts > 0 ? 0 : 1;
  }
}

/** Returns the changed lines. Two scripts with the same changed lines most likely show the same bug. */
function essence({ text }: Difference): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith(" "))
    .join("\n");
}

function textOf({ at, text }: Difference, script: Script): string {
  const place = typeof at === "string" ? at : `${at.method} ${at.path}`;
  return `at ${place}\n${text}\nreplay:\n${writeScript({ ...script, steps: upTo(at, script.steps) })}`;
}

/** Removes the steps after the one that showed the difference, which were never sent. */
function upTo(at: Step | string, steps: readonly Step[]): readonly Step[] {
  const index = steps.findIndex((step) => Object.is(step, at));
  return index === -1 ? steps : steps.slice(0, index + 1);
}
