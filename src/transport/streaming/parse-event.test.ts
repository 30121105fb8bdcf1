import { expect, test } from "vitest";
import { parseEvent } from "./parse-event.ts";

test.each([
  ['{"type":"ADDED","object":{"a":1}}', { type: "added", object: { a: 1 } }],
  ['{ "object":{}, "type":"MODIFIED" }', { type: "modified", object: {} }],
  ['{"type":"DELETED","object":{}}', { type: "deleted", object: {} }],
  [
    '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7","annotations":{"a":"b"}}}}',
    { type: "bookmark", metadata: { resourceVersion: "7", annotations: { a: "b" } } },
  ],
  ['{"type":"ERROR","object":{"code":410}}', { type: "error", status: { code: 410 } }],
])("%s is an event", (text, event) => {
  expect(parseEvent(text)).toEqual(event);
});

test.each([
  "null",
  "7",
  "{}",
  '{"type":"ADDED"}',
  '{"type":"ADDED","object":null}',
  '{"type":"ADDED","object":"a"}',
  '{"type":"MOVED","object":{}}',
  '{"object":{}}',
  '{"type":"BOOKMARK","object":{}}',
  '{"type":"BOOKMARK","object":{"metadata":{}}}',
])("%s is no event", (text) => {
  expect(parseEvent(text)).toBeUndefined();
});

test.each(["", "<html>", '{"type":"ADDED",'])("%j is not JSON, and throws", (text) => {
  expect(() => parseEvent(text)).toThrow(SyntaxError);
});
