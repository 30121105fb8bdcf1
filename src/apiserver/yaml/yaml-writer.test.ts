import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readYaml } from "./yaml-document.ts";
import { hostileTexts, hostileYamlValue } from "./yaml-values.fixture.ts";
import { writeYaml, yamlSteps } from "./yaml-writer.ts";

test("a written value is read back unchanged, as YAML 1.1 and as YAML 1.2", async () => {
  await fc.assert(
    fc.asyncProperty(hostileYamlValue, async (value) => {
      const text = writeYaml({ value });
      const { value: read } = await readYaml(Buffer.from(text));
      const byPackage = (["1.1", "1.2"] as const).map((version) =>
        parse(text, { version, logLevel: "error" }),
      );
      expect([read, ...byPackage]).toEqual([{ value }, { value }, { value }]);
    }),
  );
});

test.each(hostileTexts.map((text) => JSON.stringify(text)))("%s is a text", async (json) => {
  const text: unknown = JSON.parse(json);
  const { value } = await readYaml(Buffer.from(writeYaml({ a: [text], b: { c: text } })));
  expect(value).toEqual({ a: [text], b: { c: text } });
});

test.each([
  [
    { a: 1, b: { c: [1, [2, [], {}], { d: null }] } },
    "a: 1\nb:\n  c:\n  - 1\n  - - 2\n    - []\n    - {}\n  - d: null\n",
  ],
  [{ a: "x\n y\n", b: ["x\ny", "x\n\n"] }, "a: |\n  x\n   y\nb:\n- |-\n  x\n  y\n- |+\n  x\n\n"],
  [{ image: "nginx:1.2", command: "/bin/sh -c x" }, "image: nginx:1.2\ncommand: /bin/sh -c x\n"],
  [{ on: "yes", "0o7": "1_000", "=": "~" }, '"on": "yes"\n"0o7": "1_000"\n"=": "~"\n'],
  // Line ends of YAML 1.1, which are not in YAML 1.2.
  [{ a: "x\u2028y\u2029\u0085" }, 'a: "x\\u2028y\\u2029\\u0085"\n'],
  [{ a: "\ud800", b: 9007199254740993n }, 'a: "\ufffd"\nb: 9007199254740993\n'],
  [{ [`a b ${"c".repeat(1_000)}`]: [{ d: 1 }] }, `? "a b ${"c".repeat(1_000)}"\n:\n- d: 1\n`],
  [[], "[]\n"],
  ["a\nb", '"a\\nb"\n'],
])("%o is written in the usual notation", (value, text) => {
  expect(writeYaml(value)).toBe(text);
});

test("a long object is written in steps of 256 entries", () => {
  const value = { list: Array.from({ length: 1_000 }, (_, index) => ({ index })) };
  let steps = 0;
  for (const _ of yamlSteps(value)) steps += 1;
  expect(steps).toBe(Math.floor((1 + 1_000 * 3 + 2) / 256));
});
