import { hostname, networkInterfaces } from "node:os";
import { release } from "../api/types/facts.ts";
import {
  administrator,
  createApiServer,
  kubeconfigText,
  listenSecurely,
  type SecureListener,
} from "../apiserver/index.ts";
import { asError, isLoopback, secretToken, untilAborted } from "../base/index.ts";
import { KubeconfigFile } from "./kubeconfig-file.ts";
import { UserError } from "./user-error.ts";

export interface ServeOptions {
  /** Port to listen on. @default a free port */
  readonly port?: number | undefined;
  /** Address to listen on. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** Path of the file to write, which is kept. @default a temporary file */
  readonly kubeconfig?: string | undefined;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Runs an API server over HTTPS until `signal` aborts. Its only user is the administrator, with a token. */
export async function serve({
  port,
  host = "127.0.0.1",
  kubeconfig,
  write,
  signal,
}: ServeOptions): Promise<void> {
  await using file = await KubeconfigFile.at(kubeconfig);
  const token = secretToken();
  const server = createApiServer({ users: new Map([[token, administrator]]) });
  const options = { port, host, hosts: serverNames(host), authenticator: server.authenticator };
  await using front = await listenSecurely(server, options).catch((error) => {
    throw listenError(asError(error), { host, port });
  });
  const user = administrator.username;
  await file.write(
    kubeconfigText({ server: front.url, ca: front.ca, user, credential: { type: "token", token } }),
  );
  write(welcome(front, file));
  await untilAborted(signal);
  server.close();
}

/** Returns the names and addresses by which other machines can reach the server. */
function serverNames(host: string): string[] {
  if (isLoopback(host)) return [];
  const addresses = Object.values(networkInterfaces()).flatMap(
    (each) => each?.map(({ address }) => address) ?? [],
  );
  return [hostname(), ...addresses];
}

function listenError(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<ServeOptions, "host" | "port">,
): Error {
  const { code = "" } = error;
  if (code === "EADDRINUSE") {
    return new UserError(
      `expected port ${port} of ${host} to be free, got ${code}: another program listens there; choose another --port`,
    );
  }
  if (code === "EACCES")
    return new UserError(
      `expected permission to listen on port ${port}, got ${code}: choose a --port over 1023`,
    );
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code)) {
    return new UserError(`expected an address of this machine as --host, got ${host} (${code})`);
  }
  return error;
}

function welcome({ url }: SecureListener, { path, temporary }: KubeconfigFile): string {
  return `A Kubernetes ${release} API server runs at ${url}. It keeps objects in memory and runs no controllers.

  export KUBECONFIG=${path}

  kubectl get namespaces
  kubectl create deployment web --image nginx --replicas 2
  kubectl create configmap menu --from-literal soup=leek
  kubectl get configmaps --watch

Ctrl-C stops it${temporary ? " and removes that file" : ""}.
`;
}
