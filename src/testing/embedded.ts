import {
  type ApiServer,
  administrator,
  createApiServer,
  type FaultRule,
  type Handler,
  listenSecurely,
  type SecureListener,
  type UserCredential,
  type UserInfo,
  withFaults,
} from "../apiserver/index.ts";
import { type Clock, type Rng, secretToken } from "../base/index.ts";
import { clientOver } from "../client/index.ts";
import { type Cluster, type ClusterServer, clusterOf } from "./cluster.ts";
import { type CustomKind, serveKinds } from "./custom-kinds.ts";
import { inProcessTransport } from "./in-process-transport.ts";
import { writeKubeconfigs } from "./kubeconfig.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { type User, withAdmin } from "./users.ts";

/** An API server in this process: ready at once, and gone with it. No controller runs in it. */
export interface EmbeddedOptions {
  readonly engine?: "embedded" | undefined;
  /** Listens on a loopback port too, over HTTPS, for other programs: `kubeconfig` says where. @default false */
  readonly listen?: boolean | undefined;
  /**
   * Known to the server besides the one the client is, each by a kubeconfig of its own where the server listens.
   * All of them may do everything. With users, who shows nothing is refused; without, they are the administrator.
   * @default none
   */
  readonly users?: readonly EmbeddedUser[] | undefined;
  /** Custom kinds that are served from the start. @default none */
  readonly kinds?: readonly CustomKind[] | undefined;
  /** What goes wrong on purpose, from when the cluster is ready. @default nothing */
  readonly faults?: readonly FaultRule[] | undefined;
  /** The clock of the server, the client and the managers. @default the machine's */
  readonly clock?: Clock | undefined;
  /** The random numbers of the server, the client and the managers, except secrets. @default the platform's */
  readonly rng?: Rng | undefined;
}

export interface EmbeddedUser extends User {
  /** What its kubeconfig presents. @default "token" */
  readonly credential?: UserCredential["type"] | undefined;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Cluster> {
  const { clock, rng, kinds = [], faults = [] } = options;
  const users = withAdmin<EmbeddedUser>(options.users);
  const tokens = new Map(users.map(({ name }) => [name, secretToken()]));
  const guest = options.users ? undefined : administrator;
  const server = createApiServer({ clock, rng, users: usersByToken(users, tokens), guest });
  const handler = faults.length > 0 ? withFaults(server, faults, { clock, rng }) : server;
  try {
    if (kinds.length > 0) await define(server, kinds, options);
    const client = clientTo(handler, options);
    const front = options.listen ? await onNetwork({ server, handler, users, tokens }) : inside(server);
    return clusterOf({ client, server: front, clock, rng });
  } catch (error) {
    server.close();
    throw error;
  }
}

function usersByToken(
  users: readonly EmbeddedUser[],
  tokens: ReadonlyMap<string, string>,
): Map<string, UserInfo> {
  const byToken = users.map(({ name, groups = [] }): [string, UserInfo] => {
    const info = { username: name, uid: name, groups: [...groups, "system:authenticated"] };
    return [tokens.get(name) ?? "", info];
  });
  return new Map(byToken);
}

function clientTo(handler: Handler, { clock, rng }: EmbeddedOptions): Cluster["client"] {
  const transport = inProcessTransport(handler, { user: administrator });
  return clientOver(transport, { namespace: "default", clock, rng });
}

/** Beside the faults: they are for what comes later. */
async function define(
  server: ApiServer,
  kinds: readonly CustomKind[],
  options: EmbeddedOptions,
): Promise<void> {
  await using client = clientTo(server, options);
  await serveKinds(client, kinds, options);
}

function inside(server: ApiServer): ClusterServer {
  const refuse = (): never => {
    throw new Error(
      "expected a cluster that listens, got one inside this process: start it with listen: true",
    );
  };
  return {
    get kubeconfig(): string {
      return refuse();
    },
    kubeconfigOf: refuse,
    onChange: (run) => server.storage.onChange("", run),
    close: async () => server.close(),
  };
}

interface Inside {
  readonly server: ApiServer;
  readonly handler: Handler;
  readonly users: readonly EmbeddedUser[];
  readonly tokens: ReadonlyMap<string, string>;
}

async function onNetwork({ server, handler, users, tokens }: Inside): Promise<ClusterServer> {
  const front = await listenSecurely(handler, { authenticator: server.authenticator });
  const folder = await temporaryFolder("trimtab-embedded-");
  const close = async (): Promise<void> => {
    server.close();
    await front.close();
    await folder[Symbol.asyncDispose]();
  };
  try {
    const credentials = new Map(users.map((user) => [user.name, credentialOf(user, front, tokens)]));
    const kubeconfigs = await writeKubeconfigs(folder.path, { server: front.url, ca: front.ca, credentials });
    return {
      kubeconfig: kubeconfigs.of("admin"),
      kubeconfigOf: (user) => kubeconfigs.of(user),
      onChange: (run) => server.storage.onChange("", run),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function credentialOf(
  user: EmbeddedUser,
  front: SecureListener,
  tokens: ReadonlyMap<string, string>,
): UserCredential {
  const { name, groups, credential = "token" } = user;
  if (credential === "token") return { type: "token", token: tokens.get(name) ?? "" };
  return { type: "certificate", ...front.certificateFor({ commonName: name, organizations: groups }) };
}
