import { isIPv4, isIPv6, type Socket } from "node:net";
import { realClock } from "../../base/index.ts";
import type { TunnelOptions } from "./http-tunnel.ts";
import { ProxyError } from "./proxy-error.ts";

export interface TunnelTarget {
  /** An address, or a name that the proxy resolves. */
  readonly host: string;
  readonly port: number;
}

/**
 * Connects to `target` through a SOCKS5 proxy (RFC 1928), with the user and password of its URL (RFC 1929).
 *
 * undici's SOCKS5 support is experimental and prints a warning. It limits neither connections nor time, and detects a
 * closed proxy connection only after five seconds.
 */
export async function socks5Tunnel(target: TunnelTarget, options: TunnelOptions): Promise<Socket> {
  const { proxy, timeoutMs } = options;
  const socket = await connected(options);
  const giveUp = (): void =>
    void socket.destroy(refusal(proxy, `no response in ${timeoutMs} ms`, "ETIMEDOUT"));
  const timer = realClock.timer(timeoutMs, giveUp);
  try {
    await agreeOnMethod(socket, proxy);
    await requestTarget(socket, target, proxy);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    timer.cancel();
  }
}

function connected({ proxy, connect }: TunnelOptions): Promise<Socket> {
  const { hostname, host, port } = proxy;
  const to = { hostname: unbracketed(hostname), host, protocol: "http:", port: port || "1080" };
  return new Promise((resolve, reject) =>
    connect(to, (...[error, socket]) => (socket ? resolve(socket) : reject(error))),
  );
}

const version = 5;
const methods = { none: 0, password: 2 } as const;

async function agreeOnMethod(socket: Socket, proxy: URL): Promise<void> {
  const offered = proxy.username === "" ? [methods.none] : [methods.none, methods.password];
  socket.write(Buffer.from([version, offered.length, ...offered]));
  const [serverVersion, method] = await readBytes(socket, 2);
  if (serverVersion !== version)
    throw refusal(proxy, `a response that is not SOCKS5 (first byte ${serverVersion})`);
  if (method === methods.none) return;
  if (method !== methods.password || proxy.username === "") throw refusal(proxy, "a demand for credentials");
  await sendPassword(socket, proxy);
}

async function sendPassword(socket: Socket, proxy: URL): Promise<void> {
  const withLength = (text: string): Buffer => {
    const bytes = Buffer.from(decodeURIComponent(text)).subarray(0, 255);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  };
  const subversion = 1;
  socket.write(
    Buffer.concat([Buffer.from([subversion]), withLength(proxy.username), withLength(proxy.password)]),
  );
  const [, status] = await readBytes(socket, 2);
  if (status !== 0) throw refusal(proxy, "a refusal of the user and password");
}

async function requestTarget(socket: Socket, { host, port }: TunnelTarget, proxy: URL): Promise<void> {
  const connect = 1;
  const request = [
    Buffer.from([version, connect, 0]),
    addressOf(host),
    Buffer.from([port >> 8, port & 0xff]),
  ];
  socket.write(Buffer.concat(request));
  const [, status = 1, , type] = await readBytes(socket, 4);
  if (status !== 0) throw refusal(proxy, `${refusals[status] ?? `refusal ${status}`} for ${host}:${port}`);
  const [length = 0] =
    type === addressTypes.name ? await readBytes(socket, 1) : [type === addressTypes.v6 ? 16 : 4];
  await readBytes(socket, length + 2); // the proxy's own address and port, which are not used
}

const refusals: Readonly<Record<number, string>> = {
  1: "a general failure",
  2: "a refusal by its rules",
  3: "no route to the network",
  4: "no route to the host",
  5: "a refused connection",
  6: "a connection that took too long",
  7: "no support for connecting",
  8: "no support for such addresses",
};

const addressTypes = { v4: 1, name: 3, v6: 4 } as const;

function addressOf(host: string): Buffer {
  const plain = unbracketed(host);
  if (isIPv4(plain)) return Buffer.from([addressTypes.v4, ...plain.split(".").map(Number)]);
  if (isIPv6(plain)) return Buffer.from([addressTypes.v6, ...bytesOfV6(plain)]);
  const name = Buffer.from(plain);
  return Buffer.concat([Buffer.from([addressTypes.name, name.length]), name]);
}

/** Returns the 16 bytes of an IPv6 address in the form of URLs: groups of hexadecimal digits, at most one "::". */
function bytesOfV6(text: string): number[] {
  const [before = [], after = []] = text.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

function refusal(proxy: URL, what: string, code = "PROXY_REFUSED"): ProxyError {
  return new ProxyError(proxy, what, { code });
}

/** Reads the next `length` bytes. The bytes after them stay in the socket. */
function readBytes(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const onReadable = (): void => {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes?.length === length) settle(() => resolve(bytes));
    };
    const onError = (error: Error): void => settle(() => reject(error));
    const onClose = (): void => settle(() => reject(hungUp()));
    const settle = (end: () => void): void => {
      socket.off("readable", onReadable).off("error", onError).off("end", onClose).off("close", onClose);
      end();
    };
    socket.on("readable", onReadable).on("error", onError).on("end", onClose).on("close", onClose);
    onReadable();
  });
}

function hungUp(): Error {
  return Object.assign(new Error("the connection was closed before a response"), { code: "ECONNRESET" });
}
