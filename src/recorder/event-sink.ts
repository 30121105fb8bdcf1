import type { RecordedEvent } from "./recorded-event.ts";

/** Where events go. */
export interface EventSink {
  /** Takes the event and returns: whatever takes time is the sink's own. */
  record(event: RecordedEvent): void;
  /** Brings what it has taken to an end, and takes no more. May be called again. */
  close(): Promise<void>;
}
