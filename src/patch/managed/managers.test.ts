import { expect, test } from "vitest";
import type { ManagedFieldsEntry } from "../../api/index.ts";
import { parseManagers, printManagers } from "./managers.ts";

test("entries are sorted by operation, time, manager, version and subresource, those without time first", () => {
  const sorted = [
    entry({ manager: "b", operation: "Apply" }),
    entry({ manager: "a", operation: "Apply", time: "2026-01-01T00:00:00Z" }),
    entry({ manager: "c", operation: "Update", time: "2026-01-01T00:00:00Z" }),
    entry({ manager: "a", operation: "Update", time: "2026-01-01T00:00:01Z" }),
    entry({ manager: "a", operation: "Update", time: "2026-01-01T00:00:01Z", subresource: "status" }),
    entry({ manager: "a", operation: "Update", time: "2026-01-01T00:00:01Z", apiVersion: "v2" }),
    entry({ manager: "b", operation: "Update", time: "2026-01-01T00:00:01Z" }),
  ];
  expect(printManagers(parseManagers(sorted.toReversed()).values())).toEqual(sorted);
});

test("an entry is encoded with its fields in the server's order", () => {
  const sent = entry({
    manager: "a",
    operation: "Update",
    time: "2026-01-01T00:00:00Z",
    subresource: "status",
  });
  expect(JSON.stringify(printManagers(parseManagers([sent]).values()))).toBe(
    '[{"manager":"a","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z",' +
      '"fieldsType":"FieldsV1","fieldsV1":{"f:data":{}},"subresource":"status"}]',
  );
});

test("the last of two entries with the same identity wins; the version distinguishes updates, not applies", () => {
  const entries = [
    entry({ manager: "a", operation: "Apply", apiVersion: "v1" }),
    entry({ manager: "a", operation: "Apply", apiVersion: "v2" }),
    entry({ manager: "a", operation: "Update", apiVersion: "v1" }),
    entry({ manager: "a", operation: "Update", apiVersion: "v2" }),
    entry({ manager: "a", operation: "Update", apiVersion: "v2", fieldsV1: { "f:last": {} } }),
  ];
  expect(printManagers(parseManagers(entries).values())).toEqual([entries[1], entries[2], entries[4]]);
});

test.each([
  [{ operation: "Bad" }, "operation must be `Apply` or `Update`"],
  [{ apiVersion: "" }, "apiVersion must not be empty"],
  [{ fieldsType: "FieldsV2" }, 'invalid fieldsType "FieldsV2" in managed fields entry 0'],
  [{ fieldsType: "" }, "missing fieldsType in managed fields entry 0"],
  [{ fieldsV1: { "f:a": 1 } }, "expected an object as a set of fields, got 1"],
])("an entry with %j is invalid", (part, message) => {
  expect(() => parseManagers([{ ...entry({}), ...part }])).toThrow(message);
});

test("an empty set of managers is encoded as undefined", () => {
  expect(printManagers([])).toBeUndefined();
});

function entry(part: Partial<ManagedFieldsEntry>): ManagedFieldsEntry {
  return {
    manager: "a",
    operation: "Update",
    apiVersion: "v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": {} },
    ...part,
  };
}
