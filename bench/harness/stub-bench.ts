import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Stats, type StubProcess, type StubSizes, startStub, testCertificate } from "../stub/index.ts";
import type { Bench, Case, Reading, World } from "./bench.ts";
import { runCommand } from "./command.ts";
import { compile } from "./compile.ts";

export interface StubBenchDefinition extends Omit<Bench, "open"> {
  readonly cases: readonly StubCase[];
  readonly stub: StubSizes;
  /** Adds data to the stub that it cannot make itself, before the first measurement. */
  readonly fill?: ((filling: Filling) => Promise<void>) | undefined;
}

export interface Filling {
  readonly stub: StubProcess;
  /** Folder for temporary files. It is removed at the end of the bench. */
  readonly folder: string;
  readonly quick: boolean;
}

/** A case on the stub API server. */
export interface StubCase extends Case {
  /** Number of measured operations or events; a tenth in a quick run. A fifth as many precede as warm-up. */
  readonly size: number;
  /** Additional arguments for the peers, by name. */
  readonly args?: Readonly<Record<string, string | number>> | undefined;
  /** Number of objects in the stub. @default the number at its start */
  readonly objects?: Partial<StubSizes> | undefined;
  /** The stream that the stub sends to a peer's watch: the measured and the warm-up events. */
  readonly stream?: StubStream | undefined;
  /** The unit of `stub cpu`. @default "events" with a stream, otherwise "requests" */
  readonly served?: "events" | "objects" | "objects and events" | "requests" | undefined;
}

export interface StubStream {
  readonly resource: "pods" | "websites";
  /** Events per second. @default 0, as fast as possible */
  readonly perSecond?: number | undefined;
  /** True if the watch is closed after them. @default false */
  readonly end?: boolean | undefined;
}

/**
 * A bench whose peers all use one stub API server.
 * Every peer gets `--size`, `--warmup`, `--plain` and `--secure` (URLs), `--ca` and `--kubeconfig` (files), `--bytes`
 * (of all pods in a list), and the arguments of the case. The figures `connections` and `stub cpu` are added to its
 * own: if the stub takes about as long as the peer, the stub is the bottleneck.
 */
export function stubBench(definition: StubBenchDefinition): Bench {
  return { ...definition, open: ({ quick }) => open(definition, quick) };
}

async function open(definition: StubBenchDefinition, quick: boolean): Promise<World> {
  const { cases, stub: sizes } = definition;
  const stub = await startStub(await compile(new URL("../stub/main.ts", import.meta.url)), sizes);
  const folder = await mkdtemp(join(tmpdir(), "trimtab-bench-"));
  const close = async (): Promise<void> => {
    await stub[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  };
  try {
    await definition.fill?.({ stub, folder, quick });
  } catch (error) {
    await close();
    throw error;
  }
  const access = await writeAccess(folder, stub);
  return {
    async run({ case: { name }, command }) {
      const each = cases.find((known) => known.name === name);
      if (each === undefined) throw new RangeError(`expected a case of this bench, got ${name}`);
      const sized = sizesOf(each, quick);
      await setUp(stub, { ...sizes, ...each.objects });
      if (each.stream) await stub.control(streamRequest(each.stream, sized.size + sized.warmup));
      const before = await stub.control("stats");
      const given = { ...access, bytes: before.resources.pods?.bytes ?? 0, ...sized, ...each.args };
      const reading = await runCommand([...command, ...flags(given)]);
      return { ...reading, ...stubFigures(before, await stub.control("stats"), { ...each, ...sized }) };
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Waits until the stub has the objects of the case, and the previous peer has disconnected. */
async function setUp(stub: StubProcess, sizes: StubSizes): Promise<void> {
  let stats = await stub.control(`size?pods=${sizes.pods}&websites=${sizes.websites}`);
  while (Object.values(stats.resources).some(({ watches }) => watches > 0)) {
    await delay(10);
    stats = await stub.control("stats");
  }
}

/** Returns the stub's counts for a peer, and its processor time per unit. */
function stubFigures(before: Stats, after: Stats, each: StubCase & { readonly warmup: number }): Reading {
  const objects = Object.values(each.objects ?? {}).reduce((sum, count) => sum + count, 0);
  const events = each.size + each.warmup;
  const served = {
    requests: after.requests - before.requests,
    events,
    objects,
    "objects and events": objects + events,
  }[each.served ?? (each.stream ? "events" : "requests")];
  return {
    connections: after.connections - before.connections,
    "stub cpu": (after.cpuUs - before.cpuUs) / served,
  };
}

function sizesOf({ size }: StubCase, quick: boolean): { size: number; warmup: number } {
  const measured = Math.max(1, quick ? Math.round(size / 10) : size);
  return { size: measured, warmup: Math.ceil(measured / 5) };
}

function streamRequest({ resource, perSecond = 0, end = false }: StubStream, events: number): string {
  return `stream?resource=${resource}&events=${events}&rate=${perSecond}&end=${end}&when=open`;
}

/** Writes the CA and a kubeconfig for the stub. A kubeconfig may be JSON, which is valid YAML. */
async function writeAccess(folder: string, { plain, secure }: StubProcess): Promise<Record<string, string>> {
  const ca = join(folder, "ca.pem");
  const kubeconfig = join(folder, "kubeconfig");
  const authority = Buffer.from(testCertificate.ca).toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "stub", cluster: { server: secure, "certificate-authority-data": authority } }],
    users: [{ name: "bench", user: { token: "bench" } }],
    contexts: [{ name: "stub", context: { cluster: "stub", user: "bench" } }],
    "current-context": "stub",
  };
  await Promise.all([writeFile(ca, testCertificate.ca), writeFile(kubeconfig, JSON.stringify(config))]);
  return { plain, secure, ca, kubeconfig };
}

function flags(values: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}
