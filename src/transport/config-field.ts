import { ConfigError } from "./config-error.ts";

/** Where settings stand, so that what is wrong with one can be said in terms its owner knows. */
export interface Place {
  /** "expected clusters[0].cluster.server to be a URL in ~/.kube/config:7, got 42" */
  problem(field: string, expected: string, got: string): string;
  /** "clusters[0].cluster.server in ~/.kube/config:7" */
  describe(field: string): string;
}

/** The text that fields are read from. */
export interface ConfigText {
  /** For messages: "~/.kube/config". */
  readonly name: string;
  /** The line of what stands at `keys`, counted from 1, where known. */
  lineOf(keys: readonly Key[]): number | undefined;
}

export type Key = string | number;

export interface TextOptions {
  /** What is expected, for messages. @default "a string" */
  readonly as?: string | undefined;
  /** Messages say the type of a wrong value, not the value. @default false */
  readonly secret?: boolean | undefined;
}

/**
 * A value in a configuration that knows its path and line. Reading it as a type gives that type or
 * throws a `ConfigError` that says where. What is absent, `null` or empty is `undefined`, as for
 * kubectl, where the zero value of a field and its absence are one.
 */
export class ConfigField implements Place {
  readonly #value: unknown;
  readonly #keys: readonly Key[];
  readonly #text: ConfigText;

  constructor(value: unknown, text: ConfigText, keys: readonly Key[] = []) {
    this.#value = value;
    this.#text = text;
    this.#keys = keys;
  }

  get value(): unknown {
    return this.#value;
  }

  get present(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  /** The field of that name. An absent or null map has only absent fields. */
  at(key: string): ConfigField {
    const map = this.#map();
    return this.#child(key, Object.hasOwn(map, key) ? map[key] : undefined);
  }

  /** The fields of a map, by name. */
  fields(): ReadonlyArray<readonly [string, ConfigField]> {
    return Object.entries(this.#map()).map(([key, value]) => [key, this.#child(key, value)]);
  }

  /** The elements of a list; none when it is absent. */
  items(): readonly ConfigField[] {
    if (!this.present) return [];
    if (!Array.isArray(this.#value)) throw this.#mismatch("a list", typeof this.#value === "string");
    return this.#value.map((item: unknown, index) => this.#child(index, item));
  }

  text({ as = "a string", secret = false }: TextOptions = {}): string | undefined {
    if (!this.present || this.#value === "") return undefined;
    if (typeof this.#value === "string") return this.#value;
    throw this.#mismatch(as, secret);
  }

  /** Of a wrong value, only a short word such as `yes` is shown: a longer one may be the rest of the file. */
  flag(): boolean {
    if (!this.present) return false;
    if (typeof this.#value === "boolean") return this.#value;
    throw this.#mismatch("true or false", typeof this.#value === "string" && !/^\w{1,8}$/.test(this.#value));
  }

  problem(field: string, expected: string, got: string): string {
    const [path, place] = this.#locate(field);
    return `expected ${path} ${expected} in ${place}, got ${got}`;
  }

  describe(field: string): string {
    return this.#locate(field).join(" in ");
  }

  /** The path of a field in it, or with "" of itself, and the text and line where it stands. */
  #locate(field: string): readonly [path: string, place: string] {
    const keys = field === "" ? this.#keys : [...this.#keys, field];
    const line = this.#text.lineOf(keys);
    return [pathOf(keys), line === undefined ? this.#text.name : `${this.#text.name}:${line}`];
  }

  #map(): Readonly<Record<string, unknown>> {
    if (!this.present) return {};
    if (isMap(this.#value)) return this.#value;
    throw this.#mismatch("a map", typeof this.#value === "string"); // which may be a token, or the whole file
  }

  #child(key: Key, value: unknown): ConfigField {
    return new ConfigField(value, this.#text, [...this.#keys, key]);
  }

  #mismatch(expected: string, secret = false): ConfigError {
    const got = secret ? `a ${typeof this.#value}` : shown(this.#value);
    return new ConfigError(this.problem("", `to be ${expected}`, got));
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Only scalars are shown whole: a list or map may hold secrets further in. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isMap(value) ? "a map" : JSON.stringify(value);
}

/** `["clusters", 0, "cluster", "server"]` as "clusters[0].cluster.server". */
function pathOf(keys: readonly Key[]): string {
  if (keys.length === 0) return "the content";
  return keys.map(segment).join("").replace(/^\./, "");
}

function segment(key: Key): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
