import { keyText } from "../api/index.ts";
import type { Logger } from "../base/index.ts";
import type { EventSink } from "./event-sink.ts";

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
