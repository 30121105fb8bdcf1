import type { Sink } from "./watch-stream.ts";

/** A response, independent of the HTTP version. */
export type Reply = Body | Watch;

export interface Body {
  readonly type: "body";
  readonly status: number;
  readonly contentType: string;
  readonly pieces: readonly Uint8Array[];
}

export interface Watch {
  readonly type: "watch";
  readonly contentType: string;
  readonly serve: (sink: Sink) => Promise<void>;
}

const json = "application/json";

export function jsonReply(value: unknown): Reply {
  return { type: "body", status: 200, contentType: json, pieces: [Buffer.from(JSON.stringify(value))] };
}

/** Returns an error as a Status. */
export function refusal(code: number, reason: string, message: string): Reply {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
  return { type: "body", status: code, contentType: json, pieces: [Buffer.from(JSON.stringify(status))] };
}

/**
 * Returns the same bytes in parts of about this size, so that neither thousands of small parts nor a gigabyte are
 * written at once, which TLS would encrypt in memory first.
 */
export function* inParts(pieces: readonly Uint8Array[], partBytes: number): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += partBytes) {
      const part = piece.subarray(at, at + partBytes);
      small.push(part);
      size += part.length;
      if (size < partBytes) continue;
      yield small.length === 1 ? part : Buffer.concat(small);
      small = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(small);
}
