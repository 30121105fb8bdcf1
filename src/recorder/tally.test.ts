import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import type { RecordedEvent } from "./recorded-event.ts";
import { SpamFilter } from "./spam-filter.ts";
import { Tallies } from "./tally.ts";

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

function told(tallies: Tallies, given: RecordedEvent): [string, number] {
  const { note, count } = tallies.count(given);
  return [note, count];
}

const tallies = () => new Tallies(() => "name");
const notes = (count: number) => Array.from({ length: count }, (_, at) => `note ${at}`);

test("the same event is counted, however often it comes", () => {
  const counted = tallies();
  const counts = Array.from({ length: 11 }, () => told(counted, event("soup"))[1]);
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test("from the tenth way to say it, similar events are one", () => {
  const counted = tallies();
  const all = notes(12).map((note) => told(counted, event(note)));
  expect(all.slice(0, 9)).toEqual(notes(9).map((note) => [note, 1]));
  expect(all.slice(9)).toEqual([
    ["(combined from similar events): note 9", 1],
    ["(combined from similar events): note 10", 2],
    ["(combined from similar events): note 11", 3],
  ]);
});

test("the same words about another part of the object are no other way to say it", () => {
  const counted = tallies();
  const { regarding } = event("");
  const all = notes(12).map((part) =>
    told(counted, event("soup", { regarding: { ...regarding, fieldPath: part } })),
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
])("events of another %s are not similar", (_, more) => {
  const counted = tallies();
  for (const note of notes(9)) counted.count(event(note));
  expect(told(counted, event("soup", more))).toEqual(["soup", 1]);
  expect(told(counted, event("soup"))).toEqual(["(combined from similar events): soup", 1]);
});

test.each<[string, Partial<RecordedEvent>]>([
  ["action", { action: "Cooking" }],
  ["related object", { related: { kind: "ConfigMap", name: "bill" } }],
  ["part of the object", { regarding: { ...menu, fieldPath: "data{soup}" } }],
])("the same words about another %s are counted apart", (_, more) => {
  const counted = tallies();
  for (const given of [event("soup"), event("soup", more), event("soup")]) counted.count(given);
  expect([told(counted, event("soup")), told(counted, event("soup", more))]).toEqual([
    ["soup", 3],
    ["soup", 2],
  ]);
});

test("another version of the object is the same object", () => {
  const counted = tallies();
  counted.count(event("soup", { regarding: { ...menu, resourceVersion: "1" } }));
  expect(told(counted, event("soup", { regarding: { ...menu, resourceVersion: "2" } }))).toEqual(["soup", 2]);
});

test("events ten minutes apart are not put together", () => {
  const counted = tallies();
  const all = notes(30).map((note, at) => told(counted, event(note, { atMs: at * 600_000 })));
  expect(all).toEqual(notes(30).map((note) => [note, 1]));
});

test("events less than ten minutes apart are put together, however long that goes on", () => {
  const counted = tallies();
  const all = notes(11).map((note, at) => told(counted, event(note, { atMs: at * 599_000 })));
  expect(all.slice(8)).toEqual([
    ["note 8", 1],
    ["(combined from similar events): note 9", 1],
    ["(combined from similar events): note 10", 2],
  ]);
});

test("of 25 events at once about an object the next is kept back, whatever its reason, until five minutes have passed", async () => {
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

test("events about other objects, and of the other type, pass", () => {
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

test("only the latest 4096 events are remembered", () => {
  const counted = tallies();
  const { regarding } = event("");
  const about = (name: string) => event("soup", { regarding: { ...regarding, name } });
  for (let each = 0; each < 4096; each += 1) counted.count(about(`object-${each}`));
  expect(told(counted, about("object-0"))).toEqual(["soup", 2]);
  counted.count(about("one more"));
  expect([counted.size, told(counted, about("object-0")), told(counted, about("object-1"))]).toEqual([
    4096,
    ["soup", 3],
    ["soup", 1],
  ]);
});
