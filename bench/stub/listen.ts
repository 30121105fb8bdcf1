import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { answer } from "./answer.ts";
import { testCertificate } from "./certificate.ts";
import { type Respond, serveHttp1 } from "./http1.ts";
import { serveHttp2 } from "./http2.ts";
import type { Stub } from "./stub.ts";

/** The URLs of a stub. */
export interface Addresses {
  /** "http://127.0.0.1:40001": HTTP/1.1 without encryption. */
  readonly plain: string;
  /** "https://127.0.0.1:40002": HTTP/1.1 or HTTP/2, as the client chooses. */
  readonly secure: string;
}

export interface Listening extends Addresses, AsyncDisposable {}

/** The cipher that kube-apiserver chooses. Node's default has longer keys. */
const ciphers = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384";

/** Serves a stub on two free ports of this machine. */
export async function listen(stub: Stub): Promise<Listening> {
  const respond: Respond = (request) => answer(stub, request);
  const plain = createServer({ noDelay: true }, (socket) => serveHttp1(socket, respond));
  const secure = createTlsServer(
    { ...testCertificate, ciphers, ALPNProtocols: ["h2", "http/1.1"], noDelay: true },
    (socket) => (socket.alpnProtocol === "h2" ? serveHttp2(socket, respond) : serveHttp1(socket, respond)),
  );
  const open = new Set<Socket>();
  const addresses = await Promise.all([opened(plain, open), opened(secure, open)]);
  return {
    plain: `http://${addresses[0]}`,
    secure: `https://${addresses[1]}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await Promise.all([closed(plain), closed(secure)]);
    },
  };
}

function opened(server: Server, open: Set<Socket>): Promise<string> {
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The address of a listening TCP server is an AddressInfo.
    server.listen(0, "127.0.0.1", () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}
