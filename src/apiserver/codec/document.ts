import { type JsonDocument, readJson } from "../../schema/index.ts";
import type { Resource } from "../types/resource.ts";
import { readYaml } from "../yaml/yaml-document.ts";
import { valueCounter } from "./body-limit.ts";
import type { InputEncoding } from "./negotiation.ts";

/** A request body and its parsed document. */
export interface Body {
  readonly bytes: Buffer;
  readonly encoding: InputEncoding;
  readonly document: JsonDocument;
  /** Errors about repeated keys in YAML. Those of JSON are in the document. */
  readonly repeated: readonly string[];
}

export interface ReadOptions {
  /** Keeps numbers that are too large for any field, so that the decoder can name the field. @default false */
  readonly keepHuge?: boolean | undefined;
}

/** Parses a JSON or YAML body. Throws `JsonSyntaxError` with the message of kube-apiserver if it is malformed. */
export async function readBody(
  bytes: Buffer,
  encoding: "json" | "yaml",
  options: ReadOptions = {},
): Promise<Body> {
  if (encoding === "json")
    return { bytes, encoding, document: readJson(bytes.toString(), options), repeated: [] };
  const document = await readYaml(bytes);
  return { bytes, encoding, document, repeated: document.repeated };
}

/** Reads a protobuf body of a built-in kind. Throws `ProtobufError` with the message of kube-apiserver. */
export async function readProtobufBody(
  bytes: Buffer,
  kind: Pick<Resource, "group" | "version" | "kind">,
): Promise<Body> {
  const { readProtobuf } = await import("../protobuf/protobuf-document.ts");
  const document = readProtobuf(bytes, kind, valueCounter(kind));
  return { bytes, encoding: "protobuf", document, repeated: [] };
}

/** Wraps a value that was not parsed, and therefore has no repeated keys. */
export function plainDocument(value: unknown): JsonDocument {
  return { value, notes: new Map(), duplicates: [] };
}

/** Parses JSON that this server wrote. */
export function parseStored(json: string): unknown {
  return bigNumber.test(json) ? readJson(json).value : JSON.parse(json);
}

const bigNumber = /\d{16}/;
