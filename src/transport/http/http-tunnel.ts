import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import { ProxyError } from "./proxy-error.ts";

export interface TunnelOptions {
  /** The proxy's URL, with its user and password. */
  readonly proxy: URL;
  /** Opens a connection to the proxy itself. */
  readonly connect: buildConnector.connector;
  /** Time limit for the proxy's response. */
  readonly timeoutMs: number;
}

/** Connects to `target` ("host:port") through an HTTP proxy, with CONNECT. */
export async function httpTunnel(target: string, options: TunnelOptions): Promise<Socket> {
  const { proxy, connect, timeoutMs } = options;
  const client = new Client(proxy.origin, { connect, headersTimeout: timeoutMs });
  const { statusCode, socket } = await client.connect({ path: target, headers: headersFor(proxy, target) });
  if (statusCode === 200) return socket as Socket; // the socket that `connect` opened
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
