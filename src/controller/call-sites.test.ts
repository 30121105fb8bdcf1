import { expect, onTestFinished, test } from "vitest";
import { CallSites } from "./call-sites.ts";

const sites = (): ((call: string) => string[]) => {
  const seen = new CallSites();
  return function note(call: string): string[] {
    return [...seen.note(call, note)].map((place) => place.replace(/:\d+:\d+$/, ""));
  };
};

const thisFile = "src/controller/call-sites.test.ts";

/** Two callers of one method, with their lines. */
function callers(): { readonly first: () => string[]; readonly second: () => string[] } {
  const seen = new CallSites();
  function note(): string[] {
    return [...seen.note("patch Pod", note)];
  }
  const first = (): string[] => note();
  const second = (): string[] => note();
  return { first, second };
}

test("the first calls are named by their own place", () => {
  const { first, second } = callers();
  const [one] = first();
  const [two] = second();
  expect([one?.startsWith(thisFile), two?.startsWith(thisFile), one === two]).toEqual([true, true, false]);
  expect([first(), second()]).toEqual([[one], [two]]);
});

test("later calls are named by the places of the calls before", () => {
  const { first, second } = callers();
  const places = [...first(), ...second()];
  for (let index = 2; index < 60; index++) first();
  expect([first(), second()]).toEqual([places, places]);
});

test("a place that calls for the first time after many calls is found by a sample", () => {
  const { first, second } = callers();
  const [one] = first();
  for (let index = 0; index < 100; index++) first();
  expect(second()).toEqual([one]);
  for (let index = 0; index < 256; index++) second();
  expect(first()).toHaveLength(2);
});

test("calls of another name have their own places", () => {
  const note = sites();
  for (let index = 0; index < 60; index++) note("patch Pod");
  expect(note("patch Node")).toEqual([thisFile]);
});

test("a program's own stack traces break no call", () => {
  const original = Error.prepareStackTrace;
  onTestFinished(() => {
    Error.prepareStackTrace = original;
  });
  const note = sites();
  const { stackTraceLimit } = Error;
  for (const prepare of [() => [], () => undefined, () => Promise.reject.apply(undefined)]) {
    Error.prepareStackTrace = prepare;
    expect([note("patch Pod"), Error.stackTraceLimit]).toEqual([[], stackTraceLimit]);
  }
});
