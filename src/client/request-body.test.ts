import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { connected } from "./connected.fixture.ts";
import { createOrPatch, createOrUpdate } from "./create-or-update.ts";
import { jsonBody } from "./request-body.ts";

test.each([
  [{ metadata: { generation: Number.MAX_SAFE_INTEGER }, spec: { low: Number.MIN_SAFE_INTEGER } }],
  [{ text: "9007199254740993", texts: ["12345678901234567890"] }],
  [
    {
      fraction: 1234567890123456.5,
      tiny: 1e-300,
      huge: 1e300,
      float: 2 ** 64,
      digits: 123456789012345680000,
    },
  ],
  [null],
])("%j is sent unchanged", (value) => {
  expect(jsonBody(value)).toBe(JSON.stringify(value));
});

test.each<[unknown, string]>([
  [{ spec: { size: 2 ** 53 } }, "got 9007199254740992 at spec.size,"],
  [{ spec: { size: -(2 ** 53) } }, "got -9007199254740992 at spec.size,"],
  [{ spec: { size: 9223372036854775807n.toString(), max: Number(9223372036854775807n) } }, "at spec.max,"],
  [{ spec: { list: [1, { "a.b/c": 2 ** 60 }] } }, 'got 1152921504606847000 at spec.list[1]["a.b/c"],'],
  [[{ op: "add", path: "/spec/size", value: 2 ** 55 }], "at [0].value,"],
  [2 ** 63, "at the top,"],
])("%j is refused with the path of the number", (value, message) => {
  expect(() => jsonBody(value)).toThrow(RangeError);
  expect(() => jsonBody(value)).toThrow(message);
});

/** A kind whose objects may have any fields. */
const Counter = {
  group: "example.dev",
  version: "v1",
  kind: "Counter",
  plural: "counters",
  namespaced: true,
};
/** The object as a server sends it. The number is rounded when the text is parsed. */
const read = `{"apiVersion":"example.dev/v1","kind":"Counter","metadata":{"name":"a","namespace":"default"},"spec":{"count":9007199254740993,"steps":[9007199254740993],"step":1}}`;

test("no write sends a number that lost digits when it was read", async () => {
  const { client, transport } = connected({ body: JSON.parse(read) as object });
  const object = await client.get(Counter, "a");
  const lossy = object as never;
  const writes = [
    () => client.update(Counter, lossy),
    () => client.create(Counter, lossy),
    () => client.apply(Counter, lossy),
    () => client.applyStatus(Counter, "a", lossy),
    () => client.patch(Counter, "a", { merge: lossy }),
    () => client.patch(Counter, "a", { strategic: lossy }),
    () => client.patch(Counter, "a", { json: [{ op: "add", path: "/spec", value: lossy }] }),
    () => client.subresource(Counter, "a", "scale").update(lossy),
    () => client.subresource(Counter, "a", "scale").apply(lossy),
  ];
  for (const write of writes) await expect(write()).rejects.toThrow("got 9007199254740992 at ");
  expect(transport.requests).toHaveLength(1);
});

test("createOrUpdate is refused for such an object, and createOrPatch writes the other fields", async () => {
  const object = JSON.parse(read) as object;
  const { client, transport } = connected({ body: object }, { body: object }, { body: object });
  const mutate = (counter: object): void => void Object.assign(Reflect.get(counter, "spec"), { step: 2 });
  await expect(createOrUpdate(client, Counter, { key: "a", mutate })).rejects.toThrow(
    "expected integers below 2^53, which JavaScript represents exactly, got 9007199254740992 at spec.count, " +
      "whose last digits may have been lost when it was read: write only the other fields, with patch or apply",
  );
  await createOrPatch(client, Counter, { key: "a", mutate });
  expect(transport.requests.map(({ method, body }) => [method, body])).toEqual([
    ["GET", undefined],
    ["GET", undefined],
    ["PATCH", '{"spec":{"step":2},"metadata":{}}'],
  ]);
});

test("objects without such numbers are written", async () => {
  const { client, transport } = connected({});
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { id: "9007199254740993" } });
  expect(transport.requests).toHaveLength(1);
});
