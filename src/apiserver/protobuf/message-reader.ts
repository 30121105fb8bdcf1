import { JsonSyntaxError, readJson, setField } from "../../schema/index.ts";
import type { MessageField, MessageType, ProtoType } from "./message-type.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { type Tag, WireReader, wireTypes } from "./wire-reader.ts";

/** Counts the fields and list elements that are kept, and throws if they are too many. */
export interface ValueCounter {
  /** Adds fields and list elements. */
  add(count: number): void;
  /** Adds those of a JSON text. */
  addJson(text: Buffer): void;
}

type Fields = Record<string, unknown>;

/** The weight of a dropped field in the count. Go writes many zero values, and reading millions takes half a second. */
const droppedWeight = 0.1;

/**
 * Reads a message into the object that Kubernetes' Go code would write as JSON, without the zero values of fields that
 * are not pointers. Unknown fields are dropped. A field that is repeated without being a list overrides earlier values,
 * and a repeated message is merged.
 *
 * @throws {ProtobufError} if the bytes are not the message
 */
export function readMessage(bytes: Buffer, message: MessageType, counter: ValueCounter): Fields {
  return new MessageReader(bytes, counter).whole(message);
}

/** An occurrence of a field in the bytes. */
interface Occurrence {
  readonly wireType: number;
  readonly into: Fields;
}

class MessageReader {
  readonly #wire: WireReader;
  readonly #counter: ValueCounter;

  constructor(bytes: Buffer, counter: ValueCounter) {
    this.#wire = new WireReader(bytes);
    this.#counter = counter;
  }

  whole(message: MessageType): Fields {
    const fields: Fields = {};
    while (!this.#wire.done) this.#field(message, fields);
    return fields;
  }

  #field({ name, fields }: MessageType, into: Fields): void {
    const tag = this.#wire.tag(name);
    const field = fields.get(tag.number);
    if (!field) this.#skip(tag);
    else if (field.type.shape === "repeated")
      this.#elements(field, { wireType: tag.wireType, into }, field.type.element);
    else {
      checkWireType(tag.wireType, field, field.type);
      if (field.type.shape === "map") this.#entry(into, field.name, field.type.element);
      else this.#single(field, field.type, into);
    }
  }

  #skip(tag: Tag): void {
    this.#wire.skip(tag);
    this.#counter.add(droppedWeight);
  }

  #single(field: MessageField, type: ProtoType, into: Fields): void {
    if (field.name === "" && type.shape === "message") return this.#into(type.message, into);
    const value = this.#value(type, into[field.name]);
    if (value === undefined || (!field.pointer && isZero(value, type))) {
      delete into[field.name];
      this.#counter.add(droppedWeight);
    } else {
      into[field.name] = value;
      this.#counter.add(1);
    }
  }

  /** @param before the value of an earlier occurrence, into which a message is merged */
  #value(type: ProtoType, before?: unknown): unknown {
    switch (type.shape) {
      case "message":
        return this.#message(type.message, before);
      case "bytes":
        return this.#wire.bytes().toString("base64");
      case "buffer":
        return this.#wire.bytes();
      case "json":
        return this.#json(this.#wire.bytes());
      case "double":
        return finite(this.#wire.double());
      case "repeated":
      case "map":
        throw new Error(`expected the type of one value, got ${type.shape}`);
      default:
        return this.#wire[type.shape]();
    }
  }

  #message(message: MessageType, before: unknown): unknown {
    const { jsonOf } = message;
    // An earlier occurrence was read by this reader, so it is an object of fields.
    const fields = jsonOf ? {} : ((before ?? {}) as Fields);
    this.#into(message, fields);
    return jsonOf ? jsonOf(fields) : fields;
  }

  #into(message: MessageType, fields: Fields): void {
    this.#wire.message(() => this.#field(message, fields));
  }

  #elements(field: MessageField, { wireType, into }: Occurrence, element: ProtoType): void {
    const read = () => {
      into[field.name] ??= [];
      const list = into[field.name] as unknown[]; // only this function sets it
      list.push(this.#value(element) ?? null);
      this.#counter.add(1);
    };
    const packed = wireType === wireTypes.bytes && wireTypeOf(element) === wireTypes.varint;
    if (packed) return this.#wire.packed(read);
    checkWireType(wireType, field, element);
    read();
  }

  /** Reads an entry of a map. Go's code does not check the wire types of key and value. */
  #entry(into: Fields, name: string, type: ProtoType): void {
    into[name] ??= {};
    const map = into[name] as Fields; // only this method sets it
    let key = "";
    let value = zeroOf(type);
    this.#wire.mapEntry((number) => {
      if (number === 1) key = this.#wire.string();
      else if (number === 2) value = this.#value(type);
      return number === 1 || number === 2;
    });
    setField(map, key, value ?? null);
    this.#counter.add(1);
  }

  #json(bytes: Buffer): unknown {
    if (bytes.length === 0) return undefined;
    this.#counter.addJson(bytes);
    try {
      return readJson(bytes.toString()).value;
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw new ProtobufError(error.message, { cause: error });
      throw error;
    }
  }
}

function checkWireType(wireType: number, { goName }: MessageField, type: ProtoType): void {
  if (wireType !== wireTypeOf(type))
    throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${goName}`);
}

function wireTypeOf({ shape }: ProtoType): number {
  if (shape === "double") return wireTypes.fixed64;
  return shape === "boolean" || shape === "int32" || shape === "int64" ? wireTypes.varint : wireTypes.bytes;
}

/** Returns the value of a map entry without a value. */
function zeroOf(type: ProtoType): unknown {
  if (type.shape !== "message") return "";
  return type.message.jsonOf ? type.message.jsonOf({}) : {};
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ProtobufError(`json: unsupported value: ${String(value).replace("Infinity", "Inf")}`);
}

/** Returns true for Go's zero value of a field that is not a pointer. Messages with a JSON form of their own have none. */
function isZero(value: unknown, type: ProtoType): boolean {
  if (type.shape !== "message") return !value;
  return !type.message.jsonOf && Object.keys(Object(value)).length === 0;
}
