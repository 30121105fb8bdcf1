import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "../../src/testing/index.ts";
import { Contender } from "./contender.ts";
import { define } from "./ready.ts";
import { readRecordings } from "./recording.ts";
import { subjects } from "./subjects.ts";

let cluster: Cluster;
let contender: Contender;

beforeAll(async () => {
  cluster = await startCluster({ engine: "embedded" });
  await define(cluster.client.transport, subjects);
  contender = await Contender.enter(cluster.client.transport, subjects);
});

afterAll(async () => {
  contender[Symbol.dispose]();
  await cluster.close();
});

describe("the embedded server responds as kube-apiserver did", () => {
  const recordings = readRecordings(fileURLToPath(new URL("./recordings", import.meta.url)));
  test.each([...recordings])("%s", async (file, { behaviour, subject: plural, steps, answers, events }) => {
    const subject = subjects.find((known) => known.plural === plural);
    if (!subject) throw new Error(`expected a kind that scripts are about, got ${plural}`);
    const namespace = file.replace(".jsonl", "");
    const played = await contender.perform({ steps }, subject, namespace);
    expect(played, behaviour).toEqual({ answers, events });
  });
});
