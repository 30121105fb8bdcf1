// The sample controller. On a server of its own it takes you on a tour, and then stays for kubectl, until Ctrl-C.
import { ApiError, shutdownSignal } from "trimtab";
import { SyncError } from "trimtab/cache";
import { ConfigError, ConnectionError } from "trimtab/client";
import { openStage, type Stage } from "../stage.ts";
import { Foo } from "./foo.ts";
import { run } from "./run.ts";
import { tour } from "./tour.ts";

const ended = new AbortController();
const signal = AbortSignal.any([shutdownSignal(), ended.signal]);

try {
  if (process.argv.includes("--crd")) console.log(JSON.stringify(Foo.toCustomResourceDefinition(), null, 2));
  else await onStage();
} catch (error) {
  console.error(advice(error));
  process.exitCode = 1;
}

async function onStage(): Promise<void> {
  await using stage = await openStage([Foo]);
  const running = run(stage.client, { say: newsOnly(console.log), signal });
  const shown = stage.kubeconfig === undefined ? undefined : show(stage, stage.kubeconfig);
  await Promise.all([running, shown]);
}

async function show({ client, once }: Stage, kubeconfig: string): Promise<void> {
  const { gitVersion } = await client.version();
  console.log(`The sample controller, on an API server of Kubernetes ${gitVersion} in this process.`);
  try {
    await tour({ client, say: console.log, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (once || signal.aborted) return ended.abort();
  console.log(invitation(kubeconfig));
  // SIGTERM to npm ends the shell it runs us in, and that does not pass it on.
  const { ppid } = process;
  setInterval(() => process.ppid === ppid || ended.abort(), 1_000).unref();
}

/** Leaves out what is told again and again, as of a Foo that cannot have what it wants. */
function newsOnly(print: (line: string) => void): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    const repeated = told.has(line) && /^event|^controller: error/.test(line);
    told.add(line);
    if (!repeated) print(line);
  };
}

function invitation(kubeconfig: string): string {
  return `
The API server and the controller go on. In another terminal:

  export KUBECONFIG=${kubeconfig}

  kubectl get foos,deployments
  kubectl describe foo greedy-foo
  kubectl scale deployment web --replicas 9      # and see it put right
  kubectl patch foo example-foo --type merge --patch '{"spec":{"replicas":4}}'

Ctrl-C ends it and leaves nothing; npm start -- --once ends by itself.`;
}

/** One line for what a person can mend; anything else is a bug and keeps its stack. */
function advice(error: unknown): unknown {
  const known = [ConfigError, ConnectionError, ApiError, SyncError].some((type) => error instanceof type);
  const flags =
    error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  return (known || flags) && error instanceof Error ? error.message : error;
}
