import type { Json, JsonObject } from "./script.ts";

/**
 * Records the versions, uids and names that one server assigned in one script. It inserts them into requests and masks
 * them in responses, so that the responses of two servers can be compared.
 * A version is identified by its position: the third distinct version of configmaps/a is `<configmaps/a version 3>`.
 */
export class Memory {
  readonly namespace: string;
  /** Versions of each object, by "configmaps/a", in the order of appearance. */
  readonly #versions = new Map<string, string[]>();
  readonly #uids = new Map<string, string>();
  /** All uids, in the order of appearance. */
  readonly #allUids: string[] = [];
  readonly #objects = new Map<string, JsonObject>();
  readonly #continues = new Map<string, string>();
  readonly #addresses: string[] = [];
  readonly #ports: number[] = [];
  #first = "1";

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  /** Returns the text of a request with the server's values inserted. */
  fill(text: string): string {
    return text.replace(reference, (whole) => {
      const [what, which = "", nth] = whole.slice(1, -1).split(":");
      if (what === "ns") return this.namespace;
      if (what === "uid") return this.#uids.get(which) ?? "none";
      if (what === "continue") return encodeURIComponent(this.#continues.get(which) ?? "");
      const versions = this.#versions.get(which) ?? [];
      return versions.at(nth === undefined ? -1 : Number(nth) - 1) ?? this.#first;
    });
  }

  /** Records the version of the namespace. It stands for the version of objects that were never seen. */
  begin(version: string): void {
    this.#first = version;
  }

  /** Returns the last seen state of "configmaps/a". */
  object(key: string): JsonObject | undefined {
    return this.#objects.get(key);
  }

  /** Records a response about `plural`, and returns it with server-specific values masked. */
  masked(plural: string, answer: Json): Json {
    this.#learn(plural, answer);
    return this.#mask(plural, answer, "");
  }

  #learn(plural: string, answer: Json): void {
    if (!isObject(answer)) return;
    const { metadata, items } = answer;
    if (Array.isArray(items)) {
      for (const item of items) this.#learn(plural, item);
      if (isObject(metadata)) this.#continues.set(plural, text(metadata.continue));
    } else if (isObject(metadata) && metadata.name) this.#learnObject(plural, answer, metadata);
  }

  #learnObject(plural: string, object: JsonObject, metadata: JsonObject): void {
    const key = `${plural}/${text(metadata.name)}`;
    if (metadata.uid) this.#uids.set(key, text(metadata.uid));
    if (object.kind !== "Scale") this.#objects.set(key, object);
    this.#versionLabel(key, text(metadata.resourceVersion));
  }

  #mask(plural: string, value: Json, path: string): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.#mask(plural, item, path));
    if (isObject(value)) return this.#maskObject(plural, value, path);
    if (typeof value === "number") return this.#maskNumber(value, path);
    return typeof value === "string" ? this.#maskText(value, path) : value;
  }

  #maskObject(plural: string, object: JsonObject, path: string): JsonObject {
    const fields = Object.entries(object).map(([name, field]): [string, Json] => {
      if (name === "resourceVersion" && path.endsWith("metadata")) {
        return [name, this.#maskVersion(plural, object, text(field))];
      }
      return [this.#maskText(name, "key"), this.#mask(plural, field, `${path}.${name}`)];
    });
    return Object.fromEntries(fields);
  }

  /** The version of a list is server-specific: it counts all changes. */
  #maskVersion(plural: string, metadata: JsonObject, version: string): string {
    if (metadata.name === undefined) return version === "" || version === "0" ? version : "<version of all>";
    return this.#versionLabel(`${plural}/${text(metadata.name)}`, version);
  }

  #versionLabel(key: string, version: string): string {
    if (version === "" || version === "0") return version;
    if (version === this.#first) return "<version of the namespace>";
    const known = this.#versions.get(key) ?? [];
    if (!known.includes(version)) known.push(version);
    this.#versions.set(key, known);
    return `<${key.replace(generated, "$1<generated>")} version ${known.indexOf(version) + 1}>`;
  }

  #maskNumber(value: number, path: string): Json {
    if (!/nodePort$/i.test(path) || value < 30_000) return value;
    return `<node port ${place(this.#ports, value)}>`;
  }

  #maskText(value: string, path: string): string {
    if (path.endsWith("metadata.continue")) return value && "<continue>";
    if (path.includes(".cells") && /^\d+s$/.test(value)) return "<age>";
    if (recent(value)) return value.includes(".") ? "<now to the microsecond>" : "<now>";
    return this.#maskNames(value);
  }

  #maskNames(value: string): string {
    const named = value
      .replaceAll(this.namespace, "{ns}")
      .replace(uid, (found) => `<uid ${place(this.#allUids, found)}>`)
      .replace(generated, "$1<generated>")
      .replace(nodePort, (found) => `<node port ${place(this.#ports, Number(found))}>`)
      .replace(address, (found) => `<address ${place(this.#addresses, found)}>`)
      .replace(time, (found) => (recent(found) ? "<now>" : found));
    return named.replace(saidVersion, (found) => this.#labelOf(found) ?? found);
  }

  /** Finds the object of a version in a message. */
  #labelOf(version: string): string | undefined {
    if (version === this.#first) return "<version of the namespace>";
    for (const [key, versions] of this.#versions) {
      if (versions.includes(version)) return this.#versionLabel(key, version);
    }
    return undefined;
  }
}

const reference = /\{(ns|(version|uid|continue):[^{}]*)\}/g;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** Scripts generate names from `g0-`, `g1-`, each once, so that lists have one order. */
const generated = /\b(g\d+-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
/** The range of Service cluster IPs. */
const address = /\b10\.0\.0\.\d+\b/g;

/** In objects that an error prints, and in messages about duplicates. */
const nodePort = /(?<=nodePort\\?":|Duplicate value: )3\d{4}\b/gi;

/** In a message, and where a patch moved a version: alone in a text, or quoted. */
const saidVersion = /(?<=[Vv]ersion[^\d]{0,30})\d+|^\d{2,}$|(?<=["(])\d{2,}(?=\\?[")])/g;

function place<T>(seen: T[], value: T): number {
  if (!seen.includes(value)) seen.push(value);
  return seen.indexOf(value) + 1;
}

const tenMinutesMs = 600_000;

function recent(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) return false;
  return Math.abs(Date.parse(value) - Date.now()) < tenMinutesMs;
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
