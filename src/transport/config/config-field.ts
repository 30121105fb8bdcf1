import { ConfigError } from "./config-error.ts";

/** Describes the location of settings for error messages: a file and line, an option, or a service account. */
export interface Place {
  /** "expected clusters[0].cluster.server to be a URL in ~/.kube/config:7, got 42" */
  problem(field: string, expected: string, got: string): string;
  /** "clusters[0].cluster.server in ~/.kube/config:7" */
  describe(field: string): string;
}

/** The source text of configuration fields. */
export interface ConfigText {
  /** For messages: "~/.kube/config". */
  readonly name: string;
  /** Returns the line of the value at `keys`, counted from 1, or `undefined` if it is not known. */
  lineOf(keys: readonly Key[]): number | undefined;
}

export type Key = string | number;

export interface TextOptions {
  /** The expected form, for messages. @default "a string" */
  readonly as?: string | undefined;
  /** True if messages show only the type of an invalid value. @default false */
  readonly secret?: boolean | undefined;
}

/**
 * A value in a configuration, with its path and line. Reading it as a type returns that type or throws a `ConfigError`
 * with the location. An absent, `null` or empty value is `undefined`, because kubectl does not distinguish the zero
 * value from absence.
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

  /** Returns the field with this name. An absent or null map has only absent fields. */
  at(key: string): ConfigField {
    const map = this.#map();
    return this.#child(key, Object.hasOwn(map, key) ? map[key] : undefined);
  }

  /** Returns the fields of a map with their names. */
  fields(): ReadonlyArray<readonly [string, ConfigField]> {
    return Object.entries(this.#map()).map(([key, value]) => [key, this.#child(key, value)]);
  }

  /** Returns the elements of a list. An absent list is empty. */
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

  /**
   * Reads a boolean. An error shows only a short invalid value such as `yes`, because a longer one may contain secrets.
   */
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

  /** Returns the path of a child field, or of this field for "", and its file and line. */
  #locate(field: string): readonly [path: string, place: string] {
    const keys = field === "" ? this.#keys : [...this.#keys, field];
    const line = this.#text.lineOf(keys);
    return [pathOf(keys), line === undefined ? this.#text.name : `${this.#text.name}:${line}`];
  }

  #map(): Readonly<Record<string, unknown>> {
    if (!this.present) return {};
    if (isMap(this.#value)) return this.#value;
    throw this.#mismatch("a map", typeof this.#value === "string"); // the string may be a token, or the whole file
  }

  #child(key: Key, value: unknown): ConfigField {
    return new ConfigField(value, this.#text, [...this.#keys, key]);
  }

  #mismatch(expected: string, secret = false): ConfigError {
    const got = secret ? `a ${typeof this.#value}` : describeValue(this.#value);
    return new ConfigError(this.problem("", `to be ${expected}`, got));
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Formats an invalid value for a message. Lists and maps are not shown, because they may contain secrets. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isMap(value) ? "a map" : JSON.stringify(value);
}

/** Formats `["clusters", 0, "cluster", "server"]` as "clusters[0].cluster.server". */
function pathOf(keys: readonly Key[]): string {
  if (keys.length === 0) return "the content";
  return keys.map(segment).join("").replace(/^\./, "");
}

function segment(key: Key): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
