import { readFile } from "node:fs/promises";
import { ConfigError, systemCode } from "./config-error.ts";
import type { Place } from "./config-field.ts";

/** The source of a certificate or key: the configuration itself, or a file that may change. */
export interface PemSource {
  readonly place: Place;
  /** The name of the setting: "client-key-data". */
  readonly field: string;
  readonly content:
    | { readonly type: "base64"; readonly base64: string }
    | { readonly type: "file"; readonly file: string };
}

/** A problem of a PEM text. */
export interface PemFault {
  /** The part of the message after the setting's name: "to be a certificate". */
  readonly expected: string;
  readonly got: string;
  readonly cause?: unknown;
}

/** Reads the current PEM text. */
export async function readPem(source: PemSource): Promise<string> {
  const { content } = source;
  const text =
    content.type === "file" ? await readText(source, content.file) : decode(source, content.base64);
  if (text.includes("-----BEGIN ")) return text;
  const got = text.trim() === "" ? "nothing" : "other text";
  throw pemError(source, { expected: "to be PEM", got });
}

/** Returns a `ConfigError` that names the setting and its file. */
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
