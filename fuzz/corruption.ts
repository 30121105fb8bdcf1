import { below, loggerTo, type Rng, seededRng, VirtualClock } from "../src/base/index.ts";
import { type Informer, type InformerFactory, informers, type ObjectEvent } from "../src/cache/index.ts";
import { Thing } from "../src/cache/objects/objects.fixture.ts";
import { clientOver } from "../src/client/index.ts";
import { anyOf, chance, drawSeed, mutated, pick } from "./draw.ts";
import type { Budget, Counts, FuzzTarget } from "./target.ts";
import { isSameJson, shortJson, Things } from "./things.ts";
import { keyOf, lineOf, WatchServer } from "./watch-server.ts";

/**
 * Events with a few wrong bytes: every reader continues, and every object is one that was sent.
 * The cache drops managed fields without validating their bytes. The target keeps them in one half of the rounds, and
 * sends none in the other half.
 */
export function corruptionTarget(makeInformers: typeof informers = informers): FuzzTarget {
  return {
    name: "corruption",
    summary: "events with wrong bytes: undecodable objects are reported, all others are what JSON.parse says",
    async run(rng, budget) {
      await using world = new CorruptWorld(rng, makeInformers);
      return await world.live(budget);
    },
  };
}

class CorruptWorld implements AsyncDisposable {
  readonly #rng: Rng;
  readonly #managedFields: boolean;
  readonly #clock = new VirtualClock();
  readonly #server: WatchServer;
  readonly #things: Things;
  readonly #factory: InformerFactory;
  readonly #informer: Informer<Thing>;
  /** Every object that was sent and can be parsed, by key and resource version. */
  readonly #sent = new Map<string, unknown[]>();
  readonly #errors: string[] = [];
  #corrupted = 0;
  #read = 0;
  #undecodable = 0;

  constructor(rng: Rng, makeInformers: typeof informers) {
    this.#rng = rng;
    this.#managedFields = chance(rng, 0.5);
    this.#things = new Things(rng, 5);
    this.#server = new WatchServer({
      rng: seededRng(drawSeed(rng)),
      streamsLists: chance(rng, 0.7),
      onVersion: (object) => this.#record(object),
    });
    const clock = this.#clock;
    const client = clientOver(this.#server, { namespace: "default", clock, rng });
    this.#factory = makeInformers({
      client,
      clock,
      rng,
      log: loggerTo(({ message }) => {
        if (message === "handler failed") this.#errors.push(message);
      }),
    });
    this.#informer = this.#factory.for(Thing, { managedFields: this.#managedFields });
    this.#informer.on(this.#handler).synced.catch(() => {}); // the first list may never come
    this.#informer.synced.catch(() => {});
  }

  async live(budget: Budget): Promise<Counts> {
    this.#factory.start({ signal: new AbortController().signal });
    for (let count = 0; count < 10; count++) this.#write();
    for (let step = 0; step < 100 && !budget.spent; step++) {
      for (let count = 1 + below(this.#rng, 10); count > 0; count--) this.#corrupt();
      this.#readAll();
      this.#write();
      if (chance(this.#rng, 0.1)) await this.#recover();
      await this.#clock.advance(pick(this.#rng, [0, 0, 1000]));
    }
    await this.#recover();
    if (this.#errors.length > 0) throw new Error(this.#errors[0]);
    return {
      "corrupt events": this.#corrupted,
      "objects compared": this.#read,
      "undecodable objects reported": this.#undecodable,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#factory.close();
  }

  readonly #handler = ({ object }: ObjectEvent<Thing>): void => {
    try {
      this.#check(object, "an event");
    } catch (error) {
      this.#errors.push(String(error));
    }
  };

  #write(): void {
    const key = this.#things.key();
    const object = this.#server.objects.get(key);
    if (object && chance(this.#rng, 0.2)) this.#server.delete(key);
    else this.#server.put(this.#sendable(object ? this.#things.change(object) : this.#things.create(key)));
  }

  #sendable(object: Thing): Thing {
    const { managedFields, ...metadata } = object.metadata;
    return { ...object, metadata: { ...metadata, ...(this.#managedFields && { managedFields }) } };
  }

  /** Sends an event that the server never made: a good one with wrong bytes. The line end stays. */
  #corrupt(): void {
    const object = anyOf(this.#rng, [...this.#server.objects.values()]) ?? this.#things.create("a/thing");
    const type = pick(this.#rng, ["MODIFIED", "MODIFIED", "ADDED", "DELETED"]);
    const metadata = { ...object.metadata, resourceVersion: String(this.#server.version) };
    const good = this.#sendable(this.#things.change({ ...object, metadata }));
    const line = lineOf(type, good).subarray(0, -1);
    let bytes = mutated(this.#rng, line, corruptAlphabet);
    if (chance(this.#rng, 0.3)) bytes = mutated(this.#rng, bytes, corruptAlphabet);
    for (const each of bytes.toString().split("\n")) this.#recordLine(each);
    this.#corrupted += 1;
    this.#server.sendRaw(Buffer.concat([bytes, Buffer.from("\n")]));
  }

  /** An object that can still be parsed may be kept: the cache cannot know that the server never had it. */
  #recordLine(text: string): void {
    try {
      const { object } = JSON.parse(text) as { readonly object: Thing };
      if (typeof object?.metadata === "object" && object.metadata !== null) this.#record(object);
    } catch {
      // It is undecodable, and must not be kept.
    }
  }

  #record(object: Thing): void {
    const place = placeOf(object);
    const known = this.#sent.get(place);
    const { managedFields, ...others } = object.metadata;
    const metadata = { ...others, ...(this.#managedFields && { managedFields }) };
    const kept = { ...{ apiVersion: "example.dev/v1", kind: "Thing" }, ...object, metadata };
    if (known) known.push(kept);
    else this.#sent.set(place, [kept]);
  }

  /** Reads every object in every way. */
  #readAll(): void {
    const { lister, undecodable } = this.#informer;
    this.#undecodable += undecodable.size;
    for (const object of [...lister.list(), ...lister.views()]) this.#check(object, "a list");
    for (const key of lister.keys()) this.#check(lister.get(key), "get");
  }

  #check(found: unknown, where: string): void {
    this.#read += 1;
    const object = JSON.parse(JSON.stringify(found)) as Thing; // every object has metadata
    const sent = this.#sent.get(placeOf(object)) ?? [];
    if (sent.some((each) => isSameJson(each, object))) return;
    throw new Error(
      `expected an object that was sent from ${where}, got ${shortJson(object)}; ` +
        `as that version ${shortJson(sent)} was sent`,
    );
  }

  /** After a relist, the cache has exactly what the server has. */
  async #recover(): Promise<void> {
    this.#server.compact();
    this.#server.disconnect("expired");
    this.#server.version += 1_000; // beyond any version from a wrong byte
    for (let ms = 500; !this.#caughtUp() && ms < 600_000; ms *= 2) await this.#clock.advance(ms);
    this.#readAll();
    if (this.#caughtUp()) return;
    const found = this.#informer.lister
      .list()
      .map((object) => [keyOf(object), object.metadata.resourceVersion]);
    const expected = [...this.#server.objects].map(([key, { metadata }]) => [key, metadata.resourceVersion]);
    throw new Error(`expected ${JSON.stringify(expected)} after a relist, got ${JSON.stringify(found)}`);
  }

  #caughtUp(): boolean {
    const { objects } = this.#server;
    const found = this.#informer.lister.list();
    return (
      found.length === objects.size && found.every((each) => isSameVersion(each, objects.get(keyOf(each))))
    );
  }
}

const corruptAlphabet = '"\\{}[],:0123456789-+.eEtrufalsn \t\u0001';

function placeOf({ metadata }: Thing): string {
  return `${metadata.namespace ?? ""}/${metadata.name}@${metadata.resourceVersion}`;
}

function isSameVersion(one: Thing, other: Thing | undefined): boolean {
  return one.metadata.resourceVersion === other?.metadata.resourceVersion;
}
