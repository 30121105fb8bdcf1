import type { CompiledSchema } from "./compiled-schema.ts";
import type { Correlation } from "./correlation.ts";
import { type FieldError, invalid } from "./field-error.ts";

/** Reports where a value does not keep to a schema, and returns how much of it matches. */
export type Check = (schema: CompiledSchema, value: unknown, walk: Walk) => number;

export interface WalkOptions {
  readonly check: Check;
  /** Comes before the path in `field`, not in messages. */
  readonly prefix: string;
  /** The whole value and what it was before, if errors of unchanged parts are to be forgiven. */
  readonly correlation?: Correlation | undefined;
}

/** What checking against one alternative came to: nothing of it is left in the walk. */
export interface Trial {
  readonly matches: number;
  readonly errors: readonly FieldError[];
}

/**
 * Where a validation stands in a value, and what it has found so far.
 *
 * Errors only ever grow at the end, so what came after a point can be taken back: that is how alternatives are tried,
 * and how errors of an unchanged part are forgiven.
 */
export class Walk {
  readonly errors: FieldError[] = [];
  readonly #check: Check;
  readonly #prefix: string;
  /** The steps from the root to here, each as it is printed: `spec`, `.names`, `[0]`. */
  readonly #steps: string[] = [];
  /** What stands here and stood here before. Changes with each step. */
  #correlation: Correlation | undefined;

  constructor({ check, prefix, correlation }: WalkOptions) {
    this.#check = check;
    this.#prefix = prefix;
    this.#correlation = correlation;
  }

  /** Checks the value here against an alternative, in which nothing is forgiven. Returns what that reported. */
  tryAlternative(schema: CompiledSchema, value: unknown): Trial {
    const outer = this.#correlation;
    const mark = this.errors.length;
    this.#correlation = undefined;
    const matches = this.#check(schema, value, this);
    this.#correlation = outer;
    return { matches, errors: this.errors.splice(mark) };
  }

  /** Checks a declared field of the object here. */
  checkField(schema: CompiledSchema, name: string, value: unknown): number {
    this.#steps.push(this.#steps.length === 0 ? name : `.${name}`);
    return this.#checkChild(schema, name, value);
  }

  /** Checks what stands under a key of the map here. */
  checkKey(schema: CompiledSchema, key: string, value: unknown): number {
    this.#steps.push(`.${key}`);
    return this.#checkChild(schema, key, value);
  }

  /** Checks an element of the list here. */
  checkItem(schema: CompiledSchema, index: number, value: unknown): number {
    this.#steps.push(`[${index}]`);
    return this.#checkChild(schema, index, value);
  }

  #checkChild(schema: CompiledSchema, key: string | number, value: unknown): number {
    const outer = this.#correlation;
    this.#correlation = outer?.child(key);
    const matches = this.checkOrForgive(schema, value);
    this.#correlation = outer;
    this.#steps.pop();
    return matches;
  }

  /** Checks the value here, and forgives all its errors if it is what it was before. */
  checkOrForgive(schema: CompiledSchema, value: unknown): number {
    const mark = this.errors.length;
    const matches = this.#check(schema, value, this);
    if (this.errors.length > mark && this.#correlation?.equal) this.errors.splice(mark);
    return matches;
  }

  /** The path here as messages print it. */
  get path(): string {
    return this.#steps.join("");
  }

  /** The path here, or of a field of the object here, as `field` has it. */
  fieldPath(name = ""): string {
    const path = name === "" ? this.path : `${this.path}.${name}`;
    const trimmed = path.startsWith(".") ? path.slice(1) : path;
    return this.#prefix === "" || trimmed === "" ? this.#prefix + trimmed : `${this.#prefix}.${trimmed}`;
  }

  report(error: FieldError): void {
    this.errors.push(error);
  }

  /** Reports that the value here is out of bounds: `spec.replicas in body should be ...`. */
  reportBound(value: unknown, what: string): void {
    this.errors.push(invalid(this.fieldPath(), value, `${this.path} in body ${what}`));
  }

  /** Reports a violation that kube-apiserver ties to no field: the text names the path. */
  reportLoose(detail: string): void {
    this.errors.push(invalid(this.#prefix, "", detail));
  }
}
