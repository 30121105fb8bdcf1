import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { type LocalServer, tcpServer } from "../local-server.fixture.ts";

/** A proxy on loopback and its requests. */
export interface ProxyFixture {
  readonly server: LocalServer;
  /** Host and port of its URL. */
  readonly host: string;
  readonly requests: string[];
}

/** Starts a proxy that accepts CONNECT, or refuses it with `status`. With a certificate it uses TLS. */
export async function connectProxy(status = 200, tls?: TlsOptions): Promise<ProxyFixture> {
  const requests: string[] = [];
  const server = await tcpServer((socket) => handleConnect(socket, requests, status), tls);
  return { server, requests, host: `127.0.0.1:${server.port}` };
}

function handleConnect(socket: Socket, requests: string[], status: number): void {
  socket.once("data", (head) => {
    const text = head.toString();
    const [, target = ""] = /^CONNECT (\S+) HTTP\/1\.1/.exec(text) ?? [];
    const [, credentials] = /^proxy-authorization: Basic (\S+)/im.exec(text) ?? [];
    requests.push(credentials ? `${target} as ${Buffer.from(credentials, "base64").toString()}` : target);
    socket.write(`HTTP/1.1 ${status} Proxied\r\n\r\n`);
    if (status === 200) join(socket, target);
    else socket.end();
  });
}

export interface Socks5Setup {
  /** The credentials that it requires. @default none */
  readonly credentials?: string;
  /** The status of its reply to a request to connect. @default success */
  readonly status?: number;
}

/** Starts a SOCKS5 proxy. Like the other proxy, it connects every address to loopback. */
export async function socks5Proxy(setup: Socks5Setup = {}): Promise<ProxyFixture> {
  const requests: string[] = [];
  const server = await tcpServer((socket) => void handleSocks5(socket, requests, setup));
  return { server, requests, host: `127.0.0.1:${server.port}` };
}

async function handleSocks5(socket: Socket, requests: string[], setup: Socks5Setup): Promise<void> {
  const { credentials, status = 0 } = setup;
  const offered = await heard(socket);
  const method = credentials === undefined ? 0 : offered.subarray(2).includes(2) ? 2 : 0xff;
  if (method === 0xff) return void socket.end(Buffer.from([5, method]));
  let message = await heard(socket, [5, method]);
  if (method === 2) {
    const received = passwordIn(message);
    requests.push(received);
    if (received !== credentials) return void socket.end(Buffer.from([1, 1]));
    message = await heard(socket, [1, 0]);
  }
  const target = targetIn(message);
  requests.push(target);
  socket.write(Buffer.from([5, status, 0, 1, 127, 0, 0, 1, 0, 0]));
  if (status === 0) join(socket, target);
}

/** Writes `reply` and returns the next message. */
async function heard(socket: Socket, reply: readonly number[] = []): Promise<Buffer> {
  const next = once(socket, "data");
  socket.write(Buffer.from(reply));
  const [message] = (await next) as [Buffer];
  return message;
}

function passwordIn(message: Buffer): string {
  const userEnd = 2 + message.readUInt8(1);
  return `${message.subarray(2, userEnd)}:${message.subarray(userEnd + 1)}`;
}

function targetIn(message: Buffer): string {
  const port = message.readUInt16BE(message.length - 2);
  const address = message.subarray(4, -2);
  if (message[3] === 1) return `${address.join(".")}:${port}`;
  return message[3] === 3 ? `${address.subarray(1)}:${port}` : `[${address.toString("hex")}]:${port}`;
}

function join(socket: Socket, target: string): void {
  const other = connect({ host: "127.0.0.1", port: Number(target.replace(/^.*:/, "")) });
  other.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  socket.on("close", () => other.destroy());
  socket.pipe(other).pipe(socket);
}
