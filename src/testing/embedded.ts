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
import { Activity } from "./activity.ts";
import { type Cluster, type ClusterServer, clusterOf } from "./cluster.ts";
import { type CustomKind, serveKinds } from "./custom-kinds.ts";
import { inProcessTransport } from "./in-process-transport.ts";
import { writeKubeconfigs } from "./kubeconfig.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { type User, withAdmin } from "./users.ts";

/** An API server in this process, which is ready at once. No controller runs in it. */
export interface EmbeddedOptions {
  readonly engine?: "embedded" | undefined;
  /** Also listens on a loopback port over HTTPS, for other programs: see `kubeconfig`. @default false */
  readonly listen?: boolean | undefined;
  /**
   * Users known to the server besides the client's own, each with its own kubeconfig if the server listens. All of them
   * have all permissions. With `users`, requests without credentials are refused; without, they run as administrator.
   * @default none
   */
  readonly users?: readonly EmbeddedUser[] | undefined;
  /** Custom kinds that are served from the start. @default none */
  readonly kinds?: readonly CustomKind[] | undefined;
  /** Faults to inject once the cluster is ready. @default none */
  readonly faults?: readonly FaultRule[] | undefined;
  /**
   * The addresses of the Services of webhooks: `"namespace/name"` or `"namespace/name:port"` to `"host:port"`. Entries
   * may be added later. Webhooks of other Services cannot be called. @default none
   */
  readonly serviceAddresses?: ReadonlyMap<string, string> | undefined;
  /** The clock of the server, the client and the managers. @default the real clock */
  readonly clock?: Clock | undefined;
  /** The random numbers of the server, the client and the managers, except for secrets. @default the platform's */
  readonly rng?: Rng | undefined;
}

export interface EmbeddedUser extends User {
  /** Type of credential in the user's kubeconfig. @default "token" */
  readonly credential?: UserCredential["type"] | undefined;
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Cluster> {
  const { clock, rng, kinds = [], faults = [], serviceAddresses } = options;
  const users = withAdmin<EmbeddedUser>(options.users);
  const tokens = new Map(users.map(({ name }) => [name, secretToken()]));
  const guest = options.users ? undefined : administrator;
  const known = usersByToken(users, tokens);
  const server = createApiServer({ clock, rng, users: known, guest, serviceAddresses });
  const activity = new Activity();
  const counted = activity.counting(server);
  const handler = faults.length > 0 ? withFaults(counted, faults, { clock, rng }) : counted;
  try {
    if (kinds.length > 0) await define(server, kinds, options);
    const client = clientTo(handler, options);
    const front = options.listen ? await onNetwork({ server, handler, users, tokens }) : inside(server);
    return clusterOf({ client, server: front, activity, clock, rng });
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

/** Applies the kinds without the faults, which are for later requests. */
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
