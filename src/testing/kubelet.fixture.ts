import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { Node, Pod } from "../api/types/core/v1.ts";
import { createAuthority } from "../certificates/index.ts";
import type { Client } from "../client/index.ts";

/** A request for a session, as the API server passes it to a kubelet. */
export interface ReceivedSession {
  readonly path: string;
  readonly command: readonly string[];
  /** The other parameters, sorted. */
  readonly streams: string;
}

/** The container's side of a session. */
export interface ContainerStreams {
  readonly received: ReceivedSession;
  /** Called for each message of the client, with its channel. */
  onMessage(listener: (channel: number, payload: Buffer) => void): void;
  send(channel: number, payload: string | Buffer): void;
  /** Sends the status of a command, and closes the connection. */
  exit(code: number): void;
  /** Sends a status, and closes the connection. */
  finish(status: object): void;
  /** Ends the connection without a close. */
  cut(): void;
}

export interface Kubelet extends AsyncDisposable {
  readonly received: ReceivedSession[];
  /** Creates a Node with the kubelet's address, and a Pod with two containers on it. */
  host(client: Client, name: string): Promise<void>;
}

/** Starts the part of a kubelet that serves exec and attach over WebSockets, with containers of a test. */
export async function startKubelet(run: (streams: ContainerStreams) => void): Promise<Kubelet> {
  const received: ReceivedSession[] = [];
  const server = createServer(createAuthority("kubelets").server(["127.0.0.1"]));
  const sockets = new WebSocketServer({ server, handleProtocols: () => "v5.channel.k8s.io" });
  sockets.on("connection", (socket, { url = "" }) => {
    const { pathname: path, searchParams } = new URL(url, "https://kubelet");
    const command = searchParams.getAll("command");
    searchParams.delete("command");
    searchParams.sort();
    const session = { path, command, streams: searchParams.toString() };
    received.push(session);
    run(streamsOf(socket, session));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    received,
    host: (client, name) => createNodeAndPod(client, name, port),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function streamsOf(socket: WebSocket, received: ReceivedSession): ContainerStreams {
  const send = (channel: number, payload: string | Buffer): void =>
    socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(payload)]));
  const finish = (status: object): void => {
    send(3, JSON.stringify(status));
    socket.close(1000);
  };
  return {
    received,
    send,
    finish,
    onMessage: (listener) =>
      socket.on("message", (data) => listener((data as Buffer)[0] ?? -1, (data as Buffer).subarray(1))),
    exit: (code) => finish(code === 0 ? { metadata: {}, status: "Success" } : failed(code)),
    cut: () => socket.terminate(),
  };
}

/** The status of the kubelet for a command that failed. */
function failed(code: number): object {
  return {
    metadata: {},
    status: "Failure",
    reason: "NonZeroExitCode",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}

async function createNodeAndPod(client: Client, name: string, port: number): Promise<void> {
  const node = await client.create(Node, { metadata: { name } });
  await client.applyStatus(Node, node, {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    declaredFeatures: ["ExtendWebSocketsToKubelet"], // so that the API server passes WebSockets through
  });
  await client.create(Pod, {
    metadata: { name, namespace: "default" },
    spec: { nodeName: name, containers: ["web", "side"].map((each) => ({ name: each, image: each })) },
  });
}
