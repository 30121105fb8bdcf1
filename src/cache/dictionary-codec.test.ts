import fc from "fast-check";
import { expect, test } from "vitest";
import { DictionaryCodec } from "./dictionary-codec.ts";

/** A pod with its own names, hashes and addresses, in the members that all of them have. */
function podOf(index: number): Buffer {
  const app = ["checkout", "catalogue", "payments"][index % 3];
  const image = `images.example.com/shop/${app}:v1.${index % 40}.3`;
  const condition = (type: string) => ({
    type,
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: "2026-03-02T08:15:30Z",
  });
  const mount = {
    name: `kube-api-access-${hex(index, 5)}`,
    readOnly: true,
    mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
  };
  const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  const pod = {
    metadata: {
      name: `${app}-${index}`,
      namespace: `ns-${index % 50}`,
      uid: hex(index, 32),
      resourceVersion: `${1_000_000_000 + index}`,
      creationTimestamp: "2026-03-02T08:15:30Z",
      labels: { "app.kubernetes.io/name": app, "app.kubernetes.io/component": "server" },
      annotations: { "prometheus.io/port": "9090", "prometheus.io/scrape": "true" },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: app, controller: true }],
    },
    spec: {
      containers: [
        {
          name: "app",
          image,
          args: ["--config=/etc/app/config.yaml", "--listen=:8080"],
          env: [{ name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
          resources: { limits: { memory: "512Mi" }, requests: { cpu: "100m", memory: "256Mi" } },
          volumeMounts: [{ name: "config", mountPath: "/etc/app" }, mount],
          livenessProbe: { httpGet: { path: "/healthz", port: "http", scheme: "HTTP" }, ...probe },
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        },
      ],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      nodeName: `node-${index % 200}.zone-b.example.internal`,
      schedulerName: "default-scheduler",
    },
    status: {
      phase: "Running",
      conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map(condition),
      podIP: `10.64.${index >> 8}.${index & 255}`,
      containerStatuses: [{ name: "app", ready: true, image, containerID: `containerd://${hex(index, 64)}` }],
    },
  };
  return Buffer.from(JSON.stringify(pod));
}

/** Digits that look random. */
function hex(seed: number, length: number): string {
  return noise(seed, length).toString("hex").slice(0, length);
}

/** Bytes that look random. */
function noise(seed: number, length: number): Buffer {
  let bits = seed + 1;
  return Buffer.from(
    Array.from({ length }, () => {
      bits = (Math.imul(bits, 1_664_525) + 1_013_904_223) | 0;
      return bits >>> 24;
    }),
  );
}

const all = (bytes: Buffer) => ({ bytes, start: 0, end: bytes.length });

/** Packs it, with as much room as it may ever take. */
function packed(packing: DictionaryCodec, bytes: Buffer): Buffer {
  const target = Buffer.alloc(bytes.length + 2 * Math.ceil(bytes.length / 127));
  return target.subarray(0, packing.pack(all(bytes), target, target.length));
}

/** Unpacks it into memory that is no larger than it. */
function unpacked(packing: DictionaryCodec, bytes: Buffer, length: number): Buffer {
  const target = Buffer.alloc(length);
  expect(packing.unpack(all(bytes), target)).toBe(length);
  return target;
}

function expectSame(packing: DictionaryCodec, bytes: Buffer): void {
  const back = unpacked(packing, packed(packing, bytes), bytes.length);
  expect(back.toString("latin1")).toBe(bytes.toString("latin1"));
}

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 700 }),
  fc.array(fc.constantFrom(0, 1, 255), { maxLength: 700 }),
);
const anyBuffer = anyBytes.map((bytes) => Buffer.from(bytes));
const pod = podOf(1);

test("any bytes come back as they were, whatever the dictionary is", () => {
  fc.assert(
    fc.property(anyBuffer, anyBuffer, (dictionary, bytes) =>
      expectSame(new DictionaryCodec(dictionary), bytes),
    ),
  );
});

test("any JSON comes back as it was, whatever JSON the dictionary is", () => {
  const json = fc.json({ maxDepth: 5 }).map((text) => Buffer.from(text));
  fc.assert(
    fc.property(json, json, (dictionary, bytes) => expectSame(new DictionaryCodec(dictionary), bytes)),
  );
});

const change = fc.record({
  at: fc.nat(pod.length),
  removed: fc.oneof(fc.nat(20), fc.nat(600)),
  added: fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.nat(600).map((length) => "x".repeat(length)),
  ),
});

test("what differs from the dictionary anywhere in anything comes back as it was", () => {
  const parts = fc.tuple(fc.nat(pod.length), fc.nat(pod.length));
  fc.assert(
    fc.property(parts, fc.array(change, { maxLength: 8 }), ([start, end], changes) => {
      let text = pod.toString("latin1");
      for (const { at, removed, added } of changes) {
        text = text.slice(0, at) + added + text.slice(at + removed);
      }
      expectSame(new DictionaryCodec(pod.subarray(start, end)), Buffer.from(text));
    }),
  );
});

test("a part of the very memory that the dictionary was copied from comes back as it was", () => {
  const packing = new DictionaryCodec(pod);
  fc.assert(
    fc.property(fc.nat(pod.length), fc.nat(pod.length), (start, length) => {
      const end = Math.min(start + length, pod.length);
      const target = Buffer.alloc(pod.length);
      const bytes = target.subarray(0, packing.pack({ bytes: pod, start, end }, target, target.length));
      expect(unpacked(packing, bytes, end - start).equals(pod.subarray(start, end))).toBe(true);
    }),
  );
});

/** The memory of these bytes, between others. */
function surrounded(bytes: Buffer, before: number): { bytes: Buffer; start: number; end: number } {
  const memory = Buffer.from(new SharedArrayBuffer(before + bytes.length + 9)).fill("?");
  memory.set(bytes, before);
  return { bytes: memory, start: before, end: before + bytes.length };
}

test("a part of memory that threads share is packed, and unpacked to such memory, and what surrounds it stays", () => {
  const object = podOf(2);
  fc.assert(
    fc.property(fc.nat(40), fc.nat(object.length), fc.nat(object.length), (before, start, end) => {
      const packing = new DictionaryCodec(pod);
      const part = object.subarray(start, end);
      const source = surrounded(part, before);
      const most = 2 * part.length + 2;
      const room = surrounded(Buffer.alloc(most), 3);
      const length = packing.pack(source, room.bytes.subarray(3), most);
      const target = surrounded(Buffer.alloc(part.length), before);
      const unpackedTo = target.bytes.subarray(before, target.end);
      packing.unpack({ bytes: room.bytes, start: 3, end: 3 + length }, unpackedTo);
      expect(target.bytes.toString("latin1")).toBe(surrounded(part, before).bytes.toString("latin1"));
      expect(source.bytes.equals(target.bytes)).toBe(true);
      expect(room.bytes.toString("latin1", room.end)).toBe("?????????");
    }),
  );
});

test("no more is written than may be, and -1 says that it would have to be", () => {
  const packing = new DictionaryCodec(pod);
  const nearly = Buffer.concat([podOf(2), noise(1, 300)]);
  const whole = packed(packing, nearly);
  for (let most = 0; most <= whole.length; most++) {
    const target = Buffer.alloc(whole.length + 300, "?");
    expect(packing.pack(all(nearly), target, most)).toBe(most < whole.length ? -1 : whole.length);
    expect(target.toString("latin1", most)).toBe("?".repeat(target.length - most));
  }
});

test("what the target has no room for is not packed, however much may be written", () => {
  const packing = new DictionaryCodec(pod);
  const whole = packed(packing, podOf(2));
  const packedTo = (length: number) => packing.pack(all(podOf(2)), Buffer.alloc(length), 1e6);
  expect([packedTo(whole.length - 1), packedTo(whole.length)]).toEqual([-1, whole.length]);
});

test("what is not like the dictionary takes two bytes more for each 127, and no less", () => {
  const packing = new DictionaryCodec(pod);
  const bytes = noise(7, 1270);
  const target = Buffer.alloc(2000);
  expect(packing.pack(all(bytes), target, 1289)).toBe(-1);
  expect(packing.pack(all(bytes), target, 1290)).toBe(1290);
  expectSame(packing, bytes);
});

test("nothing is packed into nothing", () => {
  const packing = new DictionaryCodec(pod);
  const empty = { bytes: pod, start: 9, end: 9 };
  expect([packing.pack(empty, Buffer.alloc(0), 0), packing.unpack(empty, Buffer.alloc(0))]).toEqual([0, 0]);
});

test("objects of one kind take at most a quarter", () => {
  const packing = new DictionaryCodec(pod);
  const objects = Array.from({ length: 100 }, (_, index) => podOf(1000 + 37 * index));
  const parts = objects.map((object) => packed(packing, object).length / object.length);
  expect(Math.max(...parts)).toBeLessThan(0.25);
});

test("values of the same length cost two bytes more than they are, wherever they stand", () => {
  const packing = new DictionaryCodec(pod);
  const other = Buffer.from(pod);
  for (const at of [300, 400, 500, 600]) other.write("@#@#@", at);
  const pieces = packed(packing, other).length - packed(packing, pod).length;
  expect(pieces).toBeLessThanOrEqual(4 * (5 + 2));
});

test("after a long stretch that is new, the dictionary is found from the first byte on that it has", () => {
  const packing = new DictionaryCodec(pod);
  for (let fresh = 50; fresh <= 110; fresh++) {
    const bytes = Buffer.concat([noise(9, fresh), pod.subarray(700, 900)]);
    expectSame(packing, bytes);
    expect(packed(packing, bytes).length).toBe(2 + 2 + fresh);
  }
});

test.each([0, 5, 300])("a row of one byte is longer than a dictionary of %i of them", (length) => {
  for (const byte of [0, 97])
    expectSame(new DictionaryCodec(Buffer.alloc(length, byte)), Buffer.alloc(1000, byte));
});

test("what the dictionary has is packed into a hundredth, at its end and at its beginning", () => {
  const dictionary = noise(3, 64 * 1024);
  const packing = new DictionaryCodec(dictionary);
  for (const part of [dictionary, dictionary.subarray(-1000), dictionary.subarray(0, 1000)]) {
    expectSame(packing, part);
    expect(packed(packing, part).length).toBeLessThanOrEqual(2 + 2 * Math.ceil(part.length / 255));
  }
});

test("an object of many times the size of the dictionary comes back as it was", () => {
  const objects = Array.from({ length: 200 }, (_, index) => podOf(index));
  const large = Buffer.concat([...objects, noise(5, 100_000), ...objects]);
  expectSame(new DictionaryCodec(pod), large);
});

test("two of the same dictionary understand each other, and one does when its dictionary is written over", () => {
  const dictionary = Buffer.from(pod);
  const [one, two] = [new DictionaryCodec(dictionary), new DictionaryCodec(pod)];
  dictionary.fill(0);
  const object = podOf(2);
  const bytes = packed(one, object);
  expect(packed(two, object).equals(bytes)).toBe(true);
  expect(unpacked(two, bytes, object.length).equals(object)).toBe(true);
});

test("a dictionary of more than 64 KiB is refused", () => {
  const refused = (): DictionaryCodec => new DictionaryCodec(Buffer.alloc(65_537));
  expect(refused).toThrow("expected a dictionary of at most 65536 bytes, got 65537");
});
