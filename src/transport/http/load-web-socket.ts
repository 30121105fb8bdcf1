import type { WebSocket } from "ws";

/** The class of the package `ws`, an optional peer dependency. */
export type WebSocketClass = typeof WebSocket;

/** Loads the package `ws`. Throws an error with the command that installs it if it is missing. */
export async function loadWebSocket(
  load: () => Promise<{ readonly WebSocket: WebSocketClass }> = () => import("ws"),
): Promise<WebSocketClass> {
  try {
    return (await load()).WebSocket;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error("expected the package ws for exec and attach, got none; install it: npm install ws", {
      cause,
    });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "code") === "ERR_MODULE_NOT_FOUND";
}
