import fc from "fast-check";
import { expect, test } from "vitest";
import {
  endsInitial,
  existingAt,
  expectedOf,
  type Recorded,
  revisionOf,
  type Told,
} from "./recorded-watch.fixture.ts";
import { type Played, play, scripts } from "./watch-script.fixture.ts";
import type { Happened } from "./watched-world.fixture.ts";

/** Holds for every watch of random histories on one server, however slow it was, and wherever it began. */
function guaranteed(check: (watch: Recorded, history: readonly Happened[]) => void): Promise<void> {
  const property = fc.asyncProperty(scripts, async (script) => {
    const { watches, history } = await playedOnce(script);
    for (const watch of watches) check(watch, history);
  });
  return fc.assert(property, { numRuns: 60 });
}

/** All properties are drawn from one seed, and look at the same stories. */
function playedOnce(script: Parameters<typeof play>[0]): Promise<Played> {
  const key = JSON.stringify(script);
  const known = stories.get(key) ?? play(script);
  stories.set(key, known);
  return known;
}

const stories = new Map<string, Promise<Played>>();

/** What came after the initial events: changes and bookmarks, no error. */
function later({ told, initial }: Recorded): Told[] {
  const start = initial ? told.findIndex(endsInitial) + 1 : 0;
  return told.slice(start).filter(({ type }) => type !== "ERROR");
}

/** Changes alone. Without bookmarks nobody can tell where initial events end. */
function changes(watch: Recorded): Told[] {
  return later(watch).filter(({ type }) => type !== "BOOKMARK");
}

const tellable = ({ initial, told }: Recorded): boolean => !initial || told.some(endsInitial);

const place = ({ type, object }: Told): string =>
  `${type} ${object.metadata.namespace}/${object.metadata.name} at ${object.metadata.resourceVersion}`;

test("ordered: no event of a watch is older than the one before it", () =>
  guaranteed((watch) => {
    if (!tellable(watch)) return;
    const revisions = later(watch).map(revisionOf);
    expect(revisions).toEqual([...revisions].sort((one, other) => one - other));
  }));

test("unique: no change comes twice on a watch, nor on those that go on from it", () =>
  guaranteed((watch) => {
    const seen = watch.told.filter(({ type }) => type !== "BOOKMARK" && type !== "ERROR").map(place);
    expect(seen).toEqual([...new Set(seen)]);
    if (tellable(watch)) expect(changes(watch).every((told) => revisionOf(told) > watch.after)).toBe(true);
  }));

test("reliable: a watch tells every change in its scope, with no gap", () =>
  guaranteed((watch, history) => {
    if (!tellable(watch) || watch.after < watch.forgotten) return;
    const told = changes(watch).map(place);
    const expected = expectedOf(history, watch).map(place);
    expect(told).toEqual(watch.complete ? expected : expected.slice(0, told.length));
  }));

test("atomic: a revision is one event, with the whole object as it was written", () =>
  guaranteed((watch, history) => {
    const written = new Map(expectedOf(history, watch).map((told) => [revisionOf(told), told]));
    const told = changes(watch).filter((each) => revisionOf(each) > watch.after);
    expect(told.map(withoutDeletion)).toEqual(
      told.map((each) => withoutDeletion(written.get(revisionOf(each)))),
    );
    expect(new Set(told.map(revisionOf)).size).toBe(told.length);
  }));

/** A deletion may mark the object it removes. */
function withoutDeletion(told: Told | undefined): unknown {
  if (!told) return told;
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...metadata } = told.object.metadata;
  return { type: told.type, object: { ...told.object, metadata } };
}

test("resumable: a watch from a revision begins with the first change after it, or has expired", () =>
  guaranteed((watch, history) => {
    if (watch.initial) return;
    const expired = watch.told.filter(({ type }) => type === "ERROR").map(({ object }) => object.code);
    expect(expired).toEqual(watch.after < watch.forgotten ? [410] : []);
    const [first] = expired.length > 0 ? [] : changes(watch);
    if (first) expect(place(first)).toBe(expectedOf(history, watch).map(place)[0]);
  }));

test("bookmarkable: a bookmark is not older than what came before it, and no change after it is as old", () =>
  guaranteed((watch) => {
    const told = later(watch);
    const bookmarks = Array.from(told.entries()).filter(([, { type }]) => type === "BOOKMARK");
    const wrong = bookmarks.filter(([at, bookmark]) => {
      const revision = revisionOf(bookmark);
      const late = told.slice(at + 1).filter(({ type }) => type !== "BOOKMARK");
      return (
        told.slice(0, at).some((before) => revisionOf(before) > revision) ||
        late.some((change) => revisionOf(change) <= revision)
      );
    });
    expect(wrong).toEqual([]);
    if (!watch.bookmarks) expect(watch.told.some(({ type }) => type === "BOOKMARK")).toBe(false);
  }));

test("filtered: what comes into a selection is ADDED, and what leaves it is DELETED as it was, at the new revision", () =>
  guaranteed((watch, history) => {
    if (!tellable(watch) || !watch.complete || watch.scope.selector === "all") return;
    expect(changes(watch).map(crossing)).toEqual(expectedOf(history, watch).map(crossing));
  }));

function crossing(told: Told): unknown {
  const { labels } = told.object.metadata;
  return { type: told.type, labels, phase: told.object.status?.phase, revision: revisionOf(told) };
}

test("initial: a watch that asks for it begins with all that is there, and a bookmark ends that", () =>
  guaranteed((watch, history) => {
    if (!watch.initial) return;
    const end = watch.told.findIndex(endsInitial);
    if (watch.bookmarks && watch.complete) expect(end).toBeGreaterThanOrEqual(0);
    const initial = end >= 0 ? watch.told.slice(0, end) : watch.told;
    const existing = existingAt(history, watch).map((object) => ({ type: "ADDED", object }));
    expect(initial.slice(0, existing.length)).toEqual(existing.slice(0, initial.length));
    if (end >= 0)
      expect([initial.length, watch.told[end] && revisionOf(watch.told[end])]).toEqual([
        existing.length,
        watch.after,
      ]);
  }));
