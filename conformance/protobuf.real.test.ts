/**
 * These tests read objects that Kubernetes' own Go code has written as protobuf, and send them to the embedded API server
 * and to kube-apiserver. They are skipped without Go or the server's programs.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { facts } from "../src/api/types/facts.ts";
import { readProtobuf } from "../src/apiserver/protobuf/protobuf-document.ts";
import { decodeTyped, encodeTyped, readJson, typedSchema, writeJson } from "../src/schema/index.ts";
import { type Cluster, MissingBinariesError, startCluster } from "../src/testing/index.ts";
import { CannotBuildHere, compile, fetchPackages, requireGo } from "./go.ts";
import type { KubeProgram } from "./kube-programs.ts";
import { protobufType } from "./proto.ts";
import { samples } from "./protobuf-samples.ts";

const encoder: KubeProgram = {
  name: "protobuf",
  module: fileURLToPath(new URL("./protobuf", import.meta.url)),
  package: ".",
  linker: "-s -w",
};

const folder = mkdtempSync(join(tmpdir(), "trimtab-protobuf-"));
const program = join(folder, "protobuf");
/** The reason why this machine has no Go program, if any. */
let problem: string | undefined;

beforeAll(async () => {
  try {
    requireGo();
    await fetchPackages(encoder);
    await compile(encoder, program, () => {});
  } catch (error) {
    if (!(error instanceof CannotBuildHere)) throw error;
    problem = error.message;
  }
}, 900_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** An object that Go has written. */
interface Encoded {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly protobuf: Buffer;
  /** The JSON form of the object that Go reads from the protobuf form. */
  readonly json: string;
}

function encoded(args: readonly string[], input = ""): Encoded[] {
  const { status, stdout, stderr } = spawnSync(program, args, { input, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`expected objects from ${encoder.name}, got ${stderr}`);
  return stdout.toString().trimEnd().split("\n").map(parsed);
}

function parsed(line: string): Encoded {
  const { apiVersion, kind, protobuf } = JSON.parse(line);
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const start = '"object":';
  return {
    ...{ group, version, kind },
    protobuf: Buffer.from(protobuf, "base64"),
    json: line.slice(line.indexOf(start) + start.length, -1),
  };
}

/** Discovery documents, which no client sends. */
const neverSent: ReadonlySet<string> = new Set(["APIResourceList"]);

test("random objects of every kind are read from protobuf as Go reads them", { timeout: 300_000 }, ({
  skip,
}) => {
  if (problem !== undefined) skip(problem);
  const seed = process.env.FC_SEED ?? "1";
  const known = encoded(["random", seed, "5"]).filter(({ kind }) => !neverSent.has(kind));
  const kinds = new Set<string>();
  for (const object of known) {
    const type = typedSchema(object);
    if (!type) continue;
    kinds.add(`${object.group}/${object.version} ${object.kind}`);
    const read = readProtobuf(object.protobuf, { group: "", version: "", kind: "" }, uncounted).value;
    const { value, notes } = readJson(object.json);
    const expected = encodeTyped(decodeTyped(value, type, { notes }).value, type);
    expect(writeJson(encodeTyped(decodeTyped(read, type).value, type)), object.kind).toBe(
      writeJson(expected),
    );
  }
  const served = facts().resources.map(({ group, version, kind }) => `${group}/${version} ${kind}`);
  expect(served.filter((kind) => !kinds.has(kind))).toEqual([]);
});

const uncounted = { add: () => undefined, addJson: () => undefined };

test("objects that Go sends as protobuf are stored as the same objects by both servers", {
  timeout: 300_000,
}, async ({ skip }) => {
  if (problem !== undefined) skip(problem);
  const objects = encoded(["encode"], samples.map((sample) => JSON.stringify(sample)).join("\n"));
  expect(objects).toHaveLength(samples.length);
  const real = await stored(objects, "binaries").catch(skipWithout(skip));
  const embedded = await stored(objects, "embedded");
  for (const [at, { kind }] of objects.entries()) expect(embedded[at], kind).toEqual(real[at]);
  expect(real.map(([status]) => status)).toEqual(objects.map(() => 201));
});

function skipWithout(skip: (reason: string) => never): (error: unknown) => never {
  return (error) => {
    if (error instanceof MissingBinariesError) skip(error.message);
    throw error;
  };
}

type Stored = readonly [status: number, object: unknown];

/** Creates the objects, and returns them as they are read afterwards. */
async function stored(objects: readonly Encoded[], engine: "binaries" | "embedded"): Promise<Stored[]> {
  await using cluster = await startCluster({ engine });
  const found: Stored[] = [];
  for (const object of objects) found.push(await created(cluster, object));
  return found;
}

async function created({ client }: Cluster, object: Encoded): Promise<Stored> {
  const { path } = await client.collection(object, { namespace: "default" });
  const headers = { accept: "application/json", "content-type": protobufType };
  const { status, body } = await client.transport.send({
    method: "POST",
    path,
    body: object.protobuf,
    headers,
  });
  const { metadata, ...rest } = JSON.parse(body.toString().replaceAll(variable, "<masked>"));
  for (const field of ["uid", "resourceVersion", "creationTimestamp"]) delete metadata[field];
  for (const entry of metadata.managedFields ?? []) delete entry.time;
  return [status, { metadata, ...rest }];
}

/** A uid, or a time of these seconds. */
const variable = /[\da-f]{8}-[\da-f-]{27}|20\d\d-\d\d-\d\dT[\d:]+Z/g;
