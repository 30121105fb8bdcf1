import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfJson } from "../../transport/index.ts";
import { differsInScalars, type ReadableJson, stringEnds } from "./differs-in-scalars.ts";
import { readable } from "./json-validator.ts";
import { hostileObjects } from "./objects.fixture.ts";

/** Returns JSON between other bytes, as in a page of the cache. */
function json(text: string | Buffer): ReadableJson {
  const bytes = Buffer.concat([Buffer.from('":"'), Buffer.from(text), Buffer.from('"]}')]);
  return { ...readable(bytes), start: 3, end: bytes.length - 3 };
}

/** Compares without and with an index of the strings of the valid JSON. */
function proofs(valid: ReadableJson, candidate: ReadableJson): boolean[] {
  const indexed = { ...valid, stringEnds: stringEnds(valid) };
  return [valid, indexed].map((one) => differsInScalars(one, candidate));
}

test.each([
  ["a string", '{"a":"x","b":1}', '{"a":"yyy","b":1}'],
  ["strings that share their beginning", '{"a":"xy","b":1}', '{"a":"xyz","b":1}'],
  ["an empty string", '{"name":"","b":1}', '{"name":"z","b":1}'],
  ["a string of several bytes per character", '{"a":"é","b":1}', '{"a":"è","b":1}'],
  ["a number", '{"generation":9,"b":1}', '{"generation":10,"b":1}'],
  ["a literal", '{"ready":false,"b":1}', '{"ready":true,"b":1}'],
  ["elements of an array", '{"ports":[80,443],"b":1}', '{"ports":[8080,-4.5e1],"b":1}'],
  ["a null in place of an object", '{"ab":{"c":[1]},"b":1}', '{"ab":null,"b":1}'],
  ["the name of a member", '{"ab":1,"b":1}', '{"ac":1,"b":1}'],
  ["nothing", '{"ab":1}', '{"ab":1}'],
])("JSON that differs in %s is proven to be valid", (_, valid, candidate) => {
  expect(proofs(json(valid), json(candidate))).toEqual([true, true]);
});

test.each([
  ["a control character", '{"ab":"xy"}', '{"ab":"x\n"}'],
  ["a bad escape", '{"ab":"xy"}', '{"ab":"x\\q"}'],
  ["a string that ends early", '{"ab":"xyz"}', '{"ab":"x"z"}'],
  ["a string that does not end", '{"ab":"xyz"}', '{"ab":"xyz}'],
  ["a bad number", '{"ab":12}', '{"ab":1-2}'],
  ["a bad literal", '{"ab":true}', '{"ab":trUe}'],
  ["a name that is a number", '{"ab":1,"cd":2}', '{"ab":1,5:2}'],
  ["another bracket", '{"ab":[1]}', '{"ab":[1}}'],
  ["no bracket", '{"ab":[1]}', '{"ab":[1}'],
  ["an element less", '{"ab":[1,2]}', '{"ab":[1,]}'],
  ["half an escape", '{"ab":"\\u00e9"}', '{"ab":"\\u00z9"}'],
  ["an escaped end", '{"ab":"x\\n"}', '{"ab":"x\\"}'],
  ["an object in place of a number", '{"ab":1}', '{"ab":{}}'],
])("JSON with %s is not proven to be valid", (_, valid, candidate) => {
  expect(proofs(json(valid), json(candidate))).toEqual([false, false]);
});

const corruption = fc.record({ place: fc.nat(), byte: fc.nat({ max: 255 }), length: fc.nat({ max: 2 }) });

test("no object with a corrupt byte is proven to be valid", () => {
  fc.assert(
    fc.property(hostileObjects, corruption, (object, { place, byte, length }) => {
      const text = Buffer.from(JSON.stringify(object));
      const at = place % text.length;
      const corrupt = Buffer.concat([text.subarray(0, at), Buffer.from([byte]), text.subarray(at + length)]);
      const candidate = json(corrupt);
      const proven = proofs(json(text), candidate).some(Boolean);
      if (proven) expect(endOfJson(candidate.bytes, candidate.start)).toBe(candidate.end);
    }),
    { numRuns: 2000 },
  );
});

test("an object is proven by another only if it is valid", () => {
  fc.assert(
    fc.property(hostileObjects, hostileObjects, (one, other) => {
      expect(proofs(json(JSON.stringify(one)), json(JSON.stringify(one)))).toEqual([true, true]);
      const candidate = json(JSON.stringify(other));
      if (proofs(json(JSON.stringify(one)), candidate).some(Boolean)) {
        expect(endOfJson(candidate.bytes, candidate.start)).toBe(candidate.end);
      }
    }),
  );
});
