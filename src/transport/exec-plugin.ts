import { isatty } from "node:tty";
import { isDeepStrictEqual } from "node:util";
import { asError, type Clock, type Logger, type LogStream, realClock, silentLogger } from "../base/index.ts";
import { ConfigError } from "./config-error.ts";
import type { Credential } from "./credential.ts";
import { type ExecCluster, type ExecReply, execInfo, readReply } from "./exec-credential.ts";
import type { ExecSection } from "./exec-section.ts";
import type { Reloadable } from "./reloadable.ts";
import { PluginMissingError, printable, runPlugin } from "./run-plugin.ts";

export interface ExecPluginOptions {
  readonly section: ExecSection;
  /** Asked for when the plugin wants to know (`provideClusterInfo`), each time it runs. */
  cluster(): ExecCluster | Promise<ExecCluster>;
  /** What the plugin inherits. @default the process's */
  readonly env?: Environment | undefined;
  /** Where a person can be asked. @default the process's standard input and error, where they are a terminal */
  readonly terminal?: LogStream | "none" | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Logger | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Longest that a plugin may take which asks nobody. */
const limitMs = 60_000;
/** A credential is replaced this long before it ends, so that none ends on its way to the server. */
const skewMs = 10_000;

/**
 * Credentials from a program, as the `exec` section of a kubeconfig asks for.
 *
 * - One run at a time, however many ask. What it printed is kept until 10 s before it expires (half
 *   its remaining life, when that is shorter), or until the server refuses it. Without an expiry,
 *   until refused.
 * - A run that fails while the old credential is still good leaves the old one in use until it ends.
 * - A run that asks nobody ends within 60 s, or is killed.
 * - A reply that equals the last one leaves the old object in place.
 */
export class ExecPlugin implements Reloadable<Credential> {
  readonly #options: ExecPluginOptions;
  readonly #clock: Clock;
  #held: Held | undefined;
  #running: Promise<Credential> | undefined;

  constructor(options: ExecPluginOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
  }

  current(): Credential | Promise<Credential> {
    if (this.#held && this.#clock.now() < this.#held.untilMs) return this.#held.credential;
    this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  refused(credential: Credential): boolean {
    if (this.#held?.credential === credential)
      this.#held = { ...this.#held, untilMs: never, expiresMs: never };
    return true;
  }

  async #refresh(): Promise<Credential> {
    try {
      const { credential, expiresMs } = await this.#ask();
      const same = isDeepStrictEqual(this.#held?.credential, credential);
      const held = { credential: same && this.#held ? this.#held.credential : credential, expiresMs };
      this.#held = { ...held, untilMs: freshUntil(expiresMs, this.#clock.now()) };
    } catch (error) {
      this.#held = this.#stillGood(asError(error));
    }
    return this.#held.credential;
  }

  #stillGood(error: Error): Held {
    const held = this.#held;
    if (!held || held.expiresMs <= this.#clock.now()) throw error;
    const { log = silentLogger, section } = this.#options;
    log.warn("credential plugin failed, the old credential stays in use", { plugin: section.command, error });
    return { ...held, untilMs: held.expiresMs };
  }

  async #ask(): Promise<ExecReply> {
    try {
      const output = await this.#run();
      return readReply(output, { apiVersion: this.#options.section.apiVersion, nowMs: this.#clock.now() });
    } catch (error) {
      throw pluginError(this.#options.section, asError(error));
    }
  }

  async #run(): Promise<string> {
    const { section, env = process.env } = this.#options;
    const terminal = this.#terminal();
    const cluster = section.provideClusterInfo ? await this.#options.cluster() : undefined;
    const info = execInfo({ apiVersion: section.apiVersion, interactive: terminal !== undefined, cluster });
    const own = Object.fromEntries(section.env.map(({ name, value }) => [name, value]));
    return runPlugin({
      command: section.command,
      args: section.args,
      env: { ...env, ...own, KUBERNETES_EXEC_INFO: info },
      terminal,
      limitMs,
      clock: this.#clock,
    });
  }

  /** The terminal, where the mode lets the plugin use it. Version v1beta1 may leave the mode out. */
  #terminal(): LogStream | undefined {
    const { interactiveMode } = this.#options.section;
    if (interactiveMode === "Never") return undefined;
    const terminal = this.#options.terminal ?? processTerminal();
    if (terminal !== "none") return terminal;
    if (interactiveMode !== "Always") return undefined;
    throw new Error("to have a terminal on standard input (its interactiveMode is Always), got none");
  }
}

interface Held extends ExecReply {
  /** When to ask again, in wall milliseconds. */
  readonly untilMs: number;
}

const never = Number.NEGATIVE_INFINITY;

function freshUntil(expiresMs: number, nowMs: number): number {
  if (expiresMs === Number.POSITIVE_INFINITY) return expiresMs;
  return expiresMs - Math.min(skewMs, Math.max(expiresMs - nowMs, 0) / 2);
}

function processTerminal(): LogStream | "none" {
  return isatty(0) ? process.stderr : "none";
}

/** "expected credential plugin "aws" to exit with 0, got 1: ..., as users[0].user.exec in ~/.kube/config asks" */
function pluginError({ command, installHint, place }: ExecSection, error: Error): ConfigError {
  const hint = error instanceof PluginMissingError && installHint !== "" ? `\n${printable(installHint)}` : "";
  const what = `credential plugin "${command}" ${error.message}`;
  return new ConfigError(`expected ${what} (${place.describe("")})${hint}`, { cause: error });
}
