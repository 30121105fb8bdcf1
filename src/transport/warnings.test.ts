import { expect, test } from "vitest";
import { warningsIn, warningsOnce } from "./warnings.ts";

test.each<{ title: string; warning: string | readonly string[]; texts: string[] }>([
  { title: "one", warning: '299 - "v1 is deprecated"', texts: ["v1 is deprecated"] },
  { title: "one with an agent", warning: '299 kube-apiserver "old"', texts: ["old"] },
  { title: "one with a date", warning: '299 - "old" "Wed, 21 Oct 2026 07:28:00 GMT"', texts: ["old"] },
  { title: "several headers", warning: ['299 - "a"', '299 - "b"'], texts: ["a", "b"] },
  {
    title: "several in one header",
    warning: '299 - "a", 299 x "b" "a date",299 - "c"',
    texts: ["a", "b", "c"],
  },
  { title: "commas in the text", warning: '299 - "a, 299 - b", 299 - "c"', texts: ["a, 299 - b", "c"] },
  {
    title: "escapes",
    warning: String.raw`299 - "say \"no\" to a\\b, 299 - \"x\"", 299 - "c"`,
    texts: ['say "no" to a\\b, 299 - "x"', "c"],
  },
  { title: "other codes", warning: '199 - "misc", 214 - "transformed", 299 - "ours"', texts: ["ours"] },
  { title: "a text that looks like one", warning: '199 - "a, 299 b" "c"', texts: [] },
  { title: "no text", warning: '299 - "", 299 - "b"', texts: ["b"] },
  { title: "what follows nonsense", warning: '299 - "a", nonsense, 299 - "b"', texts: ["a"] },
  { title: "an unfinished one", warning: '299 - "a', texts: [] },
  { title: "a header after a broken one", warning: ["nonsense", '299 - "b"'], texts: ["b"] },
  {
    title: "UTF-8, a character a byte",
    warning: Buffer.from('299 - "zurück 🚢"').toString("latin1"),
    texts: ["zurück 🚢"],
  },
  { title: "characters that were none", warning: '299 - "zur\u00fcck"', texts: ["zurück"] },
])("$title gives $texts", ({ warning, texts }) => {
  expect(warningsIn({ warning })).toEqual(texts);
});

test("no header, no warning", () => {
  expect(warningsIn({})).toEqual([]);
});

test("each different warning is reported once", () => {
  const warnings: string[] = [];
  const onWarning = warningsOnce((text) => warnings.push(text));
  for (const text of ["a", "b", "a", "c", "b", "a"]) onWarning(text);
  expect(warnings).toEqual(["a", "b", "c"]);
});

test("the last thousand warnings are remembered, and a forgotten one is reported again", () => {
  const warnings: string[] = [];
  const onWarning = warningsOnce((text) => warnings.push(text));
  onWarning("often");
  onWarning("once");
  for (let index = 0; index < 999; index++) {
    onWarning(`${index}`);
    onWarning("often");
  }
  expect(warnings.length).toBe(1001);
  for (const text of ["often", "once", "998"]) onWarning(text);
  expect(warnings.slice(1001)).toEqual(["once"]);
});
