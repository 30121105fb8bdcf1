import { type JsonDocument, readJson } from "../schema/index.ts";
import type { InputEncoding } from "./negotiation.ts";
import { readYaml } from "./yaml-document.ts";

/** A body as it came, and what it says. */
export interface Body {
  readonly bytes: Buffer;
  readonly encoding: InputEncoding;
  readonly document: JsonDocument;
  /** Keys that YAML has twice, as it tells them. JSON's are in the document. */
  readonly repeated: readonly string[];
}

export interface ReadOptions {
  /** Leaves numbers that are too large for any field to be refused with the field's name. @default false */
  readonly keepHuge?: boolean | undefined;
}

/** Reads a body in its notation. Throws `JsonSyntaxError` in the real server's words where it cannot be read. */
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

/** A value that was made here and not read: its keys are single. */
export function plainDocument(value: unknown): JsonDocument {
  return { value, notes: new Map(), duplicates: [] };
}

/** The value of JSON that was written by us. */
export function parseStored(json: string): unknown {
  return bigNumber.test(json) ? readJson(json).value : JSON.parse(json);
}

const bigNumber = /\d{16}/;
