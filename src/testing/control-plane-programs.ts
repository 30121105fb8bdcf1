import type { Binaries } from "./binaries.ts";
import type { ControlPlaneFolder } from "./control-plane-folder.ts";
import { type Flags, flagArguments } from "./flags.ts";
import { freePorts } from "./free-ports.ts";
import { logPath } from "./start-failure.ts";
import type { Program } from "./supervisor.ts";

/** What to run for one control plane, in order, and where its API server will answer. */
export interface ControlPlanePrograms {
  readonly programs: readonly Program[];
  readonly server: string;
}

/** Two programs on three free ports of 127.0.0.1. `flags` go to the API server, over its defaults here. */
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
    // The data is thrown away at the end: nothing has to survive a crash.
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
    // No controller makes the service account that this plugin would ask of every pod.
    "disable-admission-plugins": "ServiceAccount",
    // Endpoints may not have a loopback address, so there is none to publish.
    "endpoint-reconciler-type": "none",
  };
}
