/**
 * Records Events about objects, as `kubectl describe` shows them.
 *
 * It promises never to throw, block or fail the caller, to write repetitions as one Event with a count, to limit the
 * events of each object, and to write the rest on close within a bounded time. It does not promise that every Event is
 * written: some are lost while the server is unreachable for minutes.
 *
 * @module
 */
export { type ApiSinkOptions, apiSink, type EventsApi } from "./api-sink.ts";
export { type EventSink, logSink } from "./event-sink.ts";
export type { EventType, RecordedEvent } from "./recorded-event.ts";
export {
  type EventNote,
  type EventRecorder,
  type Recorder,
  type RecorderOptions,
  recorder,
} from "./recorder.ts";
