import { type FieldError, invalid } from "../values/field-error.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import type { Correlation } from "./correlation.ts";

/** Reports where a value violates a schema, and returns its match count (see `checkValue`). */
export type Check = (schema: CompiledSchema, value: unknown, walk: Walk) => number;

export interface WalkOptions {
  readonly check: Check;
  /** A prefix of the path in `field`. Messages do not contain it. */
  readonly prefix: string;
  /** The whole value with its old value, to drop errors of unchanged parts. */
  readonly correlation?: Correlation | undefined;
}

/** The result of checking one alternative. Its errors are not in the walk. */
export interface Trial {
  readonly matches: number;
  readonly errors: readonly FieldError[];
}

/**
 * The position of a validation in a value, and the errors so far.
 *
 * Errors are only appended, so all errors after a mark can be removed. Trying alternatives and dropping errors of
 * unchanged parts rely on this.
 */
export class Walk {
  readonly errors: FieldError[] = [];
  readonly #check: Check;
  readonly #prefix: string;
  /** The steps from the root to the current value, as they are printed: `spec`, `.names`, `[0]`. */
  readonly #steps: string[] = [];
  /** The current value with its old value. Changes with each step. */
  #correlation: Correlation | undefined;

  constructor({ check, prefix, correlation }: WalkOptions) {
    this.#check = check;
    this.#prefix = prefix;
    this.#correlation = correlation;
  }

  /**
   * Checks the current value against an alternative, without dropping errors of unchanged parts, and returns the
   * result.
   */
  tryAlternative(schema: CompiledSchema, value: unknown): Trial {
    const outer = this.#correlation;
    const mark = this.errors.length;
    this.#correlation = undefined;
    const matches = this.#check(schema, value, this);
    this.#correlation = outer;
    return { matches, errors: this.errors.splice(mark) };
  }

  /** Checks a declared field of the current object. */
  checkField(schema: CompiledSchema, name: string, value: unknown): number {
    this.#steps.push(this.#steps.length === 0 ? name : `.${name}`);
    return this.#checkChild(schema, name, value);
  }

  /** Checks the value of a key of the current map. */
  checkKey(schema: CompiledSchema, key: string, value: unknown): number {
    this.#steps.push(`.${key}`);
    return this.#checkChild(schema, key, value);
  }

  /** Checks an element of the current list. */
  checkItem(schema: CompiledSchema, index: number, value: unknown): number {
    this.#steps.push(`[${index}]`);
    return this.#checkChild(schema, index, value);
  }

  #checkChild(schema: CompiledSchema, key: string | number, value: unknown): number {
    const outer = this.#correlation;
    this.#correlation = outer?.child(key);
    const matches = this.checkRatcheting(schema, value);
    this.#correlation = outer;
    this.#steps.pop();
    return matches;
  }

  /** Checks the current value, and drops all its errors if it has not changed (ratcheting). */
  checkRatcheting(schema: CompiledSchema, value: unknown): number {
    const mark = this.errors.length;
    const matches = this.#check(schema, value, this);
    if (this.errors.length > mark && this.#correlation?.equal) this.errors.splice(mark);
    return matches;
  }

  /** The path of the current value as messages print it. */
  get path(): string {
    return this.#steps.join("");
  }

  /** Returns the path of the current value, or of one of its fields, for `field` of an error. */
  fieldPath(name = ""): string {
    const path = name === "" ? this.path : `${this.path}.${name}`;
    const trimmed = path.startsWith(".") ? path.slice(1) : path;
    return this.#prefix === "" || trimmed === "" ? this.#prefix + trimmed : `${this.#prefix}.${trimmed}`;
  }

  report(error: FieldError): void {
    this.errors.push(error);
  }

  /** Reports that the current value is out of bounds: `spec.replicas in body should be ...`. */
  reportBound(value: unknown, rule: string): void {
    this.errors.push(invalid(this.fieldPath(), value, `${this.path} in body ${rule}`));
  }

  /** Reports a violation without a field, as kube-apiserver does. The detail names the path. */
  reportWithoutField(detail: string): void {
    this.errors.push(invalid(this.#prefix, "", detail));
  }
}
