import type { Duplex } from "node:stream";
import { methodNotAllowed } from "../types/status-error.ts";

/** Responds to a request that Node cannot parse with the message of kube-apiserver, and closes the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  socket.end(responses.get(error.code ?? "") ?? plain("400 Bad Request"));
}

const responses: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", plain("431 Request Header Fields Too Large")],
  ["HPE_INVALID_METHOD", head("405 Method Not Allowed", "application/json", methodStatus())],
]);

function plain(status: string): string {
  return head(status, "text/plain; charset=utf-8", status);
}

function head(status: string, type: string, body: string): string {
  return [`HTTP/1.1 ${status}`, `Content-Type: ${type}`, "Connection: close", "", body].join("\r\n");
}

/** Returns the Status for unknown methods, which Node's parser rejects. */
function methodStatus(): string {
  return `${JSON.stringify(methodNotAllowed().toStatus())}\n`;
}
