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
  /** Name of the container. @default the only one */
  readonly container?: string | undefined;
  /** True to stream new lines as they are written. @default false */
  readonly follow?: boolean | undefined;
  /** True to read the log of the previous, terminated container. @default false */
  readonly previous?: boolean | undefined;
  /** True to prefix each line with an RFC 3339 time. @default false */
  readonly timestamps?: boolean | undefined;
  /** Number of lines from the end of the log. @default all */
  readonly tailLines?: number | undefined;
  /** Only lines of the last seconds. */
  readonly sinceSeconds?: number | undefined;
  readonly limitBytes?: number | undefined;
}

/** Number of buffered lines after which the response is paused. */
const maxBufferedLines = 1000;

/** Streams the lines of a log. Leaving the loop ends the request. */
export async function* podLogs(
  transport: Transport,
  path: string,
  options: LogOptions,
): AsyncGenerator<string, void, void> {
  const { signal, ...query } = options;
  const request: ApiRequest = { method: "GET", path: withQuery(path, query), signal };
  const response = await transport.open(request);
  const { status, headers } = response;
  // 204: the Pod is not scheduled to a node yet, so it has no log
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
      if (feed.waiting > maxBufferedLines) response.pause();
    },
    onEnd() {
      frames.flush();
      feed.end();
    },
    onError: (error) => feed.fail(error),
  });
  return feed;
}
