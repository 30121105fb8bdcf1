import { ConfigMap } from "../api/types/core/v1.ts";
import { seededRng, VirtualClock } from "../base/index.ts";
import type { WatchEvent, WatchOptions } from "./index.ts";
import { KubeClient } from "./kube-client.ts";
import { type Scripted, ScriptedTransport } from "./scripted-transport.fixture.ts";

export interface Started {
  readonly clock: VirtualClock;
  readonly transport: ScriptedTransport;
  /** The events so far in short form, then the end. */
  readonly log: string[];
  /** The error that ended the watch. */
  readonly error: () => unknown;
  /** Ends the loop at the next event. */
  leave(): void;
  readonly over: Promise<void>;
}

/** Starts a watch and reads it without delay. */
export function start(replies: readonly Scripted[], options: WatchOptions = {}): Started {
  const clock = new VirtualClock();
  const transport = new ScriptedTransport(...replies);
  const scope = { namespace: "home", restricted: false };
  const client = new KubeClient({ transport, scope, fieldManager: "test", clock, rng: seededRng(1) });
  const log: string[] = [];
  let error: unknown;
  let left = false;
  const read = async (): Promise<void> => {
    try {
      for await (const event of client.watch(ConfigMap, options)) {
        log.push(brief(event));
        if (left) break;
      }
      log.push("left");
    } catch (thrown) {
      error = thrown;
      log.push("failed");
    }
  };
  const leave = (): void => {
    left = true;
  };
  return { clock, transport, log, error: () => error, leave, over: read() };
}

function brief(event: WatchEvent<ConfigMap>): string {
  if (event.type === "bookmark") return `bookmark ${event.resourceVersion}`;
  const { name, resourceVersion } = event.object.metadata;
  return `${event.type} ${name} ${resourceVersion}`;
}

export const frame = (type: string, name: string, resourceVersion: string) => ({
  type,
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, resourceVersion } },
});
export const bookmark = (resourceVersion: string) => ({
  type: "BOOKMARK",
  object: { kind: "ConfigMap", metadata: { resourceVersion } },
});

/** Returns the resource versions from which watches were opened. */
export const versions = ({ requests }: ScriptedTransport) =>
  requests.map(({ path }) => new URL(path, "http://host").searchParams.get("resourceVersion"));

/** A resource version to watch from. */
export const from = { resourceVersion: "10" };
export const anError = (code: number, reason: string, details?: object) => ({
  type: "ERROR",
  object: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "no",
    reason,
    code,
    details,
  },
});
