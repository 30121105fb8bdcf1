import type { Duplex } from "node:stream";
import { methodNotAllowed } from "./status-error.ts";

/** Answers a request that Node cannot read, in the words of a real server, and closes the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  socket.end(answers.get(error.code ?? "") ?? plain("400 Bad Request"));
}

const answers: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", plain("431 Request Header Fields Too Large")],
  ["HPE_INVALID_METHOD", head("405 Method Not Allowed", "application/json", methodStatus())],
]);

function plain(status: string): string {
  return head(status, "text/plain; charset=utf-8", status);
}

function head(status: string, type: string, body: string): string {
  return [`HTTP/1.1 ${status}`, `Content-Type: ${type}`, "Connection: close", "", body].join("\r\n");
}

/** Node knows no other methods than those it has names for. */
function methodStatus(): string {
  return `${JSON.stringify(methodNotAllowed().toStatus())}\n`;
}
