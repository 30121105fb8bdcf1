import { follow } from "../../base/index.ts";
import type {
  BufferedServerResponse,
  CutResponse,
  Handler,
  ServerRequest,
  ServerResponse,
  Sink,
  StreamingServerResponse,
} from "../exchange.ts";
import { bodyBytes } from "../response-body.ts";

export const cut: CutResponse = { type: "cut" };

/** The server does what it is asked, and nobody hears of it. */
export async function cutAfter(handler: Handler, request: ServerRequest): Promise<CutResponse> {
  const { inner, leave } = leavable(request);
  await handler.handle(inner);
  leave();
  return cut;
}

/** The head says how much will come, and half of that does; of a stream, half of what comes first. */
export async function cutInTheMiddle(
  handler: Handler,
  request: ServerRequest,
): Promise<ServerResponse | CutResponse> {
  const { inner, leave } = leavable(request);
  const answer = await handler.handle(inner);
  if (answer.type === "cut") return cut;
  return answer.type === "buffered" ? halfOf(answer) : cutAtFirst(answer, leave);
}

function halfOf({ status, headers, body }: BufferedServerResponse): StreamingServerResponse {
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

function cutAtFirst(answer: StreamingServerResponse, leave: () => void): StreamingServerResponse {
  const start = (sink: Sink): void => {
    let open = true;
    const once = (say: () => void): void => {
      if (open) say();
      open = false;
    };
    const write = (chunk: Buffer): boolean => {
      once(() => {
        sink.write(chunk.subarray(0, chunk.length >> 1));
        sink.cut();
        leave();
      });
      return true;
    };
    const end = (): void => once(() => sink.cut());
    answer.start({ write, onDrain: () => {}, end, cut: end });
  };
  return { ...answer, start };
}

export interface Leavable {
  /** The same request, of a client that can be made to go away. */
  readonly inner: ServerRequest;
  leave(): void;
}

/** A request whose answer may be left before its client goes. */
export function leavable(request: ServerRequest): Leavable {
  const gone = new AbortController();
  const outer = follow(request.signal, (reason) => gone.abort(reason));
  const leave = (): void => {
    outer[Symbol.dispose]();
    gone.abort(new Error("cut on purpose"));
  };
  return { inner: { ...request, signal: gone.signal }, leave };
}
