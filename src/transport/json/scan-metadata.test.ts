import fc from "fast-check";
import { expect, test } from "vitest";
import { objects, withoutManagedFields } from "./objects.fixture.ts";
import { MetadataScan } from "./scan-metadata.ts";

/** Shared, as in production: a scan must not keep results of the previous object. */
const scan = new MetadataScan();

/** Returns the scan's result for the object from `start` to `end` of `bytes`. */
function found(bytes: Buffer, start: number, end: number): unknown {
  const { name, namespace, resourceVersion, cutStart, cutEnd } = scan;
  const cut = Buffer.concat([bytes.subarray(start, cutStart || start), bytes.subarray(cutEnd || start, end)]);
  return {
    identity: { name, namespace, resourceVersion },
    version: String(bytes.subarray(scan.versionEnd - resourceVersion.length - 2, scan.versionEnd)),
    metadata: JSON.parse(String(bytes.subarray(scan.metadataStart, scan.metadataEnd))),
    cut: JSON.parse(String(cut)),
  };
}

/** Returns the same result from the parsed object. */
function expected(text: string): unknown {
  const object = JSON.parse(text);
  const { name, namespace = "", resourceVersion } = object.metadata;
  return {
    identity: { name, namespace, resourceVersion },
    version: JSON.stringify(resourceVersion),
    metadata: object.metadata,
    cut: withoutManagedFields(object),
  };
}

/** Objects, half of which begin as servers write them. */
const texts = fc
  .tuple(objects, fc.boolean())
  .map(([{ kind, apiVersion, ...object }, typed]) =>
    JSON.stringify(typed ? { kind: "Pod", apiVersion: "v1", ...object } : { ...object, kind, apiVersion }),
  );

test("a scan finds the same as a parser, with and without bytes around the object", () => {
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom("", "before\n"),
      fc.constantFrom("", "}\nafter"),
      (text, before, after) => {
        const bytes = Buffer.from(before + text + after);
        const end = bytes.length - after.length;
        expect(scan.within(bytes, before.length, end)).toBe(true);
        expect(found(bytes, before.length, end)).toEqual(expected(text));
        expect(scan.to(bytes, before.length)).toBe(end);
        expect(found(bytes, before.length, end)).toEqual(expected(text));
      },
    ),
    { numRuns: 1000 },
  );
});

test("the type and the kind are found at any position", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const bytes = Buffer.from(text);
      const { kind, apiVersion } = JSON.parse(text);
      scan.to(bytes, 0);
      expect(scan.typed).toBe(kind !== undefined && apiVersion !== undefined);
      const kindText = scan.kindEnd === 0 ? undefined : String(bytes.subarray(scan.kindStart, scan.kindEnd));
      expect(kindText).toBe(JSON.stringify(kind));
    }),
  );
});

test("a truncated object has no end", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const bytes = Buffer.from(text);
      for (let length = 1; length < bytes.length; length++) {
        expect(scan.to(bytes.subarray(0, length), 0)).toBeLessThan(0);
      }
    }),
    { numRuns: 50 },
  );
});
