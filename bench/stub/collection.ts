import { JsonEncoding } from "./json-encoding.ts";
import type { ProtobufEncoding } from "./protobuf-encoding.ts";
import { marks, type Template } from "./template.ts";

/**
 * All objects of a resource. Each is built once, so that changing their number is cheap.
 * Responses need no building or parsing: a response or an event is a copy of bytes with overwritten digits.
 */
export class Collection {
  readonly template: Template;
  readonly json: JsonEncoding;
  /** The objects as protobuf, if loaded. */
  protobuf: ProtobufEncoding | undefined;
  readonly #indexes = new Map<string, number>();
  #count = 0;
  #built = 0;

  constructor(template: Template, count: number) {
    this.template = template;
    this.json = new JsonEncoding(template);
    this.resize(count);
  }

  /** Number of objects. */
  get count(): number {
    return this.#count;
  }

  /** Size of all objects as JSON. */
  get bytes(): number {
    const sizes = this.json.objects.slice(0, this.#count).map(({ length }) => length);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Built in parts, because from about 100,000 pods on the text does not fit into one string. */
  resize(count: number): void {
    this.#count = count;
    while (this.#built < count) {
      const length = Math.min(perPart, count - this.#built);
      this.json.add(Array.from({ length }, (_, at) => this.#text(this.#built + at)));
      this.#built += length;
    }
  }

  /** The index of an object, by "namespace/name". */
  indexOf(key: string): number | undefined {
    const index = this.#indexes.get(key) ?? this.#count;
    return index < this.#count ? index : undefined;
  }

  #text(index: number): string {
    const object = this.template.object(index, marks);
    const { namespace, name } = (object as { metadata: { namespace: string; name: string } }).metadata;
    this.#indexes.set(`${namespace}/${name}`, index);
    return JSON.stringify(object);
  }
}

const perPart = 1000;
