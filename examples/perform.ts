import { setTimeout as delay } from "node:timers/promises";
import {
  type Controller,
  type Logger,
  loggerTo,
  type Manager,
  manager,
  type Reason,
  shutdownSignal,
} from "trimtab";
import type { Client } from "trimtab/client";
import type { Resource } from "trimtab/crd";
import { advice, openStage, type Stage } from "./stage.ts";

/**
 * An example as a program. On a server of its own it takes you on a tour and then stays for kubectl, until Ctrl-C; with
 * `--once` it ends after the tour. On a cluster that exists it runs until Ctrl-C; with `--once` until every object has
 * been reconciled.
 */
export interface Play {
  /** What runs: "A controller of Foos". */
  readonly title: string;
  /** Its custom kinds: `--crd` prints their definitions, and a server of its own has them. @default none */
  readonly kinds?: ReadonlyArray<Resource<unknown, unknown>> | undefined;
  /** Works until aborted. */
  readonly run: (part: Part) => Promise<void>;
  /** What a person would do to see it work (>), and what comes of it, told as it happens. */
  readonly tour: (part: Part) => Promise<void>;
  /** Commands to go on with. */
  readonly kubectl: readonly string[];
}

export interface Part {
  readonly client: Client;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Called when every object that exists has been reconciled. */
  readonly onIdle?: (() => void) | undefined;
}

export async function perform(play: Play): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([shutdownSignal(), ended.signal]);
  try {
    if (process.argv.includes("--crd")) console.log(definitionsOf(play));
    else await onStage(play, signal, () => ended.abort());
  } catch (error) {
    console.error(advice(error));
    process.exitCode = 1;
  }
}

/** Runs controllers, and says what their manager would log. */
export function managed(controllers: readonly Controller[]): Play["run"] {
  return ({ client, say, signal, onIdle }) => {
    const running = manager({ controllers, client, log: spoken(say) });
    if (onIdle) idleFor(500, running).then(onIdle, () => {}); // `run` rejects with the failure
    return running.run({ signal });
  };
}

/** Resolves when the manager is ready and has had nothing to reconcile for so long. */
async function idleFor(ms: number, running: Manager): Promise<void> {
  await running.ready;
  for (let sinceMs = performance.now(); performance.now() - sinceMs < ms; await delay(20)) {
    if (!running.idle) sinceMs = performance.now();
  }
}

async function onStage(play: Play, signal: AbortSignal, end: () => void): Promise<void> {
  await using stage = await openStage(play.kinds);
  const { client, once } = stage;
  const own = stage.kubeconfig !== undefined;
  const onIdle = once && !own ? end : undefined;
  const running = play.run({ client, say: newsOnly(console.log), signal, onIdle });
  const shown = own ? show(play, stage, { signal, end }) : undefined;
  await Promise.all([running, shown]);
}

interface Ending {
  readonly signal: AbortSignal;
  readonly end: () => void;
}

async function show(play: Play, { client, once, kubeconfig }: Stage, { signal, end }: Ending): Promise<void> {
  const { gitVersion } = await client.version();
  console.log(`${play.title}, on an API server of Kubernetes ${gitVersion} in this process.`);
  try {
    await play.tour({ client, say: console.log, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (once || signal.aborted) return end();
  console.log(invitation(kubeconfig ?? "", play.kubectl));
  // SIGTERM to npm ends the shell it runs us in, and that does not pass it on.
  const { ppid } = process;
  setInterval(() => process.ppid === ppid || end(), 1_000).unref();
}

function invitation(kubeconfig: string, commands: readonly string[]): string {
  return `
The API server and the controller go on. In another terminal:

  export KUBECONFIG=${kubeconfig}

${commands.map((command) => `  ${command}\n`).join("")}
Ctrl-C ends it and leaves nothing; with --once it ends by itself.`;
}

function definitionsOf({ kinds = [] }: Play): string {
  return kinds.map((kind) => JSON.stringify(kind.toCustomResourceDefinition(), null, 2)).join("\n");
}

/** Leaves out what is told again and again, as of a Foo that cannot have what it wants. */
function newsOnly(print: (line: string) => void): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    const news = line.replace(/\d+ ms/, "");
    const repeated = told.has(news) && /^event|error|failed|retry/.test(line);
    told.add(news);
    if (!repeated) print(line);
  };
}

function spoken(say: (line: string) => void): Logger {
  return loggerTo(({ level, message, fields: { key, error, reasons, type, reason, note } }) => {
    if (message === "event") return say(`event: ${type} ${reason}: ${note}`);
    if (message === "reconciling") return say(`controller: ${message} ${key}${because(reasons)}`);
    if (level === "debug") return;
    const why = error instanceof Error ? `: ${error.message}` : "";
    say(`controller: ${message}${key === undefined ? "" : ` (${key})`}${why}`);
  });
}

/** Every reason that led to this reconcile: ": Deployment default/web updated (spec.replicas)". */
function because(reasons: unknown): string {
  const told = (reasons as readonly Reason[]).map(({ kind, key, event, changed, echo }) => {
    const fields = changed.length > 0 ? ` (${changed.join(", ")})` : "";
    return kind === "" ? event : `${kind} ${key} ${event}${fields}${echo ? " by ourselves" : ""}`;
  });
  return `: ${told.join("; ")}`;
}
