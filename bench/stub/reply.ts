import type { Sink } from "./watch-stream.ts";

/** What goes back to a client, before any version of HTTP is chosen. All bodies are JSON. */
export type Reply =
  | { readonly type: "body"; readonly status: number; readonly pieces: readonly Uint8Array[] }
  | { readonly type: "watch"; readonly serve: (sink: Sink) => Promise<void> };

export function jsonReply(value: unknown): Reply {
  return { type: "body", status: 200, pieces: [Buffer.from(JSON.stringify(value))] };
}

/** A refusal in the shape that Kubernetes clients read. */
export function refusal(code: number, reason: string, message: string): Reply {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
  return { type: "body", status: code, pieces: [Buffer.from(JSON.stringify(status))] };
}
