import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asError, type Clock, deadline, realClock } from "../base/index.ts";
import type { Binaries } from "./binaries.ts";
import { type ControlPlaneFolder, controlPlaneFolder } from "./control-plane-folder.ts";
import { controlPlanePrograms, type Flags } from "./control-plane-programs.ts";
import { writeKubeconfigs } from "./kubeconfig.ts";
import { checkServer, type Readiness, untilReady } from "./readiness.ts";
import { PortTakenError, startFailure } from "./start-failure.ts";
import { Supervisor } from "./supervisor.ts";
import { admin, type User, withAdmin } from "./users.ts";

export interface ControlPlaneOptions {
  readonly binaries: Binaries;
  /** Users known to the server besides its administrator. @default none */
  readonly users?: readonly User[] | undefined;
  /** Flags of the API server, which override the defaults. @default none */
  readonly flags?: Flags | undefined;
  /** How long the server may take until it is ready. @default 60_000 */
  readonly startupMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/** An API server and its etcd, as processes on this machine. */
export interface ControlPlane extends AsyncDisposable {
  /** URL of the API server. */
  readonly server: string;
  /** CA certificates to verify the server's certificate, in PEM. */
  readonly ca: string;
  /** Bearer token of the administrator. */
  readonly token: string;
  /** Path of a kubeconfig file for the administrator. */
  readonly kubeconfig: string;
  /** Path of a kubeconfig file for one of `users`. */
  kubeconfigOf(user: string): string;
  /** Process ids by program: "etcd", "kube-apiserver". */
  readonly pids: ReadonlyMap<string, number>;
  /** Stops the processes and removes all their files. */
  close(): Promise<void>;
}

/** Maximum number of starts. A port that was free when chosen may be taken when used; then other ports are chosen. */
const maxTries = 5;

/**
 * Starts etcd and kube-apiserver with their own data, certificates and tokens, and waits until they are ready. No
 * process or file outlives this process, even if it is killed.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { startupMs = 60_000, clock = realClock, signal } = options;
  const users = withAdmin(options.users);
  using limit = deadline(startupMs, "the start of kube-apiserver", { clock, signal });
  for (let left = maxTries - 1; ; left--) {
    try {
      return await attempt({ ...options, users, clock, signal: limit.signal });
    } catch (error) {
      if (signal?.aborted) throw asError(signal.reason);
      if (!(error instanceof PortTakenError) || left === 0) throw error;
    }
  }
}

interface Settled extends ControlPlaneOptions {
  readonly users: readonly User[];
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

async function attempt(options: Settled): Promise<ControlPlane> {
  const path = await mkdtemp(join(tmpdir(), "trimtab-cluster-"));
  const supervisor = new Supervisor(path);
  try {
    return await start(path, supervisor, options);
  } catch (error) {
    const failure = await startFailure(asError(error), path);
    await supervisor.close();
    throw failure;
  }
}

async function start(path: string, supervisor: Supervisor, options: Settled): Promise<ControlPlane> {
  const { binaries, users, flags, clock } = options;
  const folder = await controlPlaneFolder(path, users);
  const { programs, server } = await controlPlanePrograms(binaries, folder, flags);
  for (const program of programs) supervisor.start(program);
  const signal = AbortSignal.any([options.signal, supervisor.failed]);
  await untilReady((until) => check(server, folder, until), { signal, clock });
  return controlPlane(server, folder, supervisor);
}

async function check(server: string, folder: ControlPlaneFolder, signal: AbortSignal): Promise<Readiness> {
  try {
    const ca = await certificates(folder);
    return await checkServer({ server, ca, token: tokenOf(admin, folder), signal });
  } catch (error) {
    return { ready: false, because: asError(error).message };
  }
}

async function controlPlane(
  server: string,
  folder: ControlPlaneFolder,
  supervisor: Supervisor,
): Promise<ControlPlane> {
  const ca = await certificates(folder);
  const credentials = new Map(
    [...folder.tokens].map(([user, token]) => [user, { type: "token", token } as const]),
  );
  const kubeconfigs = await writeKubeconfigs(folder.path, { server, ca, credentials });
  const close = (): Promise<void> => supervisor.close();
  return {
    server,
    ca,
    token: tokenOf(admin, folder),
    kubeconfig: kubeconfigs.of(admin.name),
    kubeconfigOf: (user) => kubeconfigs.of(user),
    pids: supervisor.pids,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the server's certificate and the CA that signed it. The server generates both when it starts. */
function certificates(folder: ControlPlaneFolder): Promise<string> {
  return readFile(join(folder.certificates, "apiserver.crt"), "utf8");
}

function tokenOf({ name }: User, { tokens }: ControlPlaneFolder): string {
  return tokens.get(name) ?? "";
}
