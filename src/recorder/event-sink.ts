import type { RecordedEvent } from "./recorded-event.ts";

/** Receives events. */
export interface EventSink {
  /** Accepts the event and returns at once. Slow work is done later by the sink. */
  record(event: RecordedEvent): void;
  /** Stops accepting events and finishes the accepted ones. Calling it again has no effect. */
  close(): Promise<void>;
}
