import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { type LocalServer, tcpServer } from "./local-server.fixture.ts";

/** A proxy on loopback and what it was asked. */
export interface ProxyFixture {
  readonly server: LocalServer;
  /** Its URL's host and port. */
  readonly host: string;
  readonly asked: string[];
}

/** Carries what comes after CONNECT, or refuses it with `status`. It speaks TLS where it has a certificate. */
export async function connectProxy(status = 200, tls?: TlsOptions): Promise<ProxyFixture> {
  const asked: string[] = [];
  const server = await tcpServer((socket) => answerConnect(socket, asked, status), tls);
  return { server, asked, host: `127.0.0.1:${server.port}` };
}

function answerConnect(socket: Socket, asked: string[], status: number): void {
  socket.once("data", (head) => {
    const text = head.toString();
    const [, target = ""] = /^CONNECT (\S+) HTTP\/1\.1/.exec(text) ?? [];
    const [, credentials] = /^proxy-authorization: Basic (\S+)/im.exec(text) ?? [];
    asked.push(credentials ? `${target} as ${Buffer.from(credentials, "base64").toString()}` : target);
    socket.write(`HTTP/1.1 ${status} Whatever\r\n\r\n`);
    if (status === 200) join(socket, target);
    else socket.end();
  });
}

export interface Socks5Setup {
  /** What it demands of whoever comes. @default nothing */
  readonly credentials?: string;
  /** How it answers a request to connect. @default success */
  readonly status?: number;
}

/** A SOCKS5 proxy. As for the other, every address is loopback's. */
export async function socks5Proxy(setup: Socks5Setup = {}): Promise<ProxyFixture> {
  const asked: string[] = [];
  const server = await tcpServer((socket) => void answerSocks5(socket, asked, setup));
  return { server, asked, host: `127.0.0.1:${server.port}` };
}

async function answerSocks5(socket: Socket, asked: string[], setup: Socks5Setup): Promise<void> {
  const { credentials, status = 0 } = setup;
  const offered = await heard(socket);
  const method = credentials === undefined ? 0 : offered.subarray(2).includes(2) ? 2 : 0xff;
  if (method === 0xff) return void socket.end(Buffer.from([5, method]));
  let message = await heard(socket, [5, method]);
  if (method === 2) {
    const shown = passwordIn(message);
    asked.push(shown);
    if (shown !== credentials) return void socket.end(Buffer.from([1, 1]));
    message = await heard(socket, [1, 0]);
  }
  const target = targetIn(message);
  asked.push(target);
  socket.write(Buffer.from([5, status, 0, 1, 127, 0, 0, 1, 0, 0]));
  if (status === 0) join(socket, target);
}

/** The next message, after `reply` has been said. */
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
