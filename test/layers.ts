/**
 * What each folder of `src/` may import: the whole order of the code in one table, and the only place that says it.
 *
 * A folder may list only folders above it here, so there are no cycles. Every folder there is has an entry.
 * Another folder is reached through its `index.ts`; the generated `api/types/**` is a public surface of its own.
 * Tests may import `base`, `testing` and the helpers of `test/` as well. `src/index.ts`, the front door, may import every folder.
 *
 * Two towers stand on one ground floor, so that each is an independent check on the other: what users run
 * (`transport`, `client` and up) and what it runs against (`apiserver` and what it needs).
 */
export const layers: Layers = {
  base: [],
  api: [],
  certificates: ["base"],
  schema: ["api"],
  patch: ["base", "api", "schema"],
  crd: ["base", "api", "schema"],
  queue: ["base"],
  transport: ["base", "api"],
  client: ["base", "api", "transport"],
  recorder: ["base", "api", "client"],
  cache: ["base", "api", "transport", "client"],
  election: ["base", "api", "transport", "client"],
  detector: ["base", "api", "client"],
  controller: ["base", "api", "client", "queue", "cache", "recorder", "detector"],
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
  ],
  apiserver: ["base", "api", "certificates", "schema", "patch"],
  testing: ["base", "api", "transport", "client", "detector", "controller", "manager", "apiserver"],
  cli: ["base", "api", "apiserver"],
};

/**
 * The rooms of large folders, lowest first. A room may import itself and the rooms before it. Files directly in the folder may
 * import every room; a room may import none of them except the shared ones.
 */
export const rooms: Readonly<Record<string, Rooms>> = {
  apiserver: {
    order: [
      "types",
      "storage",
      "validation",
      "yaml",
      "codec",
      "printers",
      "watch",
      "auth",
      "http",
      "discovery",
      "openapi",
      "verbs",
      "routing",
      "registry",
      "crd",
      "faults",
    ],
  },
  cache: { order: ["objects", "reflector"] },
  transport: { order: ["json", "config", "http"], shared: ["transport.ts"] },
  schema: { order: ["values", "formats", "structure", "decoding", "validation", "rules"] },
  patch: { order: ["values", "patches", "managed"] },
};

export interface Rooms {
  readonly order: readonly string[];
  /** Files of the folder that every room may import: interfaces. @default none */
  readonly shared?: readonly string[];
}

export type Layers = Readonly<Record<string, readonly string[]>>;

/** What the two towers may both stand on. */
export const groundFloor: readonly string[] = ["base", "api", "schema"];

/** What a folder reaches, directly or through others. */
export function reachable(folder: string, table: Layers): ReadonlySet<string> {
  const found = new Set(table[folder]);
  for (const next of found) for (const further of table[next] ?? []) found.add(further);
  return found;
}
