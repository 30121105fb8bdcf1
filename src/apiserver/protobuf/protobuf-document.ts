import { type AnyKind, apiVersionOf } from "../../api/index.ts";
import { type JsonDocument, typedSchema } from "../../schema/index.ts";
import { readMessage, type ValueCounter } from "./message-reader.ts";
import { hasMessage } from "./message-table.ts";
import { ProtobufError, ProtobufObjectError } from "./protobuf-error.ts";
import { envelopeMessage } from "./special-messages.ts";
import { structMessage } from "./struct-message.ts";

/**
 * Reads an object in Kubernetes' protobuf form: four bytes, then a message with apiVersion, kind and the bytes of the
 * object. The object of an unknown kind has no fields, because it is refused by its kind.
 *
 * @param expected the kind of an object that does not declare its own
 * @throws {ProtobufError} if the bytes are not an object
 */
export function readProtobuf(bytes: Buffer, expected: AnyKind, counter: ValueCounter): JsonDocument {
  const { typeMeta = {}, raw } = readMessage(messageBytes(bytes), envelopeMessage, uncounted) as Envelope;
  const kind = declaredKind(typeMeta, expected);
  const object = readObject(raw ?? Buffer.alloc(0), kind, counter);
  return {
    value: { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object },
    notes: new Map(),
    duplicates: [],
  };
}

interface Envelope {
  readonly typeMeta?: TypeMeta;
  readonly raw?: Buffer;
}

interface TypeMeta {
  readonly apiVersion?: string;
  readonly kind?: string;
}

const uncounted: ValueCounter = { add: () => undefined, addJson: () => undefined };

/** Returns the bytes after the prefix that every object has. */
function messageBytes(bytes: Buffer): Buffer {
  if (bytes.length === 0) throw new ProtobufError("empty data");
  if (!bytes.subarray(0, prefix.length).equals(prefix)) {
    const expected = `expected prefix [${prefix.join(" ")}]`;
    throw new ProtobufError(`provided data does not appear to be a protobuf message, ${expected}`);
  }
  if (bytes.length === prefix.length) throw new ProtobufError("empty body");
  return bytes.subarray(prefix.length);
}

const prefix = Buffer.from("k8s\0");

/** Returns the declared kind. A missing or invalid API version counts as the expected one. */
function declaredKind({ apiVersion = "", kind }: TypeMeta, expected: AnyKind): AnyKind {
  const parts = apiVersion.split("/");
  const [version = "", group = ""] = parts.length > 2 ? [] : parts.reverse();
  const of = version === "" ? expected : { group, version };
  return { group: of.group, version: of.version, kind: kind || expected.kind };
}

function readObject(raw: Buffer, kind: AnyKind, counter: ValueCounter): Record<string, unknown> {
  const schema = typedSchema(kind);
  if (!schema || !hasMessage(schema.name)) return {};
  try {
    return readMessage(raw, structMessage(schema), counter);
  } catch (error) {
    if (error instanceof ProtobufError) throw new ProtobufObjectError(kind, error);
    throw error;
  }
}
