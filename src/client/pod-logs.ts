import { Feed } from "../base/index.ts";
import {
  type ApiRequest,
  apiErrorFrom,
  Frames,
  type OpenResponse,
  readAll,
  type Transport,
} from "../transport/index.ts";
import type { CallOptions } from "./options.ts";
import { withQuery } from "./resource-path.ts";

export interface LogOptions extends CallOptions {
  /** Which container's. @default the only one */
  readonly container?: string | undefined;
  /** Goes on with what is written from now on. @default false */
  readonly follow?: boolean | undefined;
  /** Of the container's last life. @default false */
  readonly previous?: boolean | undefined;
  /** Puts an RFC 3339 time before each line. @default false */
  readonly timestamps?: boolean | undefined;
  /** So many lines from the end. @default all */
  readonly tailLines?: number | undefined;
  /** Only what was written in the last so many seconds. */
  readonly sinceSeconds?: number | undefined;
  readonly limitBytes?: number | undefined;
}

/** Lines read ahead of the loop before the server is made to wait. */
const ahead = 1000;

/** The log's lines, as they come. Leaving the loop ends the request. */
export async function* podLogs(
  transport: Transport,
  path: string,
  options: LogOptions,
): AsyncGenerator<string, void, void> {
  const { signal, ...query } = options;
  const request: ApiRequest = { method: "GET", path: withQuery(path, query), signal };
  const response = await transport.open(request);
  const { status, headers } = response;
  // 204: the Pod has not been given to a node, so nothing can have been written
  if (status !== 200 && status !== 204) {
    throw apiErrorFrom(request, { status, headers, body: await readAll(response, 64 * 1024) });
  }
  yield* linesOf(response);
}

function linesOf(response: OpenResponse): Feed<string> {
  const feed = new Feed<string>({ onClose: () => response.close(), onDrained: () => response.resume() });
  const frames = new Frames((bytes, start, end) => feed.push(bytes.toString("utf8", start, end)), {
    keepEmpty: true,
  });
  response.receive({
    onChunk(chunk) {
      frames.push(chunk);
      if (feed.waiting > ahead) response.pause();
    },
    onEnd() {
      frames.flush();
      feed.end();
    },
    onError: (error) => feed.fail(error),
  });
  return feed;
}
