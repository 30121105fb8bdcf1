import { expect, test } from "vitest";
import { JsonSyntaxError } from "../../schema/index.ts";
import { readYaml, type YamlDocument } from "./yaml-document.ts";

function read(text: string): Promise<YamlDocument> {
  return readYaml(Buffer.from(text));
}

// The values are those of kube-apiserver 1.36.3.
test.each([
  ["2020-01-01", "2020-01-01"],
  ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"],
  ["1:30", "1:30"],
  ["=", "="],
  ["!!str 5", "5"],
  ["!!binary aGk=", "hi"],
  ["'yes'", "yes"],
  ["~", null],
  ["NULL", null],
  ["", null],
  ["yes", true],
  ["On", true],
  ["n", false],
  ["1_000", 1000],
  ["_1", "_1"],
  ["._1", "._1"],
  ["012", 10],
  ["0o12", 10],
  ["0x10", 16],
  ["0b11", 3],
  ["+5", 5],
  ["-0", 0],
  ["08", 8],
  ["1.", 1],
  [".5", 0.5],
  ["1e3", 1000],
  ["9007199254740993", 9007199254740993n],
  ["-9223372036854775808", -9223372036854775808n],
])("%s in YAML is %s", async (text, value) => {
  const { value: found } = await read(`k: ${text}\n`);
  expect(found).toEqual({ k: value });
});

test("keys that are not strings are converted to strings", async () => {
  const { value } = await read("{1: a, 1.5: b, true: c, y: d, 0x10: e}");
  expect(value).toEqual({ "1": "a", "1.5": "b", true: "d", "16": "e" });
});

test("repeated keys are reported with their lines, and the last value is taken", async () => {
  const { value, repeated } = await read("a: 1\nb: {c: 1, c: 2}\na: 2\n");
  expect({ value, repeated }).toEqual({
    value: { a: 2, b: { c: 2 } },
    repeated: ['line 2: key "c" already set in map', 'line 3: key "a" already set in map'],
  });
});

test("only the first of several documents is read", async () => {
  expect((await read("a: 1\n---\nb: 2\n")).value).toEqual({ a: 1 });
  expect((await read("")).value).toBeNull();
});

test("aliases are replaced by their anchors, and explicit keys take precedence over merge keys", async () => {
  const { value } = await read("base: &base {a: 1, b: 2}\nother: *base\nmine: {b: 3, <<: *base}\n");
  expect(value).toEqual({ base: { a: 1, b: 2 }, other: { a: 1, b: 2 }, mine: { b: 3, a: 1 } });
});

test("__proto__ and other special keys are ordinary keys", async () => {
  const { value } = await read("__proto__: {polluted: true}\nconstructor: 1\n");
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each([
  ["a: *x", "yaml: unknown anchor 'x' referenced"],
  ["a: &x [*x]", "yaml: anchor 'x' value contains itself"],
  ["a: b: c", "yaml: mapping values are not allowed in this context"],
  ["a: @b", "yaml: found character that cannot start any token"],
  ["a:\n\tb: c", "yaml: line 2: found character that cannot start any token"],
  ["a: .inf", "json: unsupported value: +Inf"],
  ["a: .nan", "json: unsupported value: NaN"],
  ["<<: 5", "yaml: map merge requires map or sequence of maps as the value"],
  ["{null: q}", 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "q"'],
])("%j is refused: %s", async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test("an anchor that grows without bound is refused", async () => {
  const bomb = [
    "a0: &a0 [x]",
    ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`),
  ];
  await expect(read(bomb.join("\n"))).rejects.toThrow("yaml: document contains excessive aliasing");
});

// The messages are those of kube-apiserver 1.36.3.
test.each([
  ["a: 1\nb: {x: y\n", "yaml: line 2: did not find expected ',' or '}'"],
  ["a: {x: y\nb: 1\n", "yaml: line 1: did not find expected ',' or '}'"],
  ["a: 1\nb:\n  c: [1,\n  2", "yaml: line 4: did not find expected ',' or ']'"],
  ["a: 'x", "yaml: found unexpected end of stream"],
  ['a: "x\\q"', "yaml: found unknown escape character"],
  ["a: - x", "yaml: block sequence entries are not allowed in this context"],
  ["a: \u0001b", "yaml: control characters are not allowed"],
  ["a: b\ufeff", "yaml: control characters are not allowed"],
  [`a: ${"[".repeat(10_002)}${"]".repeat(10_002)}`, "yaml: exceeded max depth of 10000"],
])("%j is refused with Go's message", async (text, message) => {
  await expect(read(text)).rejects.toThrow(new JsonSyntaxError(message));
});

test.each([
  [[0xc3], "yaml: incomplete UTF-8 octet sequence"],
  [[0xc3, 0x28], "yaml: invalid trailing UTF-8 octet"],
  [[0x80], "yaml: invalid leading UTF-8 octet"],
  [[0xed, 0xa0, 0x80], "yaml: invalid Unicode character"],
  [[0xf5, 0x80, 0x80, 0x80], "yaml: invalid Unicode character"],
  [[0xc0, 0x80], "yaml: invalid length of a UTF-8 sequence"],
])("the bytes %j are refused", async (bytes, message) => {
  await expect(readYaml(Buffer.from([0x61, 0x3a, 0x20, ...bytes]))).rejects.toThrow(
    new JsonSyntaxError(message),
  );
});

test("aliases are expanded up to the limit of Go's parser", async () => {
  const times = (count: number): string => `x: &x [1,1,1,1,1,1,1,1,1]\nz: [${"*x,".repeat(count)}]\n`;
  const { value } = await read(times(2000));
  expect((value as { z: unknown[] }).z.length).toBe(2000);
});

test("an alias refers to the last anchor of its name before it", async () => {
  const { value } = await read("a: &x 1\nb: *x\nc: &x 2\nd: *x\n");
  expect(value).toEqual({ a: 1, b: 1, c: 2, d: 2 });
});
