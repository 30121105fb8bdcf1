import { goQuoted } from "./go-text.ts";
import { setField } from "./json-value.ts";

/** What was special about an object or list, which its value cannot show. */
export interface JsonNotes {
  /** The keys as they were written, where one was written more than once. The last of those counts. */
  keys?: readonly string[];
  /** What stood before under keys that were written more than once, in order. */
  earlier?: Map<string, unknown[]>;
  /** How numbers were written, by key or index, where that is not how they are printed: `3.0`, `1e2`. */
  numbers?: Map<string | number, string>;
}

/** A JSON text, read. */
export interface JsonDocument {
  /** Integers that JavaScript cannot hold exactly are `bigint`, as long as they fit an int64. */
  readonly value: unknown;
  /** By object or list. Empty for most documents. */
  readonly notes: ReadonlyMap<object, JsonNotes>;
  /**
   * The paths of keys that were written more than once, like `spec.list[0].name`, each once, in the order they were
   * read. At most a hundred: so many does kube-apiserver tell.
   */
  readonly duplicates: readonly string[];
}

export interface JsonOptions {
  /**
   * How deep objects and lists may be nested. The default is below the 10,000 of kube-apiserver, so that what was
   * read can be handed to functions that call themselves.
   *
   * @default 1000
   */
  readonly maxDepth?: number | undefined;
  /** Keeps numbers beyond a float64 as infinite, with a note of how they were written. @default false: they are refused */
  readonly keepHuge?: boolean | undefined;
}

/** A text that is no JSON, in Go's words. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/**
 * Reads JSON as kube-apiserver does, keeping what `JSON.parse` loses: keys written twice, and numbers as written.
 *
 * @throws {JsonSyntaxError} if the text is no JSON, or is nested too deeply
 */
export function readJson(
  text: string,
  { maxDepth = 1000, keepHuge = false }: JsonOptions = {},
): JsonDocument {
  const plain = readPlain(text, maxDepth);
  if (plain) return plain;
  const reader = new Reader(text, { maxDepth, keepHuge });
  const value = reader.document();
  return { value, notes: reader.notes, duplicates: [...reader.duplicates] };
}

/**
 * What `JSON.parse` reads, where it loses nothing: the text is how the value is printed, so no key comes twice and
 * every number is written as it prints. Most programs write so, with a line feed in the end or without.
 */
function readPlain(text: string, maxDepth: number): JsonDocument | undefined {
  const printed = text.endsWith("\n") ? text.slice(0, -1) : text;
  if (longNumber.test(printed) || surrogateEscape.test(printed)) return undefined;
  if (openings(printed) > maxDepth) return undefined;
  try {
    const value: unknown = JSON.parse(printed);
    return JSON.stringify(value) === printed ? { value, notes: new Map(), duplicates: [] } : undefined;
  } catch {
    // Whatever is wrong with it is told by the reader that knows Go's words.
    return undefined;
  }
}

/** May be half of a pair that stands alone, which Go replaces. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Of so many digits may be a number that JavaScript cannot hold exactly. */
const longNumber = /[0-9]{16}/;

/** How many objects and lists begin, at most: nothing is nested deeper than that. */
function openings(text: string): number {
  let count = 0;
  for (const opening of ["{", "["]) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) count += 1;
  }
  return count;
}

class Reader {
  readonly notes = new Map<object, JsonNotes>();
  readonly duplicates = new Set<string>();
  /** The steps from the root to what is being read, as they are printed. As many as it is nested deep. */
  readonly #path: string[] = [];
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #keepHuge: boolean;
  #at = 0;

  constructor(text: string, { maxDepth, keepHuge }: Required<JsonOptions>) {
    this.#text = text;
    this.#maxDepth = maxDepth ?? 0;
    this.#keepHuge = keepHuge ?? false;
  }

  document(): unknown {
    const value = this.#value();
    if (this.#next() !== "") this.#fail("after top-level value");
    return value;
  }

  #value(): unknown {
    switch (this.#next()) {
      case "{":
        return this.#nested(() => this.#object());
      case "[":
        return this.#nested(() => this.#list());
      case '"':
        return this.#string();
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        return numberOf(this.#number(), this.#keepHuge);
    }
  }

  #nested(read: () => unknown): unknown {
    if (this.#path.length >= this.#maxDepth) this.#fail("exceeded max depth");
    this.#at++;
    const value = read();
    this.#at++;
    return value;
  }

  /** Leaves the closing brace to be read. */
  #object(): unknown {
    const object: Record<string, unknown> = {};
    const keys: string[] = [];
    let repeated = false;
    if (this.#next() === "}") return object;
    do {
      const key = this.#key();
      keys.push(key);
      this.#path.push(this.#path.length === 0 ? key : `.${key}`);
      if (Object.hasOwn(object, key)) {
        repeated = true;
        this.#noteEarlier(object, key);
      }
      setField(object, key, this.#child(object, key));
      this.#path.pop();
    } while (this.#comma("}", "after object key:value pair"));
    if (repeated) this.#noteOf(object).keys = keys;
    return object;
  }

  #key(): string {
    if (this.#next() !== '"') this.#fail("looking for beginning of object key string");
    const key = this.#string();
    if (this.#next() !== ":") this.#fail("after object key");
    this.#at++;
    return key;
  }

  /** Leaves the closing bracket to be read. */
  #list(): unknown {
    const list: unknown[] = [];
    if (this.#next() === "]") return list;
    do {
      this.#path.push(`[${list.length}]`);
      list.push(this.#child(list, list.length));
      this.#path.pop();
    } while (this.#comma("]", "after array element"));
    return list;
  }

  /** Whether another element follows. */
  #comma(end: string, place: string): boolean {
    const character = this.#next();
    if (character !== "," && character !== end) this.#fail(place);
    if (character === ",") this.#at++;
    return character === ",";
  }

  /** Reads what stands in a container, and notes a number that is not written as it would be printed. */
  #child(container: object, key: string | number): unknown {
    this.#next();
    const start = this.#at;
    const value = this.#value();
    if (typeof value !== "number" && typeof value !== "bigint") return value;
    const written = this.#text.slice(start, this.#at);
    if (written !== String(value)) {
      const note = this.#noteOf(container);
      note.numbers ??= new Map();
      note.numbers.set(key, written);
    }
    return value;
  }

  #noteEarlier(object: Record<string, unknown>, key: string): void {
    const note = this.#noteOf(object);
    note.earlier ??= new Map();
    const values = note.earlier.get(key);
    if (values) return void values.push(object[key]);
    note.earlier.set(key, [object[key]]);
    // Printing a path costs its depth, so it is printed once per key and no more often than it is reported.
    if (this.duplicates.size < mostDuplicates) this.duplicates.add(this.#path.join(""));
  }

  #noteOf(container: object): JsonNotes {
    const known = this.notes.get(container) ?? {};
    this.notes.set(container, known);
    return known;
  }

  #literal<T>(word: string, value: T): T {
    for (const expected of word) {
      if (this.#text[this.#at] !== expected) this.#fail(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
    }
    return value;
  }

  #string(): string {
    const start = this.#at++;
    let escaped = false;
    for (let code = this.#code(); code !== quote; code = this.#code()) {
      if (code < space) this.#fail("in string literal");
      this.#at++;
      if (code !== backslash) continue;
      escaped = true;
      this.#escape();
    }
    this.#at++;
    if (!escaped) return this.#text.slice(start + 1, this.#at - 1);
    // What stands between these quotes was just read as a string.
    const text = JSON.parse(this.#text.slice(start, this.#at)) as string;
    return text.replace(/\p{Surrogate}/gu, "\ufffd");
  }

  /** The character here. A string that has none left is no JSON. */
  #code(): number {
    return this.#at < this.#text.length ? this.#text.charCodeAt(this.#at) : this.#fail("");
  }

  #escape(): void {
    const character = this.#text[this.#at] ?? "";
    if (character === "" || !'"\\/bfnrtu'.includes(character)) this.#fail("in string escape code");
    this.#at++;
    for (let digits = 0; character === "u" && digits < 4; digits++) {
      if (!/^[0-9a-f]$/i.test(this.#text[this.#at] ?? "")) this.#fail("in \\u hexadecimal character escape");
      this.#at++;
    }
  }

  #number(): string {
    const start = this.#at;
    const negative = this.#skip(/-/y);
    if (!this.#skip(/0|[1-9][0-9]*/y))
      this.#fail(negative ? "in numeric literal" : "looking for beginning of value");
    if (this.#skip(/\./y)) this.#digits("after decimal point in numeric literal");
    if (this.#skip(/[eE][+-]?/y)) this.#digits("in exponent of numeric literal");
    return this.#text.slice(start, this.#at);
  }

  #digits(place: string): void {
    if (!this.#skip(/[0-9]+/y)) this.#fail(place);
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found !== "";
  }

  /** The next character that is no space, which is where reading goes on. Nothing at the end. */
  #next(): string {
    let character = this.#text[this.#at];
    while (character === " " || character === "\n" || character === "\t" || character === "\r") {
      character = this.#text[++this.#at];
    }
    return character ?? "";
  }

  #fail(place: string): never {
    const character = this.#text[this.#at];
    if (character === undefined) throw new JsonSyntaxError("unexpected end of JSON input");
    throw new JsonSyntaxError(`invalid character ${quotedByte(character)} ${place}`);
  }
}

/** kube-apiserver reports no more duplicate keys than this. */
const mostDuplicates = 100;

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;

/** As Go prints a byte: of a character of several bytes it sees the first. */
function quotedByte(character: string): string {
  const byte = String.fromCharCode(Buffer.from(character)[0] ?? 0);
  if (byte === "'") return "'\\''";
  return byte === '"' ? "'\"'" : `'${goQuoted(byte).slice(1, -1)}'`;
}

function numberOf(written: string, keepHuge: boolean): number | bigint {
  const value = Number(written);
  if (!Number.isFinite(value) && keepHuge) return value;
  if (!Number.isFinite(value))
    throw new JsonSyntaxError(`json: cannot unmarshal number ${written} into Go value of type float64`);
  if (Number.isSafeInteger(value) || /[.eE]/.test(written)) return value === 0 ? 0 : value;
  const exact = BigInt(written);
  return exact === BigInt(value) || BigInt.asIntN(64, exact) !== exact ? value : exact;
}
