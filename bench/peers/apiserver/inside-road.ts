import { type Cluster, startCluster } from "trimtab/testing";
import { EventCounter, type Road, type RoadRequest, refused } from "./road.ts";

/** A road to a new cluster in this process, without a socket. */
export async function insideRoad(): Promise<Road> {
  const cluster = await startCluster({ engine: "embedded" });
  const send = (request: RoadRequest): Promise<Buffer> => ask(cluster, request);
  return {
    send,
    sink: async (request) => (await send(request)).length,
    async watch(path, seen) {
      const counter = new EventCounter();
      const response = await cluster.client.transport.open({ method: "GET", path });
      response.receive({
        onChunk(chunk) {
          const events = counter.count(chunk);
          if (events > 0) seen(events);
        },
        onEnd: () => {},
        onError: () => {},
      });
    },
    close: () => cluster.close(),
  };
}

async function ask({ client }: Cluster, request: RoadRequest): Promise<Buffer> {
  const { method, path, body, type = "application/json" } = request;
  const headers = body === undefined ? {} : { "content-type": type };
  const response = await client.transport.send({ method, path, headers, body });
  if (response.status < 300) return response.body;
  throw refused(request, response.status, response.body.toString());
}
