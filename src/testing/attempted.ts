import { keyText } from "../api/index.ts";
import { asError } from "../base/index.ts";
import { type Controller, TerminalError } from "../controller/index.ts";

/** What becomes of reconciles. */
export class Attempted {
  /** The last that began: `website default/a`. */
  last: string | undefined;
  /** Those that failed the last time and are tried again, with why. */
  readonly #failing = new Map<string, string>();

  get failing(): string[] {
    return [...this.#failing].map(([what, why]) => `${what} failing: ${why}`);
  }

  /** The same controller, looked at. */
  of({ name, options }: Controller): Controller {
    const reconcile: typeof options.reconcile = async (key, context) => {
      const what = `${name} ${keyText(key)}`;
      this.last = what;
      try {
        const again = (await options.reconcile(key, context)) ?? undefined;
        this.#failing.delete(what);
        return again;
      } catch (error) {
        if (error instanceof TerminalError) this.#failing.delete(what);
        else this.#failing.set(what, asError(error).message);
        throw error;
      }
    };
    return { name, options: { ...options, reconcile } };
  }
}
