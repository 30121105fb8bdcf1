import { readFile } from "node:fs/promises";
import { ConfigError, systemCode } from "./config-error.ts";
import type { Place } from "./config-field.ts";

/** Where a certificate or key is: in the configuration itself, or in a file that may change. */
export interface PemSource {
  readonly place: Place;
  /** The setting that says so: "client-key-data". */
  readonly field: string;
  readonly content:
    | { readonly type: "base64"; readonly base64: string }
    | { readonly type: "file"; readonly file: string };
}

/** What is wrong with a PEM. */
export interface PemFault {
  /** After the setting's name: "to be a certificate". */
  readonly expected: string;
  readonly got: string;
  readonly cause?: unknown;
}

/** The PEM text, as it is now. */
export async function readPem(source: PemSource): Promise<string> {
  const { content } = source;
  const text =
    content.type === "file" ? await readText(source, content.file) : decode(source, content.base64);
  if (text.includes("-----BEGIN ")) return text;
  const got = text.trim() === "" ? "nothing" : "other text";
  throw pemError(source, { expected: "to be PEM", got });
}

/** A `ConfigError` that names the source's setting and, where it is one, its file. */
export function pemError(
  { place, field, content }: PemSource,
  { expected, got, cause }: PemFault,
): ConfigError {
  const where = content.type === "file" ? ` in ${content.file}` : "";
  return new ConfigError(place.problem(field, expected, `${got}${where}`), { cause });
}

async function readText(source: PemSource, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const got = `${systemCode(cause)} for ${file}`;
    throw new ConfigError(source.place.problem(source.field, "to name a readable file", got), { cause });
  }
}

function decode(source: PemSource, base64: string): string {
  if (/^[A-Za-z0-9+/\s]*[=\s]*$/.test(base64)) return Buffer.from(base64, "base64").toString("utf8");
  throw pemError(source, { expected: "to be base64", got: "other text" });
}
