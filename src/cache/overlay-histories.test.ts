import fc from "fast-check";
import { expect, test } from "vitest";
import { type Thing, thing } from "./objects/objects.fixture.ts";
import type { View } from "./view.ts";
import { type Server, ViewMirror } from "./view-mirror.fixture.ts";

/**
 * Histories of one collection, seen through several views by a program that writes to it.
 *
 * A step is something that happens at the server (a write or a delete, own or foreign, or a restored etcd), something
 * that a view receives (events, a bookmark, a relist), or the arrival of responses to own requests.
 */
type Step =
  | (Target & { readonly type: "write"; readonly colour: string; readonly late: boolean })
  | (Target & { readonly type: "delete"; readonly response: "status" | "object"; readonly late: boolean })
  | { readonly type: "events"; readonly view: number; readonly namespace: string; readonly count: number }
  | { readonly type: "bookmark" | "relist"; readonly view: number; readonly namespace: string }
  | { readonly type: "responses" }
  | { readonly type: "restore"; readonly back: number };

interface Target {
  readonly namespace: string;
  readonly name: string;
  readonly own: boolean;
}

const names = ["a", "b"];

const colours = ["red", "blue"];

/** Views of the collection. */
const views: readonly View<Thing>[] = [
  {},
  { labels: { colour: "red" } },
  { fields: { "spec.colour": "red" } },
  { labels: { colour: "red" }, fields: "spec.colour!=blue" },
  { fields: { "spec.unknown": "red" } },
];

function histories(namespaces: readonly string[], restores: boolean): fc.Arbitrary<Step[]> {
  const namespace = fc.constantFrom(...namespaces);
  const target = { namespace, name: fc.constantFrom(...names), own: fc.boolean(), late: fc.boolean() };
  const view = fc.nat({ max: views.length - 1 });
  const write = fc.record({
    type: fc.constant("write" as const),
    colour: fc.constantFrom(...colours),
    ...target,
  });
  const response = fc.constantFrom("status" as const, "object" as const);
  const remove = fc.record({ type: fc.constant("delete" as const), response, ...target });
  const count = fc.integer({ min: 1, max: 4 });
  const events = fc.record({ type: fc.constant("events" as const), view, namespace, count });
  const list = fc.record({ type: fc.constantFrom("bookmark" as const, "relist" as const), view, namespace });
  const responses = fc.record({ type: fc.constant("responses" as const) });
  const restore = fc.record({ type: fc.constant("restore" as const), back: fc.integer({ min: 1, max: 6 }) });
  return fc.array(
    fc.oneof(
      { weight: 5, arbitrary: write },
      { weight: 3, arbitrary: remove },
      { weight: 5, arbitrary: events },
      { weight: 1, arbitrary: list },
      { weight: 1, arbitrary: responses },
      ...(restores ? [{ weight: 1, arbitrary: restore }] : []),
    ),
    { maxLength: 40 },
  );
}

const places = [
  { where: "in all namespaces at once", namespaces: ["home"], single: true },
  { where: "in one of several namespaces", namespaces: ["home", "away"], single: false },
];

test.each(places)(
  "in any order of events and responses, no read $where is older than a response",
  (place) => {
    fc.assert(
      fc.property(histories(place.namespaces, false), (history) => {
        const world = new World(place);
        for (const step of history) {
          world.take(step);
          world.expectReadYourWrites();
          world.expectOnlyOfTheView();
        }
        world.expectRest();
      }),
      { numRuns: 400 },
    );
  },
);

test.each(places)(
  "own writes that a restored etcd has undone are not read $where after a relist",
  (place) => {
    fc.assert(
      fc.property(histories(place.namespaces, true), (history) => {
        const world = new World(place);
        for (const step of history) {
          world.take(step);
          world.expectOnlyOfTheView();
        }
        world.outgrow();
        world.expectRest();
      }),
      { numRuns: 400 },
    );
  },
);

class World {
  readonly #namespaces: readonly string[];
  readonly #mirrors: readonly ViewMirror[];
  readonly #server: Server = { log: [], version: 1, history: 0 };
  /** Newest version ever, even if a restore has lost it. */
  #newest = 1;
  #uids = 0;
  /** Responses in flight. */
  #responses: (() => void)[] = [];
  /** Version of the newest response about an object, by key. */
  readonly #responded = new Map<string, number>();

  constructor({ namespaces, single }: { readonly namespaces: readonly string[]; readonly single: boolean }) {
    this.#namespaces = namespaces;
    this.#mirrors = views.map((view) => new ViewMirror(view, single));
  }

  take(step: Step): void {
    switch (step.type) {
      case "write":
        return this.#write(step);
      case "delete":
        return this.#delete(step);
      case "events":
        return this.#mirrors[step.view]?.events(this.#server, step.namespace, step.count);
      case "bookmark":
        return this.#mirrors[step.view]?.bookmark(this.#server, step.namespace);
      case "relist":
        return this.#mirrors[step.view]?.relist(this.#server, step.namespace);
      case "responses":
        for (const response of this.#responses.splice(0).reverse()) response();
        return;
      case "restore":
        return this.#restore(step.back);
    }
  }

  /** A read is a state that the object had since the newest response about it. */
  expectReadYourWrites(): void {
    for (const [key, since] of this.#responded) {
      for (const mirror of this.#mirrors) {
        const { overlay, view } = mirror;
        const [namespace = "", name = ""] = key.split("/");
        const read = overlay.get(key)?.metadata.resourceVersion;
        const listed = overlay.list({ namespace }).find(({ metadata }) => metadata.name === name);
        expect(listed?.metadata.resourceVersion).toBe(read);
        if (overlay.isBehind({ namespace, name })) continue; // a client reads from the server
        expect({ view, states: this.#statesSince(key, since, mirror) }).toEqual({
          view,
          states: expect.arrayContaining([read]),
        });
      }
    }
  }

  expectOnlyOfTheView(): void {
    for (const mirror of this.#mirrors) {
      for (const object of mirror.overlay.list()) expect(mirror.isInView(object)).toBe(true);
    }
  }

  /** Expects reads to equal the server, and an empty overlay, when everything has arrived. */
  expectRest(): void {
    this.take({ type: "responses" });
    for (const mirror of this.#mirrors) {
      for (const namespace of this.#namespaces) {
        if (!mirror.isWatching(this.#server, namespace)) mirror.relist(this.#server, namespace);
        mirror.events(this.#server, namespace);
      }
    }
    for (const mirror of this.#mirrors) {
      const read = this.#keys((key) => mirror.overlay.get(key)?.metadata.resourceVersion);
      const there = this.#keys((key) => {
        const object = this.#latest(key);
        return object && mirror.isInView(object) ? object.metadata.resourceVersion : undefined;
      });
      const { view, overlay } = mirror;
      expect({ view, read, size: overlay.size }).toEqual({ view, read: there, size: 0 });
    }
  }

  /**
   * Writes until versions are beyond those that a restore has lost, and sends two bookmarks. A view that had not
   * received a lost write cannot know of the restore before.
   */
  outgrow(): void {
    this.take({ type: "responses" });
    this.#watchAgain();
    this.#server.version = Math.max(this.#server.version, this.#newest);
    for (const namespace of this.#namespaces) {
      this.#write({ type: "write", namespace, name: "other", colour: "red", own: false, late: false });
    }
    for (const _ of ["first", "second"]) {
      for (const mirror of this.#mirrors) {
        for (const namespace of this.#namespaces) mirror.bookmark(this.#server, namespace);
      }
    }
  }

  #watchAgain(): void {
    for (const mirror of this.#mirrors) {
      for (const namespace of this.#namespaces) {
        if (!mirror.isWatching(this.#server, namespace)) mirror.relist(this.#server, namespace);
      }
    }
  }

  #write({ namespace, name, colour, own, late }: Extract<Step, { readonly type: "write" }>): void {
    const { uid = `${++this.#uids}` } = this.#latest(`${namespace}/${name}`)?.metadata ?? {};
    const metadata = { uid, labels: { colour } } as unknown as Thing["metadata"];
    const object = thing(`${namespace}/${name}`, this.#next(), { metadata, spec: { colour } });
    this.#server.log.push({ version: this.#server.version, namespace, name, object });
    const sent = this.#rollbacks();
    if (own) {
      this.#respond(late, { namespace, name }, () => {
        for (const [index, { overlay }] of this.#mirrors.entries())
          overlay.recordWrite(object, { rollbacks: sent[index] });
      });
    }
  }

  #delete({ namespace, name, own, late, response }: Extract<Step, { readonly type: "delete" }>): void {
    const key = { namespace, name };
    const latest = this.#latest(`${namespace}/${name}`);
    const sent = this.#rollbacks();
    if (!latest) return own ? this.#deleteAbsent(key, late, sent) : undefined;
    const version = this.#next();
    this.#server.log.push({ version, namespace, name, object: undefined });
    const { uid, resourceVersion } = latest.metadata;
    const deletion = response === "status" ? { uid, uncertain: true } : { uid, resourceVersion };
    if (own) {
      this.#respond(late, key, () => {
        for (const [index, { overlay }] of this.#mirrors.entries())
          overlay.recordDelete(key, deletion, { rollbacks: sent[index] });
      });
    }
  }

  #deleteAbsent(
    key: { readonly namespace: string; readonly name: string },
    late: boolean,
    sent: readonly number[],
  ): void {
    const known = this.#mirrors.map(({ overlay }) => overlay.get(key)?.metadata.uid);
    this.#respond(late, key, () => {
      for (const [index, { overlay }] of this.#mirrors.entries()) {
        const uid = known[index];
        if (uid !== undefined) overlay.recordDelete(key, { uid }, { rollbacks: sent[index] });
      }
    });
  }

  /** Number of rollbacks of each view. */
  #rollbacks(): readonly number[] {
    return this.#mirrors.map(({ overlay }) => overlay.rollbacks);
  }

  #respond(
    late: boolean,
    key: { readonly namespace: string; readonly name: string },
    apply: () => void,
  ): void {
    const version = this.#server.version;
    const history = this.#server.history;
    const text = `${key.namespace}/${key.name}`;
    const respond = (): void => {
      apply();
      if (history === this.#server.history) {
        this.#responded.set(text, Math.max(version, this.#responded.get(text) ?? 0));
      }
    };
    if (late) this.#responses.push(respond);
    else respond();
  }

  /** Restores the server: it loses the last writes, and continues from there. */
  #restore(back: number): void {
    const log = this.#server.log.slice(0, -back);
    Object.assign(this.#server, {
      log,
      version: log.at(-1)?.version ?? 1,
      history: this.#server.history + 1,
    });
    this.#responded.clear();
  }

  #next(): number {
    this.#server.version += 1;
    this.#newest = Math.max(this.#newest, this.#server.version);
    return this.#server.version;
  }

  #latest(key: string): Thing | undefined {
    return this.#server.log.findLast(({ namespace, name }) => `${namespace}/${name}` === key)?.object;
  }

  #keys(read: (key: string) => string | undefined): (string | undefined)[] {
    return this.#namespaces.flatMap((namespace) => names.map((name) => read(`${namespace}/${name}`)));
  }

  /** Returns the resource versions that the view may have shown since, `undefined` for absent. */
  #statesSince(key: string, version: number, mirror: ViewMirror): (string | undefined)[] {
    const moments = this.#server.log.filter(({ namespace, name }) => `${namespace}/${name}` === key);
    const before = moments.findLast((moment) => moment.version <= version);
    const since = moments.filter((moment) => moment.version > version);
    return [before, ...since].map((moment) =>
      moment?.object && mirror.isInView(moment.object) ? moment.object.metadata.resourceVersion : undefined,
    );
  }
}
