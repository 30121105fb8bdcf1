import type { Alias, Document, Node, Pair, YAMLMap } from "yaml";
import { goQuoted, type JsonDocument, JsonSyntaxError } from "../../schema/index.ts";
import { tooLarge } from "../types/status-error.ts";
import { firstDocument } from "./yaml-first-document.ts";
import { yamlProblem } from "./yaml-problems.ts";
import { yamlScalar } from "./yaml-scalar.ts";
import { yamlText } from "./yaml-text.ts";

/** A YAML document as JSON, with its repeated keys. */
export interface YamlDocument extends JsonDocument {
  /** The errors of repeated keys: `line 3: key "a" already set in map`. */
  readonly repeated: readonly string[];
}

/**
 * Parses YAML 1.1 like kube-apiserver: reads only the first document, converts keys to strings, and takes the last
 * value of a repeated key. Throws `JsonSyntaxError` with the messages of Go's parser.
 */
export async function readYaml(bytes: Buffer): Promise<YamlDocument> {
  const text = yamlText(bytes);
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const first = await firstDocument(yaml, text, lines);
  const [error] = first?.errors ?? [];
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    throw new JsonSyntaxError(`yaml: ${yamlProblem({ error, line }, text)}`);
  }
  if (!first?.contents) return { value: null, notes: new Map(), duplicates: [], repeated: [] };
  const reader = new Reader(yaml, first, lines);
  const value = reader.value(first.contents);
  return { value, notes: new Map(), duplicates: [], repeated: reader.repeated };
}

/** Maximum number of nodes. It may exceed the number of tokens, because aliases repeat nodes. */
const maxNodes = 100_000;

type Yaml = typeof import("yaml");

/** Finds the line of an offset. */
interface Lines {
  linePos(offset: number): { readonly line: number };
}

/**
 * Returns the share of nodes that may come from aliases, as in Go's parser: nearly all in a small document, a tenth in
 * a large one. A document that grows beyond it is an attack.
 */
function allowedShare(nodes: number): number {
  const [small, large] = [400_000, 4_000_000];
  if (nodes <= small) return 0.99;
  return nodes >= large ? 0.1 : 0.99 - (0.89 * (nodes - small)) / (large - small);
}

class Reader {
  readonly repeated: string[] = [];
  readonly #yaml: Yaml;
  readonly #document: Document;
  readonly #lines: Lines;
  /** The anchors whose values are being read. */
  readonly #open = new Set<Node>();
  #targets: ReadonlyMap<Alias, Node> | undefined;
  #nodes = 0;
  /** The number of nodes that were read through an alias. */
  #aliased = 0;
  #aliases = 0;

  constructor(yaml: Yaml, document: Document, lines: Lines) {
    this.#yaml = yaml;
    this.#document = document;
    this.#lines = lines;
  }

  value(node: unknown): unknown {
    this.#count();
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    if (isAlias(node)) return this.#alias(node);
    if (isMap(node)) return this.#map(node);
    if (isSeq(node)) return node.items.map((item) => this.value(item));
    return isScalar(node) ? this.#number(yamlScalar(node)) : null;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > maxNodes)
      throw tooLarge(`Request entity too large: limit is ${maxNodes} nodes of YAML`);
    if (this.#aliases > 0) this.#aliased += 1;
    const large = this.#aliased > 100 && this.#nodes > 1000;
    if (large && this.#aliased / this.#nodes > allowedShare(this.#nodes))
      throw new JsonSyntaxError("yaml: document contains excessive aliasing");
  }

  #alias(alias: Alias): unknown {
    this.#targets ??= targetsIn(this.#yaml, this.#document);
    const target = this.#targets.get(alias);
    if (!target) throw new JsonSyntaxError(`yaml: unknown anchor '${alias.source}' referenced`);
    if (this.#open.has(target))
      throw new JsonSyntaxError(`yaml: anchor '${alias.source}' value contains itself`);
    this.#open.add(target);
    this.#aliases += 1;
    const value = this.value(target);
    this.#aliases -= 1;
    this.#open.delete(target);
    return value;
  }

  #number(value: unknown): unknown {
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    const text = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    throw new JsonSyntaxError(`json: unsupported value: ${text}`);
  }

  #map(map: YAMLMap): unknown {
    const entries = new Map<string, unknown>();
    this.#guarded(map, () => {
      for (const pair of map.items) this.#pair(pair, entries);
    });
    return Object.fromEntries(entries);
  }

  #guarded(node: Node, read: () => void): void {
    this.#open.add(node);
    read();
    this.#open.delete(node);
  }

  #pair(pair: Pair, entries: Map<string, unknown>): void {
    const { isScalar } = this.#yaml;
    if (isScalar(pair.key) && pair.key.value === "<<" && pair.key.type === "PLAIN")
      return this.#merge(pair, entries);
    const key = this.#key(pair);
    if (entries.has(key))
      this.repeated.push(`line ${this.#lineOf(pair)}: key ${goQuoted(key)} already set in map`);
    entries.set(key, this.value(pair.value));
  }

  /** Merges entries of another map. Entries of the map itself take precedence. */
  #merge(pair: Pair, entries: Map<string, unknown>): void {
    const merged = [this.value(pair.value)].flat();
    for (const one of merged) {
      if (typeof one !== "object" || one === null) {
        throw new JsonSyntaxError("yaml: map merge requires map or sequence of maps as the value");
      }
      for (const [key, value] of Object.entries(one)) if (!entries.has(key)) entries.set(key, value);
    }
  }

  #key(pair: Pair): string {
    const key = this.value(pair.key);
    if (typeof key === "object" && key !== null) throw new JsonSyntaxError("yaml: invalid map key");
    if (key !== null) return String(key);
    const value = this.value(pair.value);
    const text = typeof value === "string" ? goQuoted(value) : String(value);
    throw new JsonSyntaxError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${text}`);
  }

  #lineOf({ key }: Pair): number {
    const range = (key as Node | null)?.range;
    return this.#lines.linePos(range?.[0] ?? 0).line;
  }
}

/** Returns the node of each alias: the last one before it with its anchor. */
function targetsIn(yaml: Yaml, document: Document): ReadonlyMap<Alias, Node> {
  const named = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  yaml.visit(document, (_, node) => {
    if (yaml.isAlias(node)) {
      const target = named.get(node.source);
      if (target) targets.set(node, target);
    } else if (yaml.isNode(node) && node.anchor) named.set(node.anchor, node);
  });
  return targets;
}
