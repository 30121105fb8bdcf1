import { expect, test } from "vitest";
import { podTemplate } from "./pod.ts";
import { ProtobufEncoding } from "./protobuf-encoding.ts";

/** Two objects that consist only of their marks, in a file as the encoder writes it. */
const object = "1000000000 0000000000000000";
const sized = Buffer.concat([Buffer.from([0, 0, 0, object.length]), Buffer.from(object)]);
const encoding = new ProtobufEncoding(podTemplate, Buffer.concat([sized, sized]));

const envelope = "k8s\0\n\t\n\u0002v1\u0012\u0003Pod";
const tail = '\u001a\0"\0';

function text(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString("latin1");
}

test("objects are read from a file, with the offsets of their marks", () => {
  const { objects, versionAt, sentAt } = encoding;
  expect([objects.map(String), versionAt, sentAt]).toEqual([
    [object, object],
    [0, 0],
    [11, 11],
  ]);
});

test("an event is a frame with its length, a watch event in it, and the object in its envelope in that", () => {
  const [first] = encoding.objects;
  // 15 of the envelope, 2 and 27 of the object, 4 of the tail; 2 more, and 2 more, and 10 of the type.
  expect(text([encoding.head("MODIFIED", 0), first ?? Buffer.alloc(0), encoding.tail])).toBe(
    `\0\0\0\u003e\n\u0008MODIFIED\u00122\n0${envelope}\u0012\u001b${object}${tail}`,
  );
});

test("a single object is in its envelope, with the requested resource version", () => {
  expect(text([encoding.object(1, 1_000_000_007)])).toBe(
    `${envelope}\u0012\u001b1000000007 0000000000000000${tail}`,
  );
});

test("a list is one envelope around its resource version, continue token and items", () => {
  const item = `\u0012\u001b${object}`;
  const metadata = "\n\u0016\u0012\n1000000000\u001a\u0006from-2 \u0003";
  const list = encoding.list({
    from: 0,
    to: 2,
    resourceVersion: 1_000_000_000,
    next: { token: "from-2", left: 3 },
  });
  expect(text(list)).toBe(`k8s\0\n\r\n\u0002v1\u0012\u0007PodList\u0012R${metadata}${item}${item}${tail}`);
});
