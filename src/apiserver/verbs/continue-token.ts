import { goQuoted, JsonSyntaxError, readJson } from "../../schema/index.ts";
import { badRequest } from "../types/status-error.ts";

/** The position at which a paged list continues. */
export interface Continuation {
  /** The revision of the first page, or -1 for the newest. */
  readonly revision: number;
  /** The key after which the next page begins, without the prefix of the list. */
  readonly after: string;
}

const version = "meta.k8s.io/v1";

/** Encodes a continue token as kube-apiserver does. It is opaque to clients. */
export function writeToken({ revision, after }: Continuation): string {
  const token = JSON.stringify({ v: version, rv: revision, start: `${after}\0` });
  return Buffer.from(token).toString("base64url");
}

export function readToken(text: string): Continuation {
  const { v, rv, start } = tokenFields(bytesOf(text));
  if (v !== version) throw refused(`server does not recognize this encoded version ${v ?? ""}`);
  if (typeof rv !== "number" || rv === 0)
    throw refused("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  if (typeof start !== "string" || start === "")
    throw refused("encoded start key empty (version meta.k8s.io/v1)");
  if (start.split("/").includes("..")) throw refused(start);
  return { revision: rv, after: start.replace(/\0$/, "") };
}

function tokenFields(bytes: Buffer): { v?: unknown; rv?: unknown; start?: unknown } {
  if (bytes[0] !== 0x7b) throw refused(firstByteProblem(bytes));
  try {
    const { value } = readJson(bytes.toString());
    return typeof value === "object" && value !== null ? value : {};
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refused(error.message);
    throw error;
  }
}

function bytesOf(text: string): Buffer {
  const at = text.search(/[^A-Za-z0-9_-]/);
  if (at >= 0) throw refused(`illegal base64 data at input byte ${at}`);
  return Buffer.from(text, "base64url");
}

/** Returns Go's error about the first byte, which it names even inside a longer character. */
function firstByteProblem(bytes: Buffer): string {
  if (bytes.length === 0) return "unexpected end of JSON input";
  if (bytes[0] === 0x5b) return "json: cannot unmarshal array into Go value of type storage.continueToken";
  const quoted = goQuoted(String.fromCharCode(bytes[0] ?? 0));
  return `invalid character '${quoted.slice(1, -1)}' looking for beginning of value`;
}

function refused(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
