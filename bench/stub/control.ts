import { jsonReply, type Reply, refusal } from "./reply.ts";
import type { Stub } from "./stub.ts";

/**
 * Control requests of a bench, all by GET:
 *
 * - `/ctl/stats`
 * - `/ctl/size?pods=100000&websites=10`
 * - `/ctl/protobuf?pods=FILE`
 * - `/ctl/stream?resource=pods&events=1000[&rate=2000][&when=open|watched][&end=true]` sends to every open
 *   watch, with `when=open` to the next watch as soon as it opens, and with `when=watched` to the next only if none is
 * open. The response does not wait for the events.
 */
export function controlReply(stub: Stub, path: string, query: URLSearchParams): Reply {
  switch (path) {
    case "/ctl/stats":
      return jsonReply(stub.stats());
    case "/ctl/size":
      for (const [resource, count] of query) stub.resize(resource, Number(count));
      return jsonReply(stub.stats());
    case "/ctl/protobuf":
      for (const [resource, file] of query) stub.loadProtobuf(resource, file);
      return jsonReply(stub.stats());
    case "/ctl/stream":
      return startStream(stub, query);
    default:
      return refusal(
        404,
        "NotFound",
        `expected /ctl/stats, /ctl/size, /ctl/protobuf or /ctl/stream, got ${path}`,
      );
  }
}

function startStream(stub: Stub, query: URLSearchParams): Reply {
  const order = {
    resource: query.get("resource") ?? "pods",
    events: Number(query.get("events") ?? 0),
    perSecond: Number(query.get("rate") ?? 0),
    end: query.get("end") === "true",
  };
  if (query.get("when") === "open") stub.arm(order);
  else if (query.get("when") === "watched") stub.startOrArm(order);
  else stub.start(order);
  return jsonReply(stub.stats());
}
