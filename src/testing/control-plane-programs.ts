import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Binaries } from "./binaries.ts";
import type { ControlPlaneFolder } from "./control-plane-folder.ts";
import { logPath } from "./start-failure.ts";
import type { Program } from "./supervisor.ts";

/** The programs of one control plane in start order, and the URL of its API server. */
export interface ControlPlanePrograms {
  readonly programs: readonly Program[];
  readonly server: string;
}

/**
 * Returns etcd and kube-apiserver on three free ports of 127.0.0.1. `flags` override the defaults of the API server.
 */
export async function controlPlanePrograms(
  binaries: Binaries,
  folder: ControlPlaneFolder,
  flags: Flags | undefined,
): Promise<ControlPlanePrograms> {
  const [clients = 0, peers = 0, secure = 0] = await freePorts(3);
  const storage = etcdFlags(folder, clients, peers);
  const front = apiServerFlags(folder, clients, secure);
  const program = (name: string, file: string, args: string[]): Program => ({
    name,
    file,
    args,
    log: logPath(folder.path, name),
  });
  return {
    programs: [
      program("etcd", binaries.etcd, flagArguments(storage)),
      program("kube-apiserver", binaries.kubeApiserver, flagArguments(front, flags)),
    ],
    server: `https://127.0.0.1:${secure}`,
  };
}

function etcdFlags(folder: ControlPlaneFolder, clients: number, peers: number): Flags {
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
  return {
    "data-dir": folder.etcdData,
    "listen-client-urls": clientUrl,
    "advertise-client-urls": clientUrl,
    "listen-peer-urls": peerUrl,
    "initial-advertise-peer-urls": peerUrl,
    "initial-cluster": `default=${peerUrl}`,
    // The data is deleted at the end, so nothing has to survive a crash.
    "unsafe-no-fsync": "true",
    "log-level": "warn",
  };
}

function apiServerFlags(folder: ControlPlaneFolder, etcdPort: number, securePort: number): Flags {
  return {
    "etcd-servers": `http://127.0.0.1:${etcdPort}`,
    "bind-address": "127.0.0.1",
    "advertise-address": "127.0.0.1",
    "secure-port": String(securePort),
    "cert-dir": folder.certificates,
    "token-auth-file": folder.tokenFile,
    "authorization-mode": "RBAC",
    "allow-privileged": "true",
    "service-cluster-ip-range": "10.0.0.0/24",
    "service-account-issuer": "https://kubernetes.default.svc",
    "service-account-key-file": folder.serviceAccountKey,
    "service-account-signing-key-file": folder.serviceAccountKey,
    // This plugin requires a service account for every pod, and no controller creates one.
    "disable-admission-plugins": "ServiceAccount",
    // Endpoints must not have a loopback address, so none is published.
    "endpoint-reconciler-type": "none",
  };
}

/**
 * Returns `count` different ports of 127.0.0.1 that were free a moment ago. They are not reserved: a caller may find a
 * port taken and has to request others.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenOnFreePort));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(release));
  return ports;
}

async function listenOnFreePort(): Promise<Server> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  // A server that listens on a TCP port has an address of this type.
  return (server.address() as AddressInfo).port;
}

async function release(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}

/**
 * Flags of a program by name without dashes. A list passes the flag once for each of its values; `undefined` omits the
 * flag.
 */
export type Flags = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the command-line arguments for `defaults` with `overrides` applied. */
export function flagArguments(defaults: Flags, overrides: Flags = {}): string[] {
  return Object.entries({ ...defaults, ...overrides }).flatMap(([name, value = []]) =>
    [value].flat().map((one) => `--${name}=${one}`),
  );
}
