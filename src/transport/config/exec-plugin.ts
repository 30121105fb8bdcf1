import { isatty } from "node:tty";
import { isDeepStrictEqual } from "node:util";
import {
  asError,
  type Clock,
  type Logger,
  type LogStream,
  realClock,
  silentLogger,
} from "../../base/index.ts";
import { ConfigError } from "./config-error.ts";
import type { Credential } from "./credential.ts";
import { type ExecCluster, type ExecReply, execInfo, readReply } from "./exec-credential.ts";
import type { ExecSection } from "./exec-section.ts";
import type { Reloadable } from "./reloadable.ts";
import { PluginMissingError, printable, runPlugin } from "./run-plugin.ts";

export interface ExecPluginOptions {
  readonly section: ExecSection;
  /** Returns the cluster for a plugin with `provideClusterInfo`. Called for every run. */
  cluster(): ExecCluster | Promise<ExecCluster>;
  /** The environment that the plugin inherits. @default `process.env` */
  readonly env?: Environment | undefined;
  /** The terminal to prompt on. @default standard error, if standard input is a terminal */
  readonly terminal?: LogStream | "none" | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Logger | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Time limit for a plugin that does not use the terminal. */
const limitMs = 60_000;
/** A credential is replaced this long before it expires, so that it does not expire on its way to the server. */
const skewMs = 10_000;

/**
 * Gets credentials from a program, as configured in the `exec` section of a kubeconfig.
 *
 * - Concurrent callers share one run. The credential is cached until 10 s before it expires (or half its remaining
 *   lifetime, if that is shorter), or until the server refuses it. A credential without an expiry is cached until it is
 *   refused.
 * - If a run fails while the old credential is still valid, the old credential stays in use until it expires.
 * - A run without a terminal is killed after 60 s.
 * - A reply that equals the previous one keeps the previous object.
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
      const { credential, expiresMs } = await this.#request();
      const same = isDeepStrictEqual(this.#held?.credential, credential);
      const held = { credential: same && this.#held ? this.#held.credential : credential, expiresMs };
      this.#held = { ...held, untilMs: freshUntil(expiresMs, this.#clock.now()) };
    } catch (error) {
      this.#held = this.#stillValid(asError(error));
    }
    return this.#held.credential;
  }

  /** Returns the old credential if it has not expired. Else throws `error`. */
  #stillValid(error: Error): Held {
    const held = this.#held;
    if (!held || held.expiresMs <= this.#clock.now()) throw error;
    const { log = silentLogger, section } = this.#options;
    log.warn("credential plugin failed, keeping the old credential", { plugin: section.command, error });
    return { ...held, untilMs: held.expiresMs };
  }

  async #request(): Promise<ExecReply> {
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

  /** Returns the terminal if `interactiveMode` allows it. In v1beta1 the mode is optional. */
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
  /** When to run the plugin again, in wall-clock milliseconds. */
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

/**
 * Returns an error such as `expected credential plugin "aws" to exit with 0, got 1: … (users[0].user.exec in
 * ~/.kube/config)`.
 */
function pluginError({ command, installHint, place }: ExecSection, error: Error): ConfigError {
  const hint = error instanceof PluginMissingError && installHint !== "" ? `\n${printable(installHint)}` : "";
  const what = `credential plugin "${command}" ${error.message}`;
  return new ConfigError(`expected ${what} (${place.describe("")})${hint}`, { cause: error });
}
