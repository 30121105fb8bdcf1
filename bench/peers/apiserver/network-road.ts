import { readFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Dispatcher, Pool } from "undici";
import { EventCounter, type Road, type RoadRequest, refused } from "./road.ts";

/** A road over the network from a kubeconfig: HTTP/1.1 with keep-alive, with TLS if the server has it. */
export function networkRoad(kubeconfig: string, connections: number): Road {
  const access = accessOf(kubeconfig);
  const pool = new Pool(access.server, { connections, pipelining: 1, connect: access.tls });
  const sockets: Socket[] = [];
  const ask = async (request: RoadRequest): Promise<Dispatcher.ResponseData> => {
    const { method, path, body = null, type = "application/json" } = request;
    const headers = { ...access.headers, ...(body !== null && { "content-type": type }) };
    const response = await pool.request({ method, path, body, headers });
    if (response.statusCode < 300) return response;
    throw refused(request, response.statusCode, await response.body.text());
  };
  return {
    send: async (request) => Buffer.from(await (await ask(request)).body.arrayBuffer()),
    sink: async (request) => count((await ask(request)).body),
    async watch(path, seen) {
      sockets.push(await openWatch(access, path, seen));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await pool.destroy();
    },
  };
}

interface Access {
  readonly server: string;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads a kubeconfig of `startCluster`, which is JSON with all certificates inline. */
function accessOf(path: string): Access {
  const { clusters, users } = JSON.parse(readFileSync(path, "utf8")) as {
    clusters: Array<{ cluster: Record<string, string> }>;
    users: Array<{ user: Record<string, string> }>;
  };
  const { server = "", "certificate-authority-data": ca } = clusters[0]?.cluster ?? {};
  const { token, "client-certificate-data": cert, "client-key-data": key } = users[0]?.user ?? {};
  return {
    server,
    tls: {
      ...(ca && { ca: decoded(ca) }),
      ...(cert && key && { cert: decoded(cert), key: decoded(key) }),
    },
    headers: token ? { authorization: `Bearer ${token}` } : {},
  };
}

const decoded = (text: string): string => Buffer.from(text, "base64").toString();

async function count(body: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
}

/** The cheapest possible reader, for a hundred watchers in one process: it only counts the ends of events. */
function openWatch(access: Access, path: string, seen: (events: number) => void): Promise<Socket> {
  const { hostname: host, port, protocol } = new URL(access.server);
  const counter = new EventCounter();
  return new Promise((resolve, reject) => {
    const onread = {
      buffer: Buffer.allocUnsafeSlow(64 * 1024),
      callback(length: number, buffer: Uint8Array): boolean {
        resolve(socket);
        const events = counter.count(buffer.subarray(0, length));
        if (events > 0) seen(events);
        return true;
      },
    };
    const options = { host, port: Number(port), noDelay: true, onread, ...access.tls };
    // Node's type declarations omit that a TLS connection supports `onread`.
    const socket = protocol === "https:" ? connectTls(options as object) : connectPlain(options);
    socket.once("error", reject);
    const headers = Object.entries({ host, ...access.headers }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`GET ${path} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
  });
}
