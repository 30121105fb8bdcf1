import type { TypedSchema } from "../structure/typed-schema.ts";
import type { JsonObject } from "../values/json-value.ts";
import type { JsonNotes } from "../values/read-json.ts";

/** Thrown for a value that cannot be decoded. The message is that of Go's decoder. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/** A field that strict field validation refuses and otherwise warns about. */
export interface StrictProblem {
  readonly type: "unknown" | "duplicate";
  /** A path such as `spec.template.spec.containers[0].foo`. */
  readonly path: string;
}

/** `unknown field "spec.foo"` */
export function strictText({ type, path }: StrictProblem): string {
  return `${type} field "${path}"`;
}

/** A step from an object or list to one of its values. */
export interface Step {
  readonly container: object;
  readonly key: string | number;
  /** The type of the container, if it is a struct. Messages name only structs. */
  readonly struct?: Pick<TypedSchema, "goType"> | undefined;
}

/** Metadata fields that have a named string type in Go. */
const namedTypes: ReadonlyMap<string, string> = new Map([
  ["ObjectMeta.uid", "types.UID"],
  ["OwnerReference.uid", "types.UID"],
  ["Preconditions.uid", "types.UID"],
  ["ManagedFieldsEntry.operation", "v1.ManagedFieldsOperationType"],
]);

/** Maximum nesting depth. It bounds the recursion and is far above the depth of real objects. */
const maxDepth = 1000;

/** Maximum number of reported problems. kube-apiserver drops the rest. */
const maxProblems = 100;

/**
 * The position of a decoding and its errors so far.
 *
 * Decoding continues after a value of the wrong type, as in Go: `finish` throws the first such error. An error of a
 * type with its own decoder (a time, a quantity) ends the decoding at once and takes precedence.
 */
export class DecodeRun {
  readonly #notes: ReadonlyMap<object, JsonNotes>;
  readonly #steps: Step[] = [];
  readonly #problems = new Map<string, StrictProblem>();
  #firstError: DecodeError | undefined;
  #strict = true;

  constructor(notes: ReadonlyMap<object, JsonNotes>) {
    this.#notes = notes;
  }

  enter(step: Step): void {
    if (this.#steps.push(step) > maxDepth) this.fail("exceeded max depth");
  }

  leave(): void {
    this.#steps.pop();
  }

  /** Returns the keys of an object as they were written, including repeated ones. */
  keysOf(object: JsonObject): readonly string[] {
    return this.#notes.get(object)?.keys ?? Object.keys(object);
  }

  /** Returns true if a key of the object was written more than once. */
  repeatsKeys(object: JsonObject): boolean {
    return this.#notes.get(object)?.keys !== undefined;
  }

  /**
   * Returns the value of the `time`-th occurrence of a key, counted from 0. The last occurrence is the object's own
   * value.
   */
  valueAt(object: JsonObject, key: string, time: number): unknown {
    const earlier = this.#notes.get(object)?.earlier?.get(key) ?? [];
    return time < earlier.length ? earlier[time] : object[key];
  }

  /** Returns the current number as it was written. */
  written(value: unknown): string {
    const { container, key = "" } = this.#steps.at(-1) ?? {};
    return (container && this.#notes.get(container)?.numbers?.get(key)) ?? String(value);
  }

  /** Reports an unknown or duplicate field of the current object. */
  reportStrict(type: StrictProblem["type"], key: string): void {
    if (!this.#strict || this.#problems.size >= maxProblems) return;
    const problem = { type, path: this.#path(key) };
    this.#problems.set(strictText(problem), problem);
  }

  #path(key: string): string {
    const steps = [...this.#steps.map((step) => step.key), key];
    const texts = steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
    return texts.join("").slice(1);
  }

  /** Runs `decode` without reporting unknown and duplicate fields. */
  withoutStrict<T>(decode: () => T): T {
    const before = this.#strict;
    this.#strict = false;
    const decoded = decode();
    this.#strict = before;
    return decoded;
  }

  /** Records that the current value has the wrong type. `actual` is Go's name of its type. */
  mismatch(actual: string, goType: string): undefined {
    return this.recordError(this.#mismatchText(actual, goType));
  }

  /** Records an error of the current value. Only the first one counts. */
  recordError(text: string): undefined {
    this.#firstError ??= new DecodeError(text);
    return undefined;
  }

  #mismatchText(actual: string, goType: string): string {
    const inStructs = this.#steps.filter(({ struct }) => struct !== undefined);
    const struct = inStructs.at(-1)?.struct?.goType.split(".").at(-1);
    const path = inStructs.map(({ key }) => key).join(".");
    const target = struct === undefined ? "Go value" : `Go struct field ${struct}.${path}`;
    const named = namedTypes.get(`${struct}.${inStructs.at(-1)?.key}`);
    return `json: cannot unmarshal ${actual} into ${target} of type ${named ?? goType}`;
  }

  /** Ends the decoding because the current value has the wrong type for a type with its own decoder. */
  failMismatch(actual: string, goType: string): never {
    this.fail(this.#mismatchText(actual, goType));
  }

  fail(text: string): never {
    throw new DecodeError(text);
  }

  /** Returns the problems for strict field validation. Throws the first recorded error instead, if there is one. */
  finish(): StrictProblem[] {
    if (this.#firstError) throw this.#firstError;
    return [...this.#problems.values()];
  }
}
