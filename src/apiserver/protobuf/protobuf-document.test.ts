import { expect, test } from "vitest";
import { valueCounter } from "../codec/body-limit.ts";
import { readProtobuf } from "./protobuf-document.ts";

const configMap = { group: "", version: "v1", kind: "ConfigMap" };

/** Returns a field with bytes. */
function field(number: number, ...parts: ReadonlyArray<string | Buffer>): Buffer {
  const value = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

function read(kind: typeof configMap, ...object: readonly Buffer[]): unknown {
  const bytes = Buffer.concat([Buffer.from("k8s\0"), field(2, ...object)]);
  return readProtobuf(bytes, kind, valueCounter(kind)).value;
}

test("an object is read into its JSON form", () => {
  const metadata = field(1, field(1, "a"), field(2, ""), field(8), field(11, field(1, "k"), field(2, "")));
  expect(read(configMap, metadata, field(3, field(1, "b"), field(2, Buffer.from([255]))))).toEqual({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", labels: { k: "" } },
    binaryData: { b: "/w==" },
  });
});

test("keys of a map that are names of object properties are data", () => {
  const data = field(2, field(1, "__proto__"), field(2, "x"));
  expect(JSON.stringify(read(configMap, data))).toBe(
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"__proto__":"x"}}',
  );
});

test("integers have all their digits", () => {
  const generation = (...bytes: number[]) => field(1, Buffer.from([7 * 8, ...bytes]));
  const highest = [255, 255, 255, 255, 255, 255, 255, 255, 127];
  expect(read(configMap, generation(...highest))).toMatchObject({ metadata: { generation: 2n ** 63n - 1n } });
  const minusOne = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
  expect(read(configMap, generation(...minusOne))).toMatchObject({ metadata: { generation: -1 } });
});

test("numbers of a list may be packed", () => {
  const pod = { group: "", version: "v1", kind: "Pod" };
  const groups = [field(4, Buffer.from([1, 172, 2])), Buffer.from([4 * 8, 5])];
  expect(read(pod, field(2, field(14, ...groups)))).toMatchObject({
    spec: { securityContext: { supplementalGroups: [1, 300, 5] } },
  });
});

test("a schema of a CustomResourceDefinition may be a schema, a boolean or a list", () => {
  const definition = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  const typed = field(1, field(5, "string"));
  const schema = field(1, field(24, typed), field(30, Buffer.from([8, 1])), field(8, field(1, '{"a":1}')));
  expect(read(definition, field(2, field(7, field(1, "v1"), field(4, schema))))).toMatchObject({
    spec: {
      versions: [
        {
          schema: {
            openAPIV3Schema: { items: { type: "string" }, additionalProperties: true, default: { a: 1 } },
          },
        },
      ],
    },
  });
});

test("messages nested too deeply are an error and do not overflow the stack", () => {
  const definition = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  let schema: Buffer = Buffer.alloc(0);
  for (let depth = 0; depth < 20_000; depth++) schema = field(28, schema);
  const nested = () => read(definition, field(2, field(7, field(4, field(1, schema)))));
  expect(nested).toThrow("exceeded max depth");
});

test("a body with too many entries, elements or JSON fields is refused", () => {
  const entries = Buffer.concat(Array<Buffer>(30_001).fill(field(2)));
  expect(() => read(configMap, entries)).toThrow("limit is 30000 fields and list elements");
  const finalizers = Buffer.concat(Array<Buffer>(30_001).fill(field(14)));
  expect(() => read(configMap, field(1, finalizers))).toThrow("limit is 30000 fields and list elements");
  const revision = { group: "apps", version: "v1", kind: "ControllerRevision" };
  const json = field(2, field(1, `[${"1,".repeat(30_001)}1]`));
  expect(() => read(revision, json)).toThrow("limit is 30000 fields and list elements");
  const unknown = Buffer.alloc(900_000, Buffer.from([0x98, 6, 1]));
  expect(() => read(configMap, unknown, unknown)).toThrow("limit is 30000 fields and list elements");
});
