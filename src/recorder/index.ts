/**
 * Events about objects: what `kubectl describe` shows of what a controller did.
 *
 * It promises never to throw, wait or fail in the way of who records, to write each thing that happened often as one
 * Event with a count, to let no object flood the cluster, and to write what is left when it is closed, within a bounded
 * time. It does not promise that an Event is written: a server that cannot be reached for minutes misses some.
 *
 * @module
 */
export { type ApiSinkOptions, apiSink, type EventsApi } from "./api-sink.ts";
export type { EventSink } from "./event-sink.ts";
export { logSink } from "./log-sink.ts";
export type { EventType, RecordedEvent } from "./recorded-event.ts";
export {
  type EventNote,
  type EventRecorder,
  type Recorder,
  type RecorderOptions,
  recorder,
} from "./recorder.ts";
