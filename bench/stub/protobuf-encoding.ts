import type { Encoding, EventType, Page } from "./encoding.ts";
import { marks, type Template } from "./template.ts";

/**
 * Objects in Kubernetes' protobuf, encoded by a program that knows the types. They are copied unchanged, and only the
 * messages around them are built here.
 */
export class ProtobufEncoding implements Encoding {
  readonly contentType = mediaType;
  readonly watchContentType: string = `${mediaType};stream=watch`;
  readonly objects: Uint8Array[] = [];
  readonly versionAt: number[] = [];
  readonly sentAt: number[] = [];
  /** The last fields of the envelope: no content encoding, no content type. */
  readonly tail: Uint8Array = Uint8Array.of(0x1a, 0, 0x22, 0);
  readonly #template: Template;
  readonly #envelope: Buffer;
  /** By event type and object size. There are a few hundred sizes. */
  readonly #heads = new Map<string, Uint8Array>();

  /** @param encoded Each object after its size in four bytes, big-endian. */
  constructor(template: Template, encoded: Buffer) {
    this.#template = template;
    this.#envelope = envelopeStart(template.apiVersion, template.kind);
    for (let at = 0; at < encoded.length; ) {
      const end = at + 4 + encoded.readUInt32BE(at);
      const object = encoded.subarray(at + 4, end);
      this.objects.push(object);
      this.versionAt.push(object.indexOf(marks.resourceVersion));
      this.sentAt.push(object.indexOf(marks.sentUs));
      at = end;
    }
  }

  head(type: EventType, index: number): Uint8Array {
    const size = this.objects[index]?.length ?? 0;
    const known = this.#heads.get(`${type} ${size}`);
    if (known) return known;
    const head = this.#head(type, size);
    this.#heads.set(`${type} ${size}`, head);
    return head;
  }

  bookmark(resourceVersion: number, { endsInitial }: { readonly endsInitial: boolean }): Uint8Array {
    const annotation = field(12, Buffer.concat([text(1, "k8s.io/initial-events-end"), text(2, "true")]));
    const metadata = Buffer.concat([text(6, `${resourceVersion}`), ...(endsInitial ? [annotation] : [])]);
    const object = field(1, metadata);
    return Buffer.concat([this.#head("BOOKMARK", object.length), object, this.tail]);
  }

  list({ from, to, resourceVersion, next }: Page): Uint8Array[] {
    const { apiVersion, kind } = this.#template;
    const more = next ? [text(3, next.token), Buffer.concat([varint(4 << 3), varint(next.left)])] : [];
    const metadata = field(1, Buffer.concat([text(2, `${resourceVersion}`), ...more]));
    const items = this.objects.slice(from, to).flatMap((object) => [fieldHead(2, object.length), object]);
    const size = items.reduce((sum, { length }) => sum + length, metadata.length);
    const head = Buffer.concat([envelopeStart(apiVersion, `${kind}List`), fieldHead(2, size), metadata]);
    return [head, ...items, this.tail];
  }

  object(index: number, resourceVersion: number): Uint8Array {
    const object = this.objects[index] ?? new Uint8Array();
    const head = Buffer.concat([this.#envelope, fieldHead(2, object.length)]);
    const bytes = Buffer.concat([head, object, this.tail]);
    bytes.write(String(resourceVersion), head.length + (this.versionAt[index] ?? 0), "latin1");
    return bytes;
  }

  /** Returns a watch event up to its object of this size: a frame with its length, and three nested messages. */
  #head(type: EventType | "BOOKMARK", size: number): Buffer {
    const envelope = Buffer.concat([this.#envelope, fieldHead(2, size)]);
    const whole = envelope.length + size + this.tail.length;
    const raw = Buffer.concat([fieldHead(1, whole), envelope]);
    const event = Buffer.concat([text(1, type), fieldHead(2, raw.length - envelope.length + whole), raw]);
    const frame = Buffer.alloc(4);
    frame.writeUInt32BE(event.length - envelope.length + whole);
    return Buffer.concat([frame, event]);
  }
}

const mediaType = "application/vnd.kubernetes.protobuf";

/** The prefix of every object on the wire: four magic bytes, and its type. */
function envelopeStart(apiVersion: string, kind: string): Buffer {
  const type = Buffer.concat([text(1, apiVersion), text(2, kind)]);
  return Buffer.concat([Buffer.from("k8s\0"), field(1, type)]);
}

function text(number: number, value: string): Buffer {
  return field(number, Buffer.from(value));
}

function field(number: number, value: Uint8Array): Buffer {
  return Buffer.concat([fieldHead(number, value.length), value]);
}

/** Returns the bytes before a length-delimited field. */
function fieldHead(number: number, length: number): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(length)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return Buffer.from([...bytes, left]);
}
