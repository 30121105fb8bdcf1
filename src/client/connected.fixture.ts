import { type Client, clientOver } from "./index.ts";
import { type Scripted, ScriptedTransport } from "./scripted-transport.fixture.ts";

export interface Connected {
  readonly client: Client;
  readonly transport: ScriptedTransport;
}

/** Returns a client for namespace "home" whose requests get these replies in order. */
export function connected(...replies: readonly Scripted[]): Connected {
  const transport = new ScriptedTransport(...replies);
  return { client: clientOver(transport, { namespace: "home" }), transport };
}
