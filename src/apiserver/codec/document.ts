import { type JsonDocument, readJson } from "../../schema/index.ts";
import { readYaml } from "../yaml/yaml-document.ts";
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

/** Parses a body. Throws `JsonSyntaxError` with the message of kube-apiserver if it is malformed. */
export async function readBody(
  bytes: Buffer,
  encoding: InputEncoding,
  options: ReadOptions = {},
): Promise<Body> {
  if (encoding === "json")
    return { bytes, encoding, document: readJson(bytes.toString(), options), repeated: [] };
  const document = await readYaml(bytes);
  return { bytes, encoding, document, repeated: document.repeated };
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
