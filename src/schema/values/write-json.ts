/**
 * Returns a value as JSON. Unlike `JSON.stringify` it encodes `bigint` as a number, and values that are nested deeper
 * than the stack allows.
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // `JSON.stringify` throws a TypeError for a bigint and a RangeError for deep nesting. Both are rare and take the
    // slow path.
    if (error instanceof TypeError || error instanceof RangeError) return new Writer().write(value);
    throw error;
  }
}

type Open = Iterator<readonly [string | undefined, unknown], void>;

/** Writes without recursion. */
class Writer {
  readonly #parts: string[] = [];
  readonly #open: Array<{ readonly inner: Open; readonly end: string; first: boolean }> = [];

  write(value: unknown): string {
    this.#value(value);
    for (let around = this.#open.at(-1); around; around = this.#open.at(-1)) {
      const next = around.inner.next();
      if (next.done) {
        this.#parts.push(around.end);
        this.#open.pop();
        continue;
      }
      const [key, inner] = next.value;
      if (!around.first) this.#parts.push(",");
      around.first = false;
      if (key !== undefined) this.#parts.push(JSON.stringify(key), ":");
      this.#value(inner);
    }
    return this.#parts.join("");
  }

  #value(value: unknown): void {
    if (Array.isArray(value)) this.#begin("[", "]", elements(value));
    else if (typeof value === "object" && value !== null) this.#begin("{", "}", fields(value));
    else this.#parts.push(typeof value === "bigint" ? String(value) : JSON.stringify(value ?? null));
  }

  #begin(start: string, end: string, inner: Open): void {
    this.#parts.push(start);
    this.#open.push({ inner, end, first: true });
  }
}

function* elements(list: readonly unknown[]): Generator<readonly [undefined, unknown], void> {
  for (const element of list) yield [undefined, element];
}

function* fields(object: object): Generator<readonly [string, unknown], void> {
  for (const [key, value] of Object.entries(object)) if (value !== undefined) yield [key, value];
}
