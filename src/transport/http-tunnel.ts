import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import { ProxyError } from "./proxy-error.ts";

export interface TunnelOptions {
  /** The proxy's URL, with the user and password to show it. */
  readonly proxy: URL;
  /** Opens a connection to the proxy itself. */
  readonly connect: buildConnector.connector;
  /** How long the proxy may take to answer. */
  readonly timeoutMs: number;
}

/** A connection to `target` ("host:port") through an HTTP proxy, by CONNECT. */
export async function httpTunnel(target: string, options: TunnelOptions): Promise<Socket> {
  const { proxy, connect, timeoutMs } = options;
  const client = new Client(proxy.origin, { connect, headersTimeout: timeoutMs });
  const { statusCode, socket } = await client.connect({ path: target, headers: headersFor(proxy, target) });
  if (statusCode === 200) return socket as Socket; // it is the one `connect` made
  socket.destroy();
  throw new ProxyError(proxy, `${statusCode} ${STATUS_CODES[statusCode] ?? ""} to CONNECT ${target}`, {
    code: "PROXY_REFUSED",
  });
}

function headersFor(proxy: URL, host: string): Record<string, string> {
  if (proxy.username === "" && proxy.password === "") return { host };
  const userInfo = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { host, "proxy-authorization": `Basic ${Buffer.from(userInfo).toString("base64")}` };
}
