import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { type Clock, deadline, type Rng, realClock, silentLogger, unlessAborted } from "../src/base/index.ts";
import { informers } from "../src/cache/index.ts";
import { Thing, thing } from "../src/cache/objects/objects.fixture.ts";
import { clientFor } from "../src/client/index.ts";
import { chance, pick } from "./draw.ts";
import type { FuzzTarget } from "./target.ts";
import { isSameJson, shortJson } from "./things.ts";
import { lineOf } from "./watch-server.ts";

export interface BoundariesSubject {
  readonly informers: typeof informers;
  /** How long a cache may take to be right, in real time. @default 60_000 */
  readonly patienceMs?: number | undefined;
}

/** Responses on real sockets that are split, ended or reset at every byte. The cache must become correct. */
export function byteBoundariesTarget(subject: BoundariesSubject = { informers }): FuzzTarget {
  return {
    name: "byte-boundaries",
    summary: "responses that are split, ended or reset at every byte, on real sockets",
    async run(rng, budget) {
      const script = drawScript(rng);
      const places = shuffled(rng, script.cut.length + 1);
      let responses = 0;
      while (places.length > 0 && !budget.spent) {
        const batch = places.splice(0, 8);
        await Promise.all(batch.map((at) => converges(script, at, subject)));
        responses += batch.length;
      }
      return { responses };
    },
  };
}

type Manner = "split" | "end" | "reset" | "drip";

/** The responses of a server, and the one that is disturbed once. */
interface Script {
  readonly stream: Buffer;
  readonly list: Buffer;
  readonly watch: Buffer;
  /** One of the three. */
  readonly cut: Buffer;
  readonly manner: Manner;
  readonly expected: readonly Thing[];
}

function drawScript(rng: Rng): Script {
  const [a, b, changed] = drawThings(rng);
  const streams = chance(rng, 0.4);
  const lines = [lineOf("ADDED", a), lineOf("ADDED", b), initialEnd, lineOf("MODIFIED", changed)];
  const stream = streams
    ? responseOf(rng, lines)
    : Buffer.from("HTTP/1.1 400 Bad\r\nContent-Length: 2\r\n\r\n{}");
  const list = listResponse(rng, [a, b]);
  const watch = responseOf(rng, [lineOf("MODIFIED", changed)]);
  const cut = streams ? stream : pick(rng, [list, watch]);
  return {
    stream,
    list,
    watch,
    cut,
    manner: pick(rng, ["split", "split", "end", "reset", "drip"]),
    expected: [a, changed],
  };
}

/** Two objects, and a later version of the second. */
function drawThings(rng: Rng): readonly [Thing, Thing, Thing] {
  const text = pick(rng, ['x"}{\\é', "😀\u2028", '{"metadata":{}}', ""]);
  return [
    thing("default/a", 5, { spec: { text } }),
    thing("default/b", 6, { spec: { list: [1, 2, { text: "]" }] } }),
    thing("default/b", 12, { spec: { text, changed: true } }),
  ];
}

const initialEnd = lineOf("BOOKMARK", {
  kind: "Thing",
  apiVersion: "example.dev/v1",
  metadata: { resourceVersion: "10", annotations: { "k8s.io/initial-events-end": "true" } },
});

function listResponse(rng: Rng, items: readonly Thing[]): Buffer {
  const metadata = { resourceVersion: "10" };
  const text = JSON.stringify({ kind: "ThingList", apiVersion: "example.dev/v1", metadata, items });
  const bytes = Buffer.from(text);
  if (chance(rng, 0.5)) return Buffer.concat([responseOf(rng, [bytes]), Buffer.from("0\r\n\r\n")]);
  return Buffer.concat([head(`Content-Length: ${bytes.length}`), bytes]);
}

/** A chunked response that stays open. */
function responseOf(rng: Rng, parts: readonly Buffer[]): Buffer {
  const chunks = parts.map((part) => {
    const size = part.length.toString(16);
    const written = pick(rng, [size, size.toUpperCase(), `0${size}`, `${size};name=value`]);
    return Buffer.concat([Buffer.from(`${written}\r\n`), part, Buffer.from("\r\n")]);
  });
  return Buffer.concat([head("Transfer-Encoding: chunked"), ...chunks]);
}

function head(header: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${header}\r\n\r\n`);
}

function shuffled(rng: Rng, count: number): number[] {
  const places = Array.from({ length: count }, (_, place) => ({ place, order: rng.next() }));
  return places.sort((one, other) => one.order - other.order).map(({ place }) => place);
}

/** Throws if the cache of a client does not become right. */
async function converges(script: Script, at: number, subject: BoundariesSubject): Promise<void> {
  await using server = await ScriptedServer.start(script, at);
  const identity = { current: () => ({ headers: {}, tls: undefined }), refused: () => false };
  const config = { server: server.url, namespace: "default", origin: "fuzz", identity };
  await using client = clientFor(config, { clock: fastClock, log: silentLogger });
  await using factory = subject.informers({ client, clock: fastClock, log: silentLogger });
  const things = factory.for(Thing);
  things.synced.catch(() => {}); // it rejects if the cache is closed first
  const known = new Map<string, Thing>();
  const right = new Promise<void>((resolve) => {
    things
      .on((event) => {
        if (event.type === "deleted") known.delete(event.key);
        else known.set(event.key, event.object);
        if (isSameJson([...known.values()].sort(byName), script.expected)) resolve();
      })
      .synced.catch(() => {}); // as above
  });
  factory.start({ signal: new AbortController().signal });
  using limit = deadline(subject.patienceMs ?? 60_000, "a cache becoming right");
  try {
    await unlessAborted(right, limit.signal);
  } catch (cause) {
    const found = shortJson([...known.values()]);
    const where = `${script.manner} at byte ${at} of ${JSON.stringify(script.cut.toString())}`;
    throw new Error(`expected ${shortJson(script.expected)} after a ${where}, got ${found}`, { cause });
  }
}

function byName(one: Thing, other: Thing): number {
  return one.metadata.name < other.metadata.name ? -1 : 1;
}

/** Waits pass forty times as fast, so that retries do. */
const fastClock: Clock = {
  now: () => realClock.now(),
  monotonic: () => realClock.monotonic(),
  timer: (afterMs, run, options) => realClock.timer(afterMs / 40, run, options),
};

/** Answers by the sort of a request. Its first response of the script's cut is disturbed. */
class ScriptedServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #script: Script;
  readonly #at: number;
  #disturbed = false;

  static async start(script: Script, at: number): Promise<ScriptedServer> {
    const server = new ScriptedServer(script, at);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  private constructor(script: Script, at: number) {
    this.#script = script;
    this.#at = at;
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on a port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {}); // the client may close it at any time
    socket.on("close", () => this.#sockets.delete(socket));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        void this.#respond(socket, text.slice(0, end));
        text = text.slice(end + 4);
      }
    });
  }

  async #respond(socket: Socket, request: string): Promise<void> {
    const { stream, list, watch, cut } = this.#script;
    const bytes = request.includes("sendInitialEvents") ? stream : request.includes("watch=") ? watch : list;
    if (bytes !== cut || this.#disturbed) return void socket.write(bytes);
    this.#disturbed = true;
    const parts =
      this.#script.manner === "drip" ? pieces(bytes, 1 + (this.#at % 7)) : [bytes.subarray(0, this.#at)];
    for (const part of parts) {
      socket.write(part);
      await setImmediate();
    }
    if (this.#script.manner === "end") socket.end();
    if (this.#script.manner === "reset") socket.resetAndDestroy();
    if (this.#script.manner === "split") socket.write(bytes.subarray(this.#at));
  }
}

function pieces(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * length, (index + 1) * length));
}
