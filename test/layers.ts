/**
 * Lists the folders that each folder of `src/` may import. This table is the only definition of the layers.
 *
 * A folder may list only folders above it, so there are no cycles. Every folder has an entry. A folder is imported
 * through its `index.ts`, or through its `internal.ts`, which has names for other folders that users cannot import; the
 * generated files of `api/types/` are imported directly. Tests may also import `base`, `testing` and the helpers of
 * `test/`. `src/index.ts` may import every folder.
 *
 * The client side (`transport`, `client` and up) and the server side (`apiserver` and its imports) share only the
 * `groundFloor`, so that each is an independent check on the other.
 */
export const layers: Layers = {
  base: [],
  api: [],
  certificates: ["base"],
  schema: ["api"],
  patch: ["base", "api", "schema"],
  crd: ["base", "api", "schema"],
  zod: ["api", "crd"],
  queue: ["base"],
  transport: ["base", "api"],
  client: ["base", "api", "transport"],
  recorder: ["base", "api", "client"],
  cache: ["base", "api", "transport", "client"],
  election: ["base", "api", "transport", "client"],
  detector: ["base", "api", "client"],
  controller: ["base", "api", "client", "queue", "cache", "recorder", "detector"],
  // Shared by the servers of webhooks, metrics and health checks.
  serving: ["base", "certificates", "client"],
  // Handlers read the cache of the manager: the type `Cache`.
  webhook: ["base", "api", "certificates", "client", "controller", "serving"],
  manager: [
    "base",
    "api",
    "certificates",
    "transport",
    "client",
    "queue",
    "cache",
    "recorder",
    "election",
    "detector",
    "controller",
    "serving",
    "webhook",
  ],
  workloads: ["base", "api", "client", "queue", "cache", "recorder", "controller", "manager"],
  apiserver: ["base", "api", "certificates", "schema", "patch"],
  testing: [
    "base",
    "api",
    "schema",
    "crd",
    "certificates",
    "transport",
    "client",
    "detector",
    "controller",
    "webhook",
    "manager",
    "workloads",
    "apiserver",
  ],
  cli: ["base", "api", "apiserver"],
};

/**
 * The rooms (subfolders) of large folders, lowest first. A room may import itself and the rooms before it. Files
 * directly in the folder may import every room; a room may import none of them except the shared ones.
 */
export const rooms: Readonly<Record<string, Rooms>> = {
  apiserver: {
    order: [
      "types",
      "storage",
      "validation",
      "yaml",
      "protobuf",
      "codec",
      "printers",
      "watch",
      "auth",
      "http",
      "discovery",
      "openapi",
      "webhooks",
      "admission",
      "verbs",
      "routing",
      "registry",
      "crd",
      "faults",
    ],
  },
  cache: { order: ["objects", "reflector", "parts"] },
  transport: {
    order: ["json", "config", "http", "streaming"],
    shared: ["transport.ts", "api-error.ts"],
  },
  manager: { order: ["preflight", "servers"] },
  workloads: {
    order: [
      "owning",
      "pods",
      "replica-sets",
      "deployments",
      "garbage-collector",
      "namespaces",
      "scheduler",
      "nodes",
    ],
  },
  schema: { order: ["values", "formats", "structure", "decoding", "validation", "rules"] },
  patch: { order: ["values", "patches", "managed"] },
};

export interface Rooms {
  readonly order: readonly string[];
  /** Files of the folder that every room may import: interfaces and errors. @default none */
  readonly shared?: readonly string[];
}

export type Layers = Readonly<Record<string, readonly string[]>>;

/** Folders that the client side and the server side may both import. */
export const groundFloor: readonly string[] = ["base", "api", "schema"];

/** Returns the folders that a folder imports, directly or indirectly. */
export function reachable(folder: string, table: Layers): ReadonlySet<string> {
  const found = new Set(table[folder]);
  for (const next of found) for (const further of table[next] ?? []) found.add(further);
  return found;
}
