import { keyText } from "../api/index.ts";
import type { Logger } from "../base/index.ts";
import type { RecordedEvent } from "./recorded-event.ts";

/** Receives events. */
export interface EventSink {
  /** Accepts the event and returns at once. Slow work is done later by the sink. */
  record(event: RecordedEvent): void;
  /** Stops accepting events and finishes the accepted ones. Calling it again has no effect. */
  close(): Promise<void>;
}

/** Returns a sink that logs every occurrence of every event. */
export function logSink(log: Logger): EventSink {
  return {
    record({ type, reason, note, regarding }) {
      const { kind, namespace, name = "" } = regarding;
      const fields = { type, reason, note, kind, key: keyText({ namespace, name }) };
      if (type === "Warning") log.warn("event", fields);
      else log.info("event", fields);
    },
    close: () => Promise.resolve(),
  };
}
