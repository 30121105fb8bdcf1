import fc from "fast-check";
import { expect, test } from "vitest";
import {
  endsInitial,
  existingAt,
  expectedOf,
  type Recorded,
  revisionOf,
  type WatchEvent,
} from "./recorded-watch.fixture.ts";
import { play, type ScriptResult, scripts } from "./watch-script.fixture.ts";
import type { RecordedWrite } from "./watched-world.fixture.ts";

/**
 * Checks a property for every watch of random histories on one server, including slow ones and those that start
 * anywhere.
 */
function guaranteed(check: (watch: Recorded, history: readonly RecordedWrite[]) => void): Promise<void> {
  const property = fc.asyncProperty(scripts, async (script) => {
    const { watches, history } = await resultOf(script);
    for (const watch of watches) check(watch, history);
  });
  return fc.assert(property, { numRuns: 60 });
}

/** Returns the result of a script. All properties use one seed, so results are cached. */
function resultOf(script: Parameters<typeof play>[0]): Promise<ScriptResult> {
  const key = JSON.stringify(script);
  const result = results.get(key) ?? play(script);
  results.set(key, result);
  return result;
}

const results = new Map<string, Promise<ScriptResult>>();

/** Returns the events after the initial ones: changes and bookmarks, no errors. */
function later({ events, initial }: Recorded): WatchEvent[] {
  const start = initial ? events.findIndex(endsInitial) + 1 : 0;
  return events.slice(start).filter(({ type }) => type !== "ERROR");
}

/** Returns the changes. Without bookmarks, the end of the initial events is unknown. */
function changes(watch: Recorded): WatchEvent[] {
  return later(watch).filter(({ type }) => type !== "BOOKMARK");
}

const hasKnownStart = ({ initial, events }: Recorded): boolean => !initial || events.some(endsInitial);

const place = ({ type, object }: WatchEvent): string =>
  `${type} ${object.metadata.namespace}/${object.metadata.name} at ${object.metadata.resourceVersion}`;

test("ordered: no event of a watch is older than the one before it", () =>
  guaranteed((watch) => {
    if (!hasKnownStart(watch)) return;
    const revisions = later(watch).map(revisionOf);
    expect(revisions).toEqual([...revisions].sort((one, other) => one - other));
  }));

test("unique: no change is sent twice on a watch, nor on watches that resume it", () =>
  guaranteed((watch) => {
    const places = watch.events.filter(({ type }) => type !== "BOOKMARK" && type !== "ERROR").map(place);
    expect(places).toEqual([...new Set(places)]);
    if (hasKnownStart(watch))
      expect(changes(watch).every((events) => revisionOf(events) > watch.after)).toBe(true);
  }));

test("reliable: a watch sends every change in its scope, without gaps", () =>
  guaranteed((watch, history) => {
    if (!hasKnownStart(watch) || watch.after < watch.compacted) return;
    const events = changes(watch).map(place);
    const expected = expectedOf(history, watch).map(place);
    expect(events).toEqual(watch.complete ? expected : expected.slice(0, events.length));
  }));

test("atomic: a revision is one event with the complete object", () =>
  guaranteed((watch, history) => {
    const written = new Map(expectedOf(history, watch).map((events) => [revisionOf(events), events]));
    const events = changes(watch).filter((each) => revisionOf(each) > watch.after);
    expect(events.map(withoutDeletion)).toEqual(
      events.map((each) => withoutDeletion(written.get(revisionOf(each)))),
    );
    expect(new Set(events.map(revisionOf)).size).toBe(events.length);
  }));

/** Returns an event without the fields that a deletion sets. */
function withoutDeletion(events: WatchEvent | undefined): unknown {
  if (!events) return events;
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, ...metadata } = events.object.metadata;
  return { type: events.type, object: { ...events.object, metadata } };
}

test("resumable: a watch from a revision starts with the first change after it, or has expired", () =>
  guaranteed((watch, history) => {
    if (watch.initial) return;
    const expired = watch.events.filter(({ type }) => type === "ERROR").map(({ object }) => object.code);
    expect(expired).toEqual(watch.after < watch.compacted ? [410] : []);
    const [first] = expired.length > 0 ? [] : changes(watch);
    if (first) expect(place(first)).toBe(expectedOf(history, watch).map(place)[0]);
  }));

test("bookmarkable: a bookmark is not older than the events before it, and all changes after it are newer", () =>
  guaranteed((watch) => {
    const events = later(watch);
    const bookmarks = Array.from(events.entries()).filter(([, { type }]) => type === "BOOKMARK");
    const wrong = bookmarks.filter(([at, bookmark]) => {
      const revision = revisionOf(bookmark);
      const late = events.slice(at + 1).filter(({ type }) => type !== "BOOKMARK");
      return (
        events.slice(0, at).some((before) => revisionOf(before) > revision) ||
        late.some((change) => revisionOf(change) <= revision)
      );
    });
    expect(wrong).toEqual([]);
    if (!watch.bookmarks) expect(watch.events.some(({ type }) => type === "BOOKMARK")).toBe(false);
  }));

test("filtered: an object that enters a selection is ADDED, and one that leaves it is DELETED in its old form at the new revision", () =>
  guaranteed((watch, history) => {
    if (!hasKnownStart(watch) || !watch.complete || watch.scope.selector === "all") return;
    expect(changes(watch).map(summary)).toEqual(expectedOf(history, watch).map(summary));
  }));

function summary(events: WatchEvent): unknown {
  const { labels } = events.object.metadata;
  return { type: events.type, labels, phase: events.object.status?.phase, revision: revisionOf(events) };
}

test("initial: a watch with sendInitialEvents starts with all objects, followed by a bookmark", () =>
  guaranteed((watch, history) => {
    if (!watch.initial) return;
    const end = watch.events.findIndex(endsInitial);
    if (watch.bookmarks && watch.complete) expect(end).toBeGreaterThanOrEqual(0);
    const initial = end >= 0 ? watch.events.slice(0, end) : watch.events;
    const existing = existingAt(history, watch).map((object) => ({ type: "ADDED", object }));
    expect(initial.slice(0, existing.length)).toEqual(existing.slice(0, initial.length));
    if (end >= 0)
      expect([initial.length, watch.events[end] && revisionOf(watch.events[end])]).toEqual([
        existing.length,
        watch.after,
      ]);
  }));
