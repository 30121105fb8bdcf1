import { goQuoted } from "./go-text.ts";
import { setField } from "./json-value.ts";

/** Details of a JSON object or list that its parsed value does not preserve. */
export interface JsonNotes {
  /** The keys as they were written, if a key was written more than once. The last occurrence wins. */
  keys?: readonly string[];
  /** The earlier values of keys that were written more than once, in order. */
  earlier?: Map<string, unknown[]>;
  /** The source text of numbers by key or index, if it differs from how they print: `3.0`, `1e2`. */
  numbers?: Map<string | number, string>;
}

/** A parsed JSON text. */
export interface JsonDocument {
  /** The parsed value. Integers that JavaScript cannot hold exactly are `bigint`, as long as they fit an int64. */
  readonly value: unknown;
  /** Notes by object or list. Empty for most documents. */
  readonly notes: ReadonlyMap<object, JsonNotes>;
  /**
   * Paths of keys that were written more than once, such as `spec.list[0].name`, each once, in reading order. At most
   * 100, which is kube-apiserver's limit.
   */
  readonly duplicates: readonly string[];
}

export interface JsonOptions {
  /**
   * Maximum nesting depth of objects and lists. The default is below kube-apiserver's 10,000, so that recursive
   * functions can process the result.
   *
   * @default 1000
   */
  readonly maxDepth?: number | undefined;
  /**
   * True to keep numbers beyond float64 as infinite, with a note of their source text. @default false: they are refused
   */
  readonly keepHuge?: boolean | undefined;
}

/** Thrown for a text that is not JSON. The message is Go's. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/**
 * Parses JSON as kube-apiserver does. Unlike `JSON.parse` it reports repeated keys and the source text of numbers.
 *
 * @throws {JsonSyntaxError} if the text is not JSON or is nested too deeply
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
 * Parses with `JSON.parse` if that loses nothing, which is the case if the value prints as the same text: no key is
 * repeated and every number is written as it prints. Most programs write JSON this way, with or without a final line
 * feed.
 */
function readPlain(text: string, maxDepth: number): JsonDocument | undefined {
  const printed = text.endsWith("\n") ? text.slice(0, -1) : text;
  if (longNumber.test(printed) || surrogateEscape.test(printed)) return undefined;
  if (openings(printed) > maxDepth) return undefined;
  try {
    const value: unknown = JSON.parse(printed);
    return JSON.stringify(value) === printed ? { value, notes: new Map(), duplicates: [] } : undefined;
  } catch {
    // The slow reader reports the syntax error with Go's message.
    return undefined;
  }
}

/** Matches an escape that may be a lone surrogate, which Go replaces. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Matches a number with so many digits that JavaScript may not hold it exactly. */
const longNumber = /[0-9]{16}/;

/** Returns an upper bound of the nesting depth: the number of opening braces and brackets. */
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
  /** The steps from the root to the current value, as they are printed. Its length is the nesting depth. */
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

  /** Reads an object up to its closing brace. */
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

  /** Reads a list up to its closing bracket. */
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

  /** Returns true if another element follows. */
  #comma(end: string, place: string): boolean {
    const character = this.#next();
    if (character !== "," && character !== end) this.#fail(place);
    if (character === ",") this.#at++;
    return character === ",";
  }

  /** Reads a child of a container, and notes a number that is not written as it prints. */
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
    // Building a path costs its depth, so it is built once per key and not beyond the limit.
    if (this.duplicates.size < maxDuplicates) this.duplicates.add(this.#path.join(""));
  }

  #noteOf(container: object): JsonNotes {
    const known = this.notes.get(container) ?? {};
    this.notes.set(container, known);
    return known;
  }

  #literal<T>(literal: string, value: T): T {
    for (const expected of literal) {
      if (this.#text[this.#at] !== expected) this.#fail(`in literal ${literal} (expecting '${expected}')`);
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
    // The text between these quotes has just been read as a string.
    const text = JSON.parse(this.#text.slice(start, this.#at)) as string;
    return text.replace(/\p{Surrogate}/gu, "\ufffd");
  }

  /** Returns the current character code. Throws at the end of the text. */
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

  /** Skips white space and returns the next character without consuming it, or `""` at the end. */
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

/** Maximum number of reported duplicate keys, as in kube-apiserver. */
const maxDuplicates = 100;

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;

/** Formats the first byte of a character as Go formats a byte. */
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
  // A double that is exact may still print other digits: -4492859353864564224 prints as -4492859353864564000.
  return String(exact) === String(value) || BigInt.asIntN(64, exact) !== exact ? value : exact;
}
