import type { ConfigMap } from "../api/types/core/v1.ts";
import { Event as CoreEvent } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type Recorder, type RecorderOptions, recorder } from "./index.ts";
import { Wire } from "./wire.fixture.ts";

/** The clock, transport and log for a test of a recorder. The server has its own clock. */
export class RecorderStage {
  /** Starts at 2030-01-02T03:04:05.678Z. */
  readonly clock = new VirtualClock(1_893_553_445_678);
  readonly logged: LogEntry[] = [];
  readonly wire: Wire;
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
    this.wire = new Wire(client);
  }

  /** Deletes all events in the cluster first. */
  static async on(client: Client): Promise<RecorderStage> {
    await client.deleteAll(CoreEvent, { namespace: "default" });
    return new RecorderStage(client);
  }

  recording(more: Partial<RecorderOptions> = {}): Recorder {
    const { clock, wire } = this;
    const log = loggerTo((entry) => this.logged.push(entry));
    const own = { client: wire.client, component: "shop", instance: "host-1" };
    return recorder({ ...own, log, clock, rng: seededRng(1), ...more });
  }

  /** Returns the events without the metadata that the server adds. */
  async coreEvents(): Promise<object[]> {
    const events = await this.#client.list(CoreEvent, { namespace: "default" });
    return events.map(({ metadata: { name, namespace, annotations }, ...event }) => ({
      ...event,
      metadata: { name, namespace, annotations },
    }));
  }

  /** Returns the log entries with this message. */
  loggedWith(message: string): LogEntry[] {
    return this.logged.filter((entry) => entry.message === message);
  }
}

export function configMap(name: string, namespace = "default"): ConfigMap {
  const metadata = { name, namespace, uid: `uid-${name}`, resourceVersion: "7", creationTimestamp: "" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}
