import type { Encoding, EventType, Page } from "./encoding.ts";
import { marks, type Template } from "./template.ts";

export class JsonEncoding implements Encoding {
  readonly contentType = "application/json";
  readonly watchContentType = "application/json";
  readonly tail: Uint8Array = Buffer.from("}\n");
  /** The bytes of an object, without the first brace if the opening contains it. */
  readonly objects: Uint8Array[] = [];
  readonly versionAt: number[] = [];
  readonly sentAt: number[] = [];
  readonly #template: Template;
  /** `{"kind":"Pod","apiVersion":"v1",`: the opening of an object outside a list. */
  readonly #opening: Buffer;
  readonly #heads: Readonly<Record<EventType, Buffer>>;
  /** Objects separated by commas, one part for each `add`. */
  readonly #parts: Part[] = [];

  constructor(template: Template) {
    const { kind, apiVersion, namedInLists } = template;
    this.#template = template;
    this.#opening = Buffer.from(namedInLists ? "" : `{"kind":"${kind}","apiVersion":"${apiVersion}",`);
    const head = (type: EventType) =>
      Buffer.concat([Buffer.from(`{"type":"${type}","object":`), this.#opening]);
    this.#heads = { ADDED: head("ADDED"), MODIFIED: head("MODIFIED") };
  }

  /** Adds objects, each as in a list. */
  add(texts: readonly string[]): void {
    const part = { first: this.objects.length, bytes: Buffer.from(texts.join(","), "latin1"), starts: [0] };
    const skipped = this.#opening.length > 0 ? 1 : 0;
    let start = 0;
    for (const text of texts) {
      this.objects.push(part.bytes.subarray(start + skipped, start + text.length));
      this.versionAt.push(text.indexOf(`"${marks.resourceVersion}"`) + 1 - skipped);
      this.sentAt.push(text.indexOf(`"${marks.sentUs}"`) + 1 - skipped);
      start += text.length + 1;
      part.starts.push(start);
    }
    this.#parts.push(part);
  }

  object(index: number, resourceVersion: number): Buffer {
    const bytes = Buffer.concat([this.#opening, this.objects[index] ?? new Uint8Array()]);
    bytes.write(String(resourceVersion), this.#opening.length + (this.versionAt[index] ?? 0), "latin1");
    return bytes;
  }

  head(type: EventType): Uint8Array {
    return this.#heads[type];
  }

  bookmark(resourceVersion: number, { endsInitial }: { readonly endsInitial: boolean }): Uint8Array {
    const { kind, apiVersion } = this.#template;
    const annotations = endsInitial ? `,"annotations":{"k8s.io/initial-events-end":"true"}` : "";
    const metadata = `{"resourceVersion":"${resourceVersion}","creationTimestamp":null${annotations}}`;
    return Buffer.from(
      `{"type":"BOOKMARK","object":{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${metadata}}}\n`,
    );
  }

  list({ from, to, resourceVersion, next }: Page): Uint8Array[] {
    const { kind, apiVersion } = this.#template;
    const more = next ? `,"continue":"${next.token}","remainingItemCount":${next.left}` : "";
    const head = `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"${resourceVersion}"${more}},"items":[`;
    const slices = this.#parts.flatMap((part) => slice(part, from, to));
    const items = slices.flatMap((bytes, index) => (index === 0 ? [bytes] : [comma, bytes]));
    return [Buffer.from(head), ...items, Buffer.from("]}\n")];
  }
}

interface Part {
  /** Index of its first object. */
  readonly first: number;
  readonly bytes: Buffer;
  /** Offset of each object, and one more for the end. */
  readonly starts: number[];
}

/** Returns the bytes of a part from one index up to another. */
function slice({ first, bytes, starts }: Part, from: number, to: number): Uint8Array[] {
  const begin = starts[Math.max(from - first, 0)];
  const end = starts[Math.min(to - first, starts.length - 1)];
  return begin === undefined || end === undefined || begin >= end ? [] : [bytes.subarray(begin, end - 1)];
}

const comma = Buffer.from(",");
