import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import { type Controller, type Logger, loggerTo, type Manager, manager, shutdownSignal } from "trimtab";
import type { Client } from "trimtab/client";
import type { Resource } from "trimtab/crd";
import type { Webhook, WebhookServerOptions } from "trimtab/webhook";
import { advice, openStage, type Stage } from "./stage.ts";

/**
 * An example as a program. On its own server it shows a tour and then keeps running for kubectl until Ctrl-C; with
 * `--once` it exits after the tour. On an existing cluster it runs until Ctrl-C; with `--once` until every object has
 * been reconciled.
 */
export interface Play {
  /** Title of the example: "A controller of Foos". */
  readonly title: string;
  /** Custom kinds: `--crd` prints their definitions, and the example's own server serves them. @default none */
  readonly kinds?: readonly Resource[] | undefined;
  /** Runs until aborted. */
  readonly run: (part: Part) => Promise<void>;
  /** Shows how the example works: prints each step (>) and its result. */
  readonly tour: (part: Part) => Promise<void>;
  /** kubectl commands to try after the tour. */
  readonly kubectl: readonly string[];
}

export interface Part {
  readonly client: Client;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Called when every object that exists has been reconciled. */
  readonly onIdle?: (() => void) | undefined;
  /** How the API server reaches webhooks. @default unknown: webhooks are not served */
  readonly webhookServer?: WebhookServerOptions | undefined;
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

/** Runs controllers, and webhooks if the API server can reach them. Prints their manager's log. */
export function managed(controllers: readonly Controller[], webhooks: readonly Webhook[] = []): Play["run"] {
  return ({ client, say, signal, onIdle, webhookServer }) => {
    const log = printingLogger(say);
    if (webhooks.length > 0 && !webhookServer) say(unreachable);
    const served = webhookServer ? { webhooks, webhookServer } : {};
    const running = manager({ controllers, client, log, ...served });
    if (onIdle) idleFor(500, running).then(onIdle, () => {}); // `run` rejects with the failure
    return running.run({ signal });
  };
}

const unreachable =
  "webhooks are not served: pass --webhook-service NAME in the cluster, or --webhook-url URL for an https address that the " +
  "API server can reach";

/** Resolves when the manager is ready and has been idle for `ms`. */
async function idleFor(ms: number, running: Manager): Promise<void> {
  await running.ready;
  for (let sinceMs = performance.now(); performance.now() - sinceMs < ms; await delay(20)) {
    if (!running.idle) sinceMs = performance.now();
  }
}

async function onStage(play: Play, signal: AbortSignal, end: () => void): Promise<void> {
  await using stage = await openStage(play.kinds);
  const { client, once, webhookServer } = stage;
  const own = stage.kubeconfig !== undefined;
  const onIdle = once && !own ? end : undefined;
  const say = withoutRepetitions(console.log);
  const running = play.run({ client, say, signal, onIdle, webhookServer });
  const tour = own ? runTour(play, stage, { signal, end }) : undefined;
  await Promise.all([running, tour]);
}

interface Ending {
  readonly signal: AbortSignal;
  readonly end: () => void;
}

async function runTour(
  play: Play,
  { client, once, kubeconfig }: Stage,
  { signal, end }: Ending,
): Promise<void> {
  const { gitVersion } = await client.version();
  console.log(`${play.title}, on an API server of Kubernetes ${gitVersion} in this process.`);
  try {
    await play.tour({ client, say: console.log, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (once || signal.aborted) return end();
  console.log(invitation(kubeconfig ?? "", play.kubectl));
  // SIGTERM to npm ends the shell that runs this program, and the shell does not forward it.
  const { ppid } = process;
  setInterval(() => process.ppid === ppid || end(), 1_000).unref();
}

function invitation(kubeconfig: string, commands: readonly string[]): string {
  return `
The API server and the controller keep running. In another terminal:

  export KUBECONFIG=${kubeconfig}

${commands.map((command) => `  ${command}\n`).join("")}
Ctrl-C stops them and removes all files. With --once the program exits after the tour.`;
}

function definitionsOf({ kinds = [] }: Play): string {
  return kinds.map((kind) => JSON.stringify(kind.toCustomResourceDefinition(), null, 2)).join("\n");
}

/** Leaves out repeated errors and events, as of a Foo that cannot be reconciled. */
function withoutRepetitions(print: (line: string) => void): (line: string) => void {
  const printed = new Set<string>();
  return (line) => {
    const text = line.replace(/\d+ ms/, "");
    const repeated = printed.has(text) && /^event|error|failed|retry/.test(line);
    printed.add(text);
    if (!repeated) print(line);
  };
}

function printingLogger(say: (line: string) => void): Logger {
  return loggerTo(({ level, message, fields: { key, error, reasons, type, reason, note } }) => {
    if (message === "event") return say(`event: ${type} ${reason}: ${note}`);
    if (message === "reconciled") return say(`controller: ${message} ${key}${inWords(reasons)}`);
    if (level === "debug") return;
    const why = error instanceof Error ? `: ${error.message}` : "";
    say(`controller: ${message}${key === undefined ? "" : ` (${key})`}${why}`);
  });
}

/** Describes the reasons of a reconcile, as a log on a terminal does: ": updated Deployment default/web: spec.replicas". */
function inWords(reasons: unknown): string {
  return `: ${inspect(reasons)}`;
}
