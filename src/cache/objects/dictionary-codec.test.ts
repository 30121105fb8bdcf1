import fc from "fast-check";
import { expect, test } from "vitest";
import { DictionaryCodec } from "./dictionary-codec.ts";

/** Returns a Pod with its own names, hashes and addresses, and with the fields that all Pods have. */
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

/** Returns hexadecimal digits that look random. */
function hex(seed: number, length: number): string {
  return noise(seed, length).toString("hex").slice(0, length);
}

/** Returns bytes that look random. */
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

/** Compresses into a target of the largest possible length. */
function compressed(codec: DictionaryCodec, bytes: Buffer): Buffer {
  const target = Buffer.alloc(bytes.length + 2 * Math.ceil(bytes.length / 127));
  return target.subarray(0, codec.compress(all(bytes), target, target.length));
}

/** Decompresses into a target of exactly the original length. */
function decompressed(codec: DictionaryCodec, bytes: Buffer, length: number): Buffer {
  const target = Buffer.alloc(length);
  expect(codec.decompress(all(bytes), target)).toBe(length);
  return target;
}

function expectRoundTrip(codec: DictionaryCodec, bytes: Buffer): void {
  const restored = decompressed(codec, compressed(codec, bytes), bytes.length);
  expect(restored.toString("latin1")).toBe(bytes.toString("latin1"));
}

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 700 }),
  fc.array(fc.constantFrom(0, 1, 255), { maxLength: 700 }),
);
const anyBuffer = anyBytes.map((bytes) => Buffer.from(bytes));
const pod = podOf(1);

test("any bytes survive a round trip with any dictionary", () => {
  fc.assert(
    fc.property(anyBuffer, anyBuffer, (dictionary, bytes) =>
      expectRoundTrip(new DictionaryCodec(dictionary), bytes),
    ),
  );
});

test("any JSON survives a round trip with any JSON as dictionary", () => {
  const json = fc.json({ maxDepth: 5 }).map((text) => Buffer.from(text));
  fc.assert(
    fc.property(json, json, (dictionary, bytes) => expectRoundTrip(new DictionaryCodec(dictionary), bytes)),
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

test("bytes that differ from the dictionary at any place survive a round trip", () => {
  const parts = fc.tuple(fc.nat(pod.length), fc.nat(pod.length));
  fc.assert(
    fc.property(parts, fc.array(change, { maxLength: 8 }), ([start, end], changes) => {
      let text = pod.toString("latin1");
      for (const { at, removed, added } of changes) {
        text = text.slice(0, at) + added + text.slice(at + removed);
      }
      expectRoundTrip(new DictionaryCodec(pod.subarray(start, end)), Buffer.from(text));
    }),
  );
});

test("a part of the memory that the dictionary was copied from survives a round trip", () => {
  const codec = new DictionaryCodec(pod);
  fc.assert(
    fc.property(fc.nat(pod.length), fc.nat(pod.length), (start, length) => {
      const end = Math.min(start + length, pod.length);
      const target = Buffer.alloc(pod.length);
      const bytes = target.subarray(0, codec.compress({ bytes: pod, start, end }, target, target.length));
      expect(decompressed(codec, bytes, end - start).equals(pod.subarray(start, end))).toBe(true);
    }),
  );
});

/** Returns these bytes in shared memory, with other bytes around them. */
function surrounded(bytes: Buffer, before: number): { bytes: Buffer; start: number; end: number } {
  const memory = Buffer.from(new SharedArrayBuffer(before + bytes.length + 9)).fill("?");
  memory.set(bytes, before);
  return { bytes: memory, start: before, end: before + bytes.length };
}

test("shared memory can be source and target, and the bytes around the target are not overwritten", () => {
  const object = podOf(2);
  fc.assert(
    fc.property(fc.nat(40), fc.nat(object.length), fc.nat(object.length), (before, start, end) => {
      const codec = new DictionaryCodec(pod);
      const part = object.subarray(start, end);
      const source = surrounded(part, before);
      const maxLength = 2 * part.length + 2;
      const room = surrounded(Buffer.alloc(maxLength), 3);
      const length = codec.compress(source, room.bytes.subarray(3), maxLength);
      const target = surrounded(Buffer.alloc(part.length), before);
      const decompressedTo = target.bytes.subarray(before, target.end);
      codec.decompress({ bytes: room.bytes, start: 3, end: 3 + length }, decompressedTo);
      expect(target.bytes.toString("latin1")).toBe(surrounded(part, before).bytes.toString("latin1"));
      expect(source.bytes.equals(target.bytes)).toBe(true);
      expect(room.bytes.toString("latin1", room.end)).toBe("?????????");
    }),
  );
});

test("compress never writes beyond maxLength, and returns -1 if the result is longer", () => {
  const codec = new DictionaryCodec(pod);
  const object = Buffer.concat([podOf(2), noise(1, 300)]);
  const whole = compressed(codec, object);
  for (let maxLength = 0; maxLength <= whole.length; maxLength++) {
    const target = Buffer.alloc(whole.length + 300, "?");
    expect(codec.compress(all(object), target, maxLength)).toBe(maxLength < whole.length ? -1 : whole.length);
    expect(target.toString("latin1", maxLength)).toBe("?".repeat(target.length - maxLength));
  }
});

test("compress returns -1 if the target is too small, for any maxLength", () => {
  const codec = new DictionaryCodec(pod);
  const whole = compressed(codec, podOf(2));
  const compressedLength = (length: number) => codec.compress(all(podOf(2)), Buffer.alloc(length), 1e6);
  expect([compressedLength(whole.length - 1), compressedLength(whole.length)]).toEqual([-1, whole.length]);
});

test("bytes unlike the dictionary take exactly two bytes more for each 127", () => {
  const codec = new DictionaryCodec(pod);
  const bytes = noise(7, 1270);
  const target = Buffer.alloc(2000);
  expect(codec.compress(all(bytes), target, 1289)).toBe(-1);
  expect(codec.compress(all(bytes), target, 1290)).toBe(1290);
  expectRoundTrip(codec, bytes);
});

test("an empty source compresses to an empty result", () => {
  const codec = new DictionaryCodec(pod);
  const empty = { bytes: pod, start: 9, end: 9 };
  expect([codec.compress(empty, Buffer.alloc(0), 0), codec.decompress(empty, Buffer.alloc(0))]).toEqual([
    0, 0,
  ]);
});

test("objects of one kind compress to less than a quarter", () => {
  const codec = new DictionaryCodec(pod);
  const objects = Array.from({ length: 100 }, (_, index) => podOf(1000 + 37 * index));
  const parts = objects.map((object) => compressed(codec, object).length / object.length);
  expect(Math.max(...parts)).toBeLessThan(0.25);
});

test("a value that differs in content but not in length costs its own length and two bytes", () => {
  const codec = new DictionaryCodec(pod);
  const other = Buffer.from(pod);
  for (const at of [300, 400, 500, 600]) other.write("@#@#@", at);
  const added = compressed(codec, other).length - compressed(codec, pod).length;
  expect(added).toBeLessThanOrEqual(4 * (5 + 2));
});

test("after many literals, a match starts at the first byte that the dictionary contains", () => {
  const codec = new DictionaryCodec(pod);
  for (let literals = 50; literals <= 110; literals++) {
    const bytes = Buffer.concat([noise(9, literals), pod.subarray(700, 900)]);
    expectRoundTrip(codec, bytes);
    expect(compressed(codec, bytes).length).toBe(2 + 2 + literals);
  }
});

test.each([0, 5, 300])(
  "a run of one byte that is longer than a dictionary of %i such bytes survives a round trip",
  (length) => {
    for (const byte of [0, 97])
      expectRoundTrip(new DictionaryCodec(Buffer.alloc(length, byte)), Buffer.alloc(1000, byte));
  },
);

test("content of the dictionary compresses to a hundredth, at its end and at its start", () => {
  const dictionary = noise(3, 64 * 1024);
  const codec = new DictionaryCodec(dictionary);
  for (const part of [dictionary, dictionary.subarray(-1000), dictionary.subarray(0, 1000)]) {
    expectRoundTrip(codec, part);
    expect(compressed(codec, part).length).toBeLessThanOrEqual(2 + 2 * Math.ceil(part.length / 255));
  }
});

test("a source much larger than the dictionary survives a round trip", () => {
  const objects = Array.from({ length: 200 }, (_, index) => podOf(index));
  const large = Buffer.concat([...objects, noise(5, 100_000), ...objects]);
  expectRoundTrip(new DictionaryCodec(pod), large);
});

test("codecs with the same dictionary decompress each other's output, and overwriting the given dictionary has no effect", () => {
  const dictionary = Buffer.from(pod);
  const [one, two] = [new DictionaryCodec(dictionary), new DictionaryCodec(pod)];
  dictionary.fill(0);
  const object = podOf(2);
  const bytes = compressed(one, object);
  expect(compressed(two, object).equals(bytes)).toBe(true);
  expect(decompressed(two, bytes, object.length).equals(object)).toBe(true);
});

test("a dictionary of more than 64 KiB is rejected", () => {
  const create = (): DictionaryCodec => new DictionaryCodec(Buffer.alloc(65_537));
  expect(create).toThrow("expected a dictionary of at most 65536 bytes, got 65537");
});
