import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { maskedOutput } from "./masked-output.ts";
import { parseTranscript, printTranscript } from "./transcript.ts";

test("a transcript consists of prose and commands with their output", () => {
  const text = `# Title

Words.

    $ cat <<EOF
    > a
    >
    > EOF
    a

    b
    [1]
    $ true

More words.
`;
  expect(parseTranscript(text)).toEqual([
    { type: "prose", text: "# Title\n\n" },
    { type: "prose", text: "Words.\n\n" },
    { type: "command", command: "cat <<EOF\na\n\nEOF", output: "a\n\nb\n[1]" },
    { type: "command", command: "true", output: "" },
    { type: "prose", text: "More words.\n" },
  ]);
  expect(printTranscript(parseTranscript(text))).toBe(text);
});

test("every transcript survives a round trip", () => {
  const folder = new URL("./transcripts/", import.meta.url);
  const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
  expect(texts.map((text) => printTranscript(parseTranscript(text)))).toEqual(texts);
});

test.each([
  ["apple     2      95s\n\n", "apple  2  <age>"],
  ["web   500m (12%)   3m20s", "web  500m (12%)  <age>"],
  ["stall   ClusterIP   10.96.3.4   80:31234/TCP   4s", "stall  ClusterIP  <ip>  80:<port>/TCP  <age>"],
  [
    '    uid: 0e37df36-f698-11e6-8a8f-0242ac120002\n  resourceVersion: "12"',
    '    uid: <uid>\n  resourceVersion: "<version>"',
  ],
  ["+      app: web", "+      app: web"],
  ["I0102 03:04:05.678901   12 reflector.go:1] a word of its own\ndone", "done"],
])("%j is masked", (text, masked) => {
  expect(maskedOutput(text)).toBe(masked);
});
