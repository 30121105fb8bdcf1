import { onAbort } from "../../base/index.ts";
import type {
  BufferedServerResponse,
  CutResponse,
  Handler,
  ServerRequest,
  ServerResponse,
  Sink,
  StreamingServerResponse,
} from "../types/exchange.ts";
import { bodyBytes } from "../types/response-body.ts";

export const cut: CutResponse = { type: "cut" };

/** Handles the request and cuts the connection before the response. */
export async function cutAfter(handler: Handler, request: ServerRequest): Promise<CutResponse> {
  const { inner, abort } = abortable(request);
  await handler.handle(inner);
  abort();
  return cut;
}

/**
 * Sends half of the response and cuts the connection. The headers state the length of the full body. A streaming
 * response is cut in the middle of its first chunk.
 */
export async function cutInTheMiddle(
  handler: Handler,
  request: ServerRequest,
): Promise<ServerResponse | CutResponse> {
  const { inner, abort } = abortable(request);
  const response = await handler.handle(inner);
  if (response.type === "cut") return cut;
  return response.type === "buffered" ? firstHalf(response) : cutAtFirstChunk(response, abort);
}

function firstHalf({ status, headers, body }: BufferedServerResponse): StreamingServerResponse {
  const bytes = bodyBytes(body);
  return {
    type: "stream",
    status,
    headers: { ...headers, "content-length": String(bytes.length) },
    start(sink) {
      sink.write(bytes.subarray(0, bytes.length >> 1));
      sink.cut();
    },
  };
}

function cutAtFirstChunk(response: StreamingServerResponse, abort: () => void): StreamingServerResponse {
  const start = (sink: Sink): void => {
    let open = true;
    const once = (action: () => void): void => {
      if (open) action();
      open = false;
    };
    const write = (chunk: Buffer): boolean => {
      once(() => {
        sink.write(chunk.subarray(0, chunk.length >> 1));
        sink.cut();
        abort();
      });
      return true;
    };
    const end = (): void => once(() => sink.cut());
    response.start({ write, onDrain: () => {}, end, cut: end });
  };
  return { ...response, start };
}

export interface AbortableRequest {
  /** The same request with a signal that `abort` can abort. */
  readonly inner: ServerRequest;
  abort(): void;
}

/** Returns a request that the server side can abort before its client disconnects. */
export function abortable(request: ServerRequest): AbortableRequest {
  const controller = new AbortController();
  const outer = onAbort(request.signal, (reason) => controller.abort(reason));
  const abort = (): void => {
    outer[Symbol.dispose]();
    controller.abort(new Error("injected fault: connection cut"));
  };
  return { inner: { ...request, signal: controller.signal }, abort };
}
