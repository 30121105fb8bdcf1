import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import { SpamFilter, Tallies } from "./tally.ts";

const menu = { kind: "ConfigMap", namespace: "default", name: "menu", uid: "u", apiVersion: "v1" };

function event(note: string, more: Partial<RecordedEvent> = {}): RecordedEvent {
  return {
    type: "Normal",
    reason: "Served",
    note,
    action: "Reconcile",
    regarding: menu,
    component: "shop",
    instance: "host",
    atMs: 0,
    ...more,
  };
}

function counted(tallies: Tallies, given: RecordedEvent): [string, number] {
  const { note, count } = tallies.count(given);
  return [note, count];
}

const tallies = () => new Tallies(() => "name");
const notes = (count: number) => Array.from({ length: count }, (_, at) => `note ${at}`);

test("repetitions of an event are counted", () => {
  const all = tallies();
  const counts = Array.from({ length: 11 }, () => counted(all, event("soup"))[1]);
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test("from the tenth note on, similar events are combined", () => {
  const known = tallies();
  const all = notes(12).map((note) => counted(known, event(note)));
  expect(all.slice(0, 9)).toEqual(notes(9).map((note) => [note, 1]));
  expect(all.slice(9)).toEqual([
    ["(combined from similar events): note 9", 1],
    ["(combined from similar events): note 10", 2],
    ["(combined from similar events): note 11", 3],
  ]);
});

test("the same note about another field of the object is not another note", () => {
  const known = tallies();
  const { regarding } = event("");
  const all = notes(12).map((part) =>
    counted(known, event("soup", { regarding: { ...regarding, fieldPath: part } })),
  );
  expect(all).toEqual(notes(12).map(() => ["soup", 1]));
});

test.each<[string, Partial<RecordedEvent>]>([
  ["reason", { reason: "Eaten" }],
  ["type", { type: "Warning" }],
  ["component", { component: "bar" }],
  ["instance", { instance: "other" }],
  ["kind", { regarding: { ...menu, kind: "Secret" } }],
  ["namespace", { regarding: { ...menu, namespace: "other" } }],
  ["name", { regarding: { ...menu, name: "bill" } }],
  ["object of the same name", { regarding: { ...menu, uid: "other" } }],
  ["version of the API", { regarding: { ...menu, apiVersion: "v2" } }],
])("events with another %s are not similar", (_, more) => {
  const known = tallies();
  for (const note of notes(9)) known.count(event(note));
  expect(counted(known, event("soup", more))).toEqual(["soup", 1]);
  expect(counted(known, event("soup"))).toEqual(["(combined from similar events): soup", 1]);
});

test.each<[string, Partial<RecordedEvent>]>([
  ["action", { action: "Cooking" }],
  ["related object", { related: { kind: "ConfigMap", name: "bill" } }],
  ["part of the object", { regarding: { ...menu, fieldPath: "data{soup}" } }],
])("the same note with another %s is counted separately", (_, more) => {
  const known = tallies();
  for (const given of [event("soup"), event("soup", more), event("soup")]) known.count(given);
  expect([counted(known, event("soup")), counted(known, event("soup", more))]).toEqual([
    ["soup", 3],
    ["soup", 2],
  ]);
});

test("another resource version of the object is the same object", () => {
  const known = tallies();
  known.count(event("soup", { regarding: { ...menu, resourceVersion: "1" } }));
  expect(counted(known, event("soup", { regarding: { ...menu, resourceVersion: "2" } }))).toEqual([
    "soup",
    2,
  ]);
});

test("events ten minutes apart are not combined", () => {
  const known = tallies();
  const all = notes(30).map((note, at) => counted(known, event(note, { atMs: at * 600_000 })));
  expect(all).toEqual(notes(30).map((note) => [note, 1]));
});

test("events less than ten minutes apart are combined, for any duration", () => {
  const known = tallies();
  const all = notes(11).map((note, at) => counted(known, event(note, { atMs: at * 599_000 })));
  expect(all.slice(8)).toEqual([
    ["note 8", 1],
    ["(combined from similar events): note 9", 1],
    ["(combined from similar events): note 10", 2],
  ]);
});

test("after 25 events about an object, further ones are filtered until five minutes have passed", async () => {
  const clock = new VirtualClock();
  const spam = new SpamFilter(clock);
  for (const note of notes(25)) {
    expect(spam.passes(event(note))).toBe(true);
    await clock.advance(1_000);
  }
  expect([spam.passes(event("soup")), spam.passes(event("soup", { reason: "Eaten" }))]).toEqual([
    false,
    false,
  ]);
  await clock.advance(275_000);
  expect([spam.passes(event("soup")), spam.passes(event("soup"))]).toEqual([true, false]);
});

test("events about other objects and of the other type pass", () => {
  const spam = new SpamFilter(new VirtualClock());
  const { regarding } = event("");
  for (const name of notes(30))
    expect(spam.passes(event("soup", { regarding: { ...regarding, name } }))).toBe(true);
  for (const note of notes(25)) spam.passes(event(note));
  expect([spam.passes(event("soup")), spam.passes(event("soup", { type: "Warning" }))]).toEqual([
    false,
    true,
  ]);
});

test("at most 4096 events are remembered", () => {
  const known = tallies();
  const { regarding } = event("");
  const about = (name: string) => event("soup", { regarding: { ...regarding, name } });
  for (let each = 0; each < 4096; each += 1) known.count(about(`object-${each}`));
  expect(counted(known, about("object-0"))).toEqual(["soup", 2]);
  known.count(about("one more"));
  expect([known.size, counted(known, about("object-0")), counted(known, about("object-1"))]).toEqual([
    4096,
    ["soup", 3],
    ["soup", 1],
  ]);
});
