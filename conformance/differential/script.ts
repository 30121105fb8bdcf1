import type { Method } from "../../src/transport/index.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * One request, before the servers' values are known. Its strings may contain references, each replaced by the latest
 * value of the requested server:
 * - `{ns}`: the script's namespace
 * - `{version:configmaps/a}`: the newest resourceVersion of that object; `{version:configmaps/a:1}` the first
 * - `{uid:configmaps/a}`: its uid
 * - `{continue:configmaps}`: the continue token of the last list
 */
export interface Step {
  readonly method: Method;
  /** Path and query from the server's root. */
  readonly path: string;
  /** Content type of the body. @default "application/json" */
  readonly type?: string | undefined;
  /** Accepted content type. @default "application/json" */
  readonly accept?: string | undefined;
  /** Body of the request. A string is sent unchanged, other values as JSON. @default no body */
  readonly body?: Json | undefined;
  /** An object, as "configmaps/a": its last seen state is sent, with `body` applied as a merge patch. */
  readonly over?: string | undefined;
}

/** Requests in order, about one kind, in a namespace of its own. */
export interface Script {
  /** Plural of the kind whose watch events are compared. */
  readonly subject: string;
  readonly steps: readonly Step[];
}

/** Writes a script as text for `readScript`, one step per line. */
export function writeScript({ subject, steps }: Script): string {
  const lines = steps.map((step) => `  ${JSON.stringify(step)}`).join(",\n");
  return `{ "subject": ${JSON.stringify(subject)}, "steps": [\n${lines}\n] }\n`;
}

export function readScript(text: string): Script {
  // The content is not validated, because scripts are only written by this program and its user.
  const script = JSON.parse(text) as Script;
  if (typeof script.subject === "string" && Array.isArray(script.steps)) return script;
  throw new Error('expected a script { "subject": "configmaps", "steps": [...] }, got something else');
}
