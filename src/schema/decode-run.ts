import type { JsonNotes } from "./json-text.ts";
import type { JsonObject } from "./json-value.ts";
import type { TypedSchema } from "./typed-schema.ts";

/** A value that cannot be decoded, in the words of Go's decoder. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/** What strict field validation refuses, and otherwise is warned of. */
export interface StrictProblem {
  readonly type: "unknown" | "duplicate";
  /** Like `spec.template.spec.containers[0].foo`. */
  readonly path: string;
}

/** `unknown field "spec.foo"` */
export function strictText({ type, path }: StrictProblem): string {
  return `${type} field "${path}"`;
}

/** A step from an object or list to what it holds. */
export interface Step {
  readonly container: object;
  readonly key: string | number;
  /** The type of the container, if it is a struct. Only those are named in messages. */
  readonly struct?: Pick<TypedSchema, "goType"> | undefined;
}

/** Fields of metadata that are texts with a type of their own in Go. */
const namedTypes: ReadonlyMap<string, string> = new Map([
  ["ObjectMeta.uid", "types.UID"],
  ["OwnerReference.uid", "types.UID"],
  ["Preconditions.uid", "types.UID"],
  ["ManagedFieldsEntry.operation", "v1.ManagedFieldsOperationType"],
]);

/** More than values have, and few enough for a function that calls itself. */
const deepest = 1000;

/** So many problems are told; kube-apiserver drops the rest. */
const mostProblems = 100;

/**
 * Where a decoding stands, and what it has found.
 *
 * As in Go, a value of the wrong type does not end it: the first is thrown when everything was seen. What a type of
 * its own refuses to decode (a time, a quantity) ends it at once, and counts over those before.
 */
export class DecodeRun {
  readonly #notes: ReadonlyMap<object, JsonNotes>;
  readonly #steps: Step[] = [];
  readonly #problems = new Map<string, StrictProblem>();
  #spoiled: DecodeError | undefined;
  #watching = true;

  constructor(notes: ReadonlyMap<object, JsonNotes>) {
    this.#notes = notes;
  }

  enter(step: Step): void {
    if (this.#steps.push(step) > deepest) this.fail("exceeded max depth");
  }

  leave(): void {
    this.#steps.pop();
  }

  /** The keys of an object as they were written, repeated ones too. */
  keysOf(object: JsonObject): readonly string[] {
    return this.#notes.get(object)?.keys ?? Object.keys(object);
  }

  /** Whether a key of the object was written more than once. */
  repeatsKeys(object: JsonObject): boolean {
    return this.#notes.get(object)?.keys !== undefined;
  }

  /** The value of the `time`-th occurrence of a key, counted from 0. The last occurrence is the object's own value. */
  valueAt(object: JsonObject, key: string, time: number): unknown {
    const earlier = this.#notes.get(object)?.earlier?.get(key) ?? [];
    return time < earlier.length ? earlier[time] : object[key];
  }

  /** A number here as it was written. */
  written(value: unknown): string {
    const { container, key = "" } = this.#steps.at(-1) ?? {};
    return (container && this.#notes.get(container)?.numbers?.get(key)) ?? String(value);
  }

  /** Tells of a field of the object here. */
  tell(type: StrictProblem["type"], key: string): void {
    if (!this.#watching || this.#problems.size >= mostProblems) return;
    const problem = { type, path: this.#path(key) };
    this.#problems.set(strictText(problem), problem);
  }

  #path(key: string): string {
    const steps = [...this.#steps.map((step) => step.key), key];
    const texts = steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
    return texts.join("").slice(1);
  }

  /** Decodes something in which nobody looks for unknown fields. */
  unwatched<T>(decode: () => T): T {
    const before = this.#watching;
    this.#watching = false;
    const decoded = decode();
    this.#watching = before;
    return decoded;
  }

  /** Notes that what is here has the wrong type. `actual` is what Go calls its type. */
  mismatch(actual: string, goType: string): undefined {
    return this.spoil(this.#mismatchText(actual, goType));
  }

  /** Notes that what is here is not what it should be. */
  spoil(text: string): undefined {
    this.#spoiled ??= new DecodeError(text);
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

  /** Ends the decoding: what is here has the wrong type, and its own type says so. */
  refuse(actual: string, goType: string): never {
    this.fail(this.#mismatchText(actual, goType));
  }

  fail(text: string): never {
    throw new DecodeError(text);
  }

  /** What strict validation has to say, after everything was decoded. Throws if something could not be. */
  finish(): StrictProblem[] {
    if (this.#spoiled) throw this.#spoiled;
    return [...this.#problems.values()];
  }
}
