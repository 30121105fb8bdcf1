import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import { clientOver } from "../client/index.ts";
import type { ApiRequest, OpenResponse } from "../transport/index.ts";
import { informers } from "./index.ts";
import {
  lost,
  type Reply,
  refused,
  type Scripted,
  ScriptedTransport,
  Stream,
  status,
} from "./reflector/scripted-transport.fixture.ts";
import {
  added,
  bookmark,
  deleted,
  error,
  initialEnd,
  list,
  modified,
  object,
} from "./reflector/test-reflector.fixture.ts";

/** The n-th response of a server to each sort of request. */
interface Server {
  readonly stream?: (n: number) => Scripted;
  readonly list?: (n: number, query: URLSearchParams) => Scripted;
  readonly watch?: (n: number) => Scripted;
}

/** Maximum number of requests in the first minute without progress: 5 a second. */
const bound = 300;

interface Row extends Server {
  readonly name: string;
  /** Maximum number of requests in the first minute. At most `bound`. */
  readonly requests: number;
  /** Seconds until the cache follows the server, once it behaves well. */
  readonly recoversWithin: number;
}

const listed = list("10", [object("a", "5")]);
const ok = () => new Stream().lines(added("a", "5"), initialEnd("10"));
const noStreams = (): Reply => refused({ code: 400, reason: "BadRequest" });
const expired = (): Reply => refused({ code: 410, reason: "Expired" });
/** A response that throttles with a `retryAfterSeconds`. */
const throttled = (retryAfterSeconds: unknown, headers: Record<string, string> = {}): Reply => ({
  status: 429,
  headers,
  body: status({ code: 429, reason: "TooManyRequests", details: { retryAfterSeconds } }),
});

const rows: Row[] = [
  // Connections
  { name: "refuses every connection", stream: () => lost("ECONNREFUSED"), requests: 15, recoversWithin: 60 },
  { name: "resets every connection", stream: () => lost("ECONNRESET"), requests: 60, recoversWithin: 60 },
  {
    name: "ends every response at once",
    stream: () => new Stream().end(),
    list: () => new Stream().end(),
    requests: 30,
    recoversWithin: 60,
  },
  {
    name: "ends every watch at once",
    stream: noStreams,
    watch: () => new Stream().end(),
    requests: 20,
    recoversWithin: 60,
  },
  {
    name: "ends every watch after one event",
    stream: noStreams,
    watch: (n) => new Stream().lines(modified("a", String(11 + n))).end(),
    requests: 20,
    recoversWithin: 60,
  },
  { name: "accepts requests and never responds", stream: () => "never", requests: 2, recoversWithin: 140 },
  {
    name: "starts every response and is silent then",
    stream: () => new Stream(),
    list: () => new Stream(),
    requests: 3,
    recoversWithin: 140,
  },

  // Refusals
  {
    name: "responds 500 to everything",
    stream: () => refused({ code: 500 }),
    list: () => refused({ code: 500 }),
    requests: 40,
    recoversWithin: 60,
  },
  {
    name: "responds 403 to everything",
    stream: () => refused({ code: 403, reason: "Forbidden" }),
    list: () => refused({ code: 403, reason: "Forbidden" }),
    requests: 40,
    recoversWithin: 60,
  },
  { name: "responds 410 to everything", stream: expired, list: expired, requests: 40, recoversWithin: 60 },
  {
    name: "responds with HTML to everything",
    stream: () => ({ body: "<html>" }),
    list: () => ({ body: "<html>" }),
    requests: 40,
    recoversWithin: 60,
  },
  {
    name: "ends every watch with 410",
    stream: noStreams,
    watch: () => new Stream().lines(error(410, "Expired")),
    requests: 40,
    recoversWithin: 60,
  },

  // Retry-After
  {
    name: "sends a Retry-After that is not a number",
    stream: () => throttled("soon"),
    requests: 20,
    recoversWithin: 60,
  },
  { name: "sends a negative Retry-After", stream: () => throttled(-1), requests: 20, recoversWithin: 60 },
  {
    name: "sends a Retry-After of 0",
    stream: () => throttled(0, { "retry-after": "0" }),
    requests: 120,
    recoversWithin: 60,
  },
  {
    name: "sends a Retry-After of a year in a header",
    stream: () => throttled(undefined, { "retry-after": "31536000" }),
    requests: 1,
    recoversWithin: 310,
  },
  {
    name: "sends a Retry-After of a year in a Status",
    stream: () => throttled(31_536_000),
    requests: 1,
    recoversWithin: 310,
  },
  {
    name: "sends a Retry-After of a year in a watch",
    stream: () => new Stream().lines({ type: "ERROR", object: throttled(31_536_000).body }),
    requests: 1,
    recoversWithin: 310,
  },
  {
    name: "sends a Status whose causes are not a list",
    stream: () => refused({ code: 500, details: { causes: 5 } as never }),
    list: () => refused({ code: 500, details: { causes: 5 } as never }),
    requests: 40,
    recoversWithin: 60,
  },

  // Pages
  {
    name: "expires every continue token",
    stream: noStreams,
    list: (_, query) => (query.has("continue") ? expired() : list("10", [object("a", "5")], "c")),
    requests: 50,
    recoversWithin: 60,
  },
  {
    name: "repeats a continue token",
    stream: noStreams,
    list: () => list("10", [object("a", "5")], "same"),
    requests: 40,
    recoversWithin: 60,
  },
  {
    name: "sends empty pages without end",
    stream: noStreams,
    list: (n) => list("10", [], `c${n}`),
    requests: bound,
    recoversWithin: 60,
  },

  // Initial events
  { name: "refuses initial events", stream: noStreams, list: () => listed, requests: 3, recoversWithin: 1 },
  {
    name: "ignores sendInitialEvents and sends bookmarks",
    stream: () => new Stream().lines(bookmark("10")),
    list: () => listed,
    requests: 3,
    recoversWithin: 1,
  },
  {
    name: "ignores sendInitialEvents and sends updates",
    stream: () => new Stream().lines(modified("z", "10")),
    list: () => listed,
    requests: 3,
    recoversWithin: 1,
  },
  {
    name: "ignores sendInitialEvents and sends deletes",
    stream: () => new Stream().lines(deleted("z", "10")),
    list: () => listed,
    requests: 3,
    recoversWithin: 1,
  },
  {
    name: "never ends the initial events",
    stream: () => new Stream().lines(added("a", "5")),
    list: () => listed,
    requests: 3,
    recoversWithin: 11,
  },

  // Invalid data
  {
    name: "goes back in every watch",
    stream: noStreams,
    watch: () => new Stream().lines(bookmark("3")),
    requests: 20,
    recoversWithin: 60,
  },
  {
    name: "sends lists that are too old",
    stream: (n) => (n === 0 ? ok().lines(error(410, "Expired")) : new Stream().lines(initialEnd("3"))),
    requests: 20,
    recoversWithin: 60,
  },
  {
    name: "sends events that are not JSON",
    stream: () => ok().text("{]\n"),
    requests: 20,
    recoversWithin: 60,
  },
  {
    name: "sends events of other kinds",
    stream: () => ok().lines({ type: "ADDED", object: { kind: "Pod", metadata: {} } }),
    requests: 20,
    recoversWithin: 60,
  },
];

/** Responds by the sort of a request, and like a good server once it has `recovered`. */
class Misbehaving extends ScriptedTransport {
  readonly atMs: number[] = [];
  recovered = false;
  readonly #clock: VirtualClock;
  readonly #server: Server;
  readonly #counts = { stream: 0, list: 0, watch: 0 };

  constructor(clock: VirtualClock, server: Server) {
    super();
    this.#clock = clock;
    this.#server = server;
  }

  override open(request: ApiRequest): Promise<OpenResponse> {
    this.atMs.push(this.#clock.monotonic());
    this.prepare(this.#respond(new URL(request.path, "http://host").searchParams));
    return super.open(request);
  }

  #respond(query: URLSearchParams): Scripted {
    const sort = query.has("sendInitialEvents") ? "stream" : query.has("watch") ? "watch" : "list";
    if (this.recovered)
      return { stream: well(), list: list("1000", [object("well", "999")]), watch: wellWatch() }[sort];
    const n = this.#counts[sort]++;
    const usual = { stream: ok(), list: listed, watch: new Stream() }[sort];
    return sort === "list" ? (this.#server.list?.(n, query) ?? usual) : (this.#server[sort]?.(n) ?? usual);
  }
}

const well = () => new Stream().lines(added("well", "999"), initialEnd("1000"));
const wellWatch = () => new Stream().lines(added("well", "1001"));

test.each(rows)(
  "a server that $name gets at most $requests requests in a minute, and is followed $recoversWithin s after it behaves",
  async ({ requests, recoversWithin, ...server }) => {
    const clock = new VirtualClock();
    const transport = new Misbehaving(clock, server);
    const rng = seededRng(1);
    const client = clientOver(transport, { namespace: "home", clock, rng, log: quiet });
    await using factory = informers({ client, clock, rng, log: quiet });
    const maps = factory.for(ConfigMap);
    maps.synced.catch(() => {}); // it may never sync
    factory.start({ signal: new AbortController().signal });
    await clock.advance(60_000);
    expect(transport.atMs.length).toBeLessThanOrEqual(Math.min(requests, bound));
    transport.recovered = true;
    if (maps.health.phase === "watching") transport.streams.at(-1)?.lines(added("well", "1001"));
    await clock.advance(recoversWithin * 1000);
    expect(maps.lister.list().map(({ metadata }) => metadata.name)).toContain("well");
  },
);

const quiet = loggerTo(() => {});
