/** How the objects of one resource look. */
export interface Template {
  /** Plural, as in paths: "pods". */
  readonly resource: string;
  /** Path of the group and version: "/api/v1". */
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
  /** Whether `kind` and `apiVersion` are on every item of a list: so for custom resources, not for built-in ones. */
  readonly namedInLists: boolean;
  /** The object as a list shows it, holding the marks as they are given. */
  readonly object: (index: number, marks: Marks) => object;
}

/** Texts of fixed width whose bytes are overwritten in each event sent. */
export interface Marks {
  /** Ten digits. */
  readonly resourceVersion: string;
  /** Microseconds since 1970, in sixteen digits: when the event left. */
  readonly sentUs: string;
}

/** Resource versions have ten digits from the first to the last, so that one can be written over another. */
export const firstResourceVersion = 1_000_000_000;

/**
 * All objects of a resource, as the bytes of one list, with the places of the marks in each.
 *
 * Nothing is built or parsed after construction: a reply or an event is a copy of bytes with digits written over it.
 */
export class Collection {
  readonly template: Template;
  readonly count: number;
  /** Every object, with a comma between neighbours. */
  readonly bytes: Buffer;
  /** `{"kind":"Pod","apiVersion":"v1",`: how an object opens outside a list. */
  readonly opening: Buffer;
  /** What follows the opening, for each object: all its bytes but the first brace where the opening brings one. */
  readonly rest: readonly Uint8Array[];
  /** Where each object's bytes start; one more than there are objects. */
  readonly #starts: Uint32Array;
  /** Where the marks are within `rest`. */
  readonly versionAt: Uint16Array;
  readonly sentAt: Uint16Array;
  readonly #indexes = new Map<string, number>();

  constructor(template: Template, count: number) {
    this.template = template;
    this.count = count;
    const { kind, apiVersion, namedInLists } = template;
    this.opening = Buffer.from(namedInLists ? "" : `{"kind":"${kind}","apiVersion":"${apiVersion}",`);
    this.#starts = new Uint32Array(count + 1);
    this.versionAt = new Uint16Array(count);
    this.sentAt = new Uint16Array(count);
    this.bytes = this.#build();
    this.rest = Array.from({ length: count }, (_, index) =>
      this.#slice(index, index + 1).subarray(namedInLists ? 0 : 1),
    );
  }

  /** The objects from one index up to another, as they stand between the brackets of a list. */
  items(from: number, to: number): Buffer {
    return from < to ? this.#slice(from, to) : Buffer.alloc(0);
  }

  /** One object as a GET gives it. */
  object(index: number, resourceVersion: number = firstResourceVersion): Buffer {
    const rest = this.rest[index] ?? new Uint8Array();
    const bytes = Buffer.allocUnsafe(this.opening.length + rest.length);
    bytes.set(this.opening);
    bytes.set(rest, this.opening.length);
    bytes.write(String(resourceVersion), this.opening.length + (this.versionAt[index] ?? 0), "latin1");
    return bytes;
  }

  /** The place of an object, by "namespace/name". */
  indexOf(key: string): number | undefined {
    return this.#indexes.get(key);
  }

  #slice(from: number, to: number): Buffer {
    return this.bytes.subarray(this.#starts[from], (this.#starts[to] ?? 0) - 1);
  }

  /** In parts, because all the text at once would not fit in one string from about 100 000 pods on. */
  #build(): Buffer {
    const parts: Buffer[] = [];
    const perPart = 1000;
    for (let from = 0; from < this.count; from += perPart) {
      const texts = this.#texts(from, Math.min(from + perPart, this.count));
      parts.push(Buffer.from(texts.join(","), "latin1"), Buffer.from(","));
    }
    return Buffer.concat(parts.slice(0, -1));
  }

  #texts(from: number, to: number): string[] {
    const skipped = this.template.namedInLists ? 0 : 1;
    const texts: string[] = [];
    for (let index = from; index < to; index++) {
      const text = this.#text(index);
      texts.push(text);
      this.#starts[index + 1] = (this.#starts[index] ?? 0) + text.length + 1;
      this.versionAt[index] = text.indexOf(versionMark) + 1 - skipped;
      this.sentAt[index] = text.indexOf(sentMark) + 1 - skipped;
    }
    return texts;
  }

  #text(index: number): string {
    const marks = { resourceVersion: `${firstResourceVersion}`, sentUs: "0000000000000000" };
    const object = this.template.object(index, marks);
    const { namespace, name } = (object as { metadata: { namespace: string; name: string } }).metadata;
    this.#indexes.set(`${namespace}/${name}`, index);
    return JSON.stringify(object);
  }
}

const versionMark = `"${firstResourceVersion}"`;
const sentMark = `"0000000000000000"`;
