import type { Method } from "../../src/transport/index.ts";

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * One request, before it is known what the servers call things. In its strings stand, each replaced by what the server
 * that is asked has said so far:
 *
 * - `{ns}`: the script's namespace
 * - `{version:configmaps/a}`: the newest resourceVersion told of that object; `{version:configmaps/a:1}` the first
 * - `{uid:configmaps/a}`: its uid
 * - `{continue:configmaps}`: where the last list of them broke off
 */
export interface Step {
  readonly method: Method;
  /** Path and query from the server's root. */
  readonly path: string;
  /** Of the body. @default "application/json" */
  readonly type?: string | undefined;
  /** @default "application/json" */
  readonly accept?: string | undefined;
  /** A string is sent as it is, everything else as JSON. @default no body */
  readonly body?: Json | undefined;
  /** An object, as "configmaps/a": what was last told of it is sent, with `body` laid over it as a merge patch. */
  readonly over?: string | undefined;
}

/** Requests in order, about one kind, in a namespace that nobody else uses. */
export interface Script {
  /** Plural of the kind whose watch events are compared. */
  readonly subject: string;
  readonly steps: readonly Step[];
}

/** A script as text that `readScript` takes: a step a line. */
export function writeScript({ subject, steps }: Script): string {
  const lines = steps.map((step) => `  ${JSON.stringify(step)}`).join(",\n");
  return `{ "subject": ${JSON.stringify(subject)}, "steps": [\n${lines}\n] }\n`;
}

export function readScript(text: string): Script {
  // What is wrong with it shows when it is run: a script is only ever written by this program and its user.
  const script = JSON.parse(text) as Script;
  if (typeof script.subject === "string" && Array.isArray(script.steps)) return script;
  throw new Error('expected a script { "subject": "configmaps", "steps": [...] }, got something else');
}
