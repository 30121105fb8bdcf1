import { type JsonDocument, JsonSyntaxError, readJson } from "../schema/index.ts";
import type { InputEncoding } from "./negotiation.ts";

/** A body as it came, and what it says. */
export interface Body {
  readonly bytes: Buffer;
  readonly encoding: InputEncoding;
  readonly document: JsonDocument;
}

/** Reads a body in its notation. Throws `JsonSyntaxError` in the real server's words where it cannot be read. */
export async function readBody(bytes: Buffer, encoding: InputEncoding): Promise<Body> {
  const document = encoding === "json" ? readJson(bytes.toString()) : await readYaml(bytes.toString());
  return { bytes, encoding, document };
}

/** YAML 1.1, of which only the first document counts. */
export async function readYaml(text: string): Promise<JsonDocument> {
  if (text.startsWith("{")) {
    const json = jsonOrNothing(text);
    if (json) return json;
  }
  const { parseAllDocuments } = await import("yaml");
  const parsed = parseAllDocuments(text, { version: "1.1", uniqueKeys: false, merge: true });
  const [first] = Array.isArray(parsed) ? parsed : [];
  const [error] = first?.errors ?? [];
  if (error) throw new JsonSyntaxError(`error converting YAML to JSON: yaml: ${error.message}`);
  return plainDocument(first ? jsonOf(first.toJS({ maxAliasCount: 100 })) : null);
}

/** Most YAML that programs send is JSON. What only looks like it is read as YAML. */
function jsonOrNothing(text: string): JsonDocument | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** What YAML has and JSON has not becomes what JSON has: keys are strings, times are as they print. */
function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
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
