import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type Bench,
  installed,
  median,
  nodeIsAtLeast,
  type Peer,
  type Prepared,
  peerPackage,
} from "../harness/index.ts";

const run = promisify(execFile);
const workspace = fileURLToPath(new URL("../", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const clientNode = nodeIsAtLeast(22, 19) ? "client-node-2" : "client-node-1";

const importing = {
  name: "import",
  figures: [{ name: "time", unit: "ms", better: "lower" }],
} as const;

const installing = {
  name: "install",
  figures: [
    { name: "size", unit: "MB", better: "lower" },
    { name: "packages", unit: "", better: "lower" },
  ],
} as const;

/** Measures the cost of the client: the time to load it, and its size on disk with all dependencies. */
export const bench: Bench = {
  name: "size",
  summary:
    "import time of the client, and installed size with dependencies, beside undici alone and client-node",
  peers: [
    loading("trimtab", { module: "trimtab/client", needs: "trimtab/dist/client/index.js" }),
    loading("undici", { module: "undici", needs: "undici" }),
    { name: "client-node", prepare: () => loadingPeer(clientNode) },
  ],
  cases: [importing, installing],
  singleCheckout: true,
  targets: [
    { peers: ["undici"], figure: "time", atMost: 1.6 },
    { peers: ["client-node"], figure: "time", atMost: 1 / 3 },
    { peers: ["trimtab"], figure: "size", absolute: true, atMost: 25 },
  ],
  async open({ quick }) {
    const installs = new Map<string, Promise<ReadonlyMap<string, number>>>();
    let notes: string[] = [];
    return {
      async run({ peer, command, case: { name } }) {
        if (name === importing.name) return { time: await importMs(command, quick ? 3 : 15) };
        const install = installs.get(peer) ?? packageSizes(peer);
        installs.set(peer, install);
        const sizes = await install;
        if (peer === "trimtab") notes = describe(sizes);
        return { size: [...sizes.values()].reduce((sum, size) => sum + size, 0), packages: sizes.size };
      },
      notes: () => notes,
      async [Symbol.asyncDispose]() {},
    };
  },
};

function loading(name: string, { module, needs }: { readonly module: string; readonly needs: string }): Peer {
  return {
    name,
    ours: name === "trimtab",
    prepare: async () =>
      installed(needs) === undefined
        ? { skipped: `expected node_modules/${needs}, got nothing: run npm install and npm run build` }
        : importProgram(module),
  };
}

async function loadingPeer(name: string): Promise<Prepared> {
  const found = await peerPackage(name);
  return "skipped" in found ? found : importProgram(found.url);
}

/** A program that imports the module and exits. */
function importProgram(module: string): Prepared {
  return { command: [process.execPath, "--input-type=module", "--eval", `import "${module}"`] };
}

/** Returns the time of a fresh process from start to exit, minus that of an empty program. */
async function importMs(command: readonly string[], times: number): Promise<number> {
  const nothing = [process.execPath, "--input-type=module", "--eval", ""];
  const differences: number[] = [];
  for (let time = 0; time < times; time++) {
    const bare = await processMs(nothing);
    differences.push((await processMs(command)) - bare);
  }
  return median(differences);
}

async function processMs([program = "", ...args]: readonly string[]): Promise<number> {
  const begun = performance.now();
  await run(program, args, { cwd: workspace });
  return performance.now() - begun;
}

/** Installs a package as a user would, in its own folder, and returns the size in MB by package. */
async function packageSizes(peer: string): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), "trimtab-size-"));
  try {
    const flags = ["--omit=dev", "--omit=optional", "--no-package-lock", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...flags, await installable(peer, folder)], { cwd: folder });
    return await megabytesByPackage(join(folder, "node_modules"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function describe(sizes: ReadonlyMap<string, number>): string[] {
  const largest = [...sizes].sort(([, a], [, b]) => b - a);
  return largest.map(([name, size]) => `installed  ${name} ${size.toFixed(2)} MB`);
}

/** Returns the argument of `npm install`: for ours the tarball to publish, otherwise the version used here. */
async function installable(peer: string, folder: string): Promise<string> {
  if (peer === "undici") return "undici@7";
  if (peer === "client-node") return `@kubernetes/client-node@${clientNode.slice(-1)}`;
  const { stdout } = await run(
    "npm",
    ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder],
    { cwd: root },
  );
  return join(folder, stdout.trim());
}

/** Returns the size of files on disk, as `du` counts. */
async function megabytesByPackage(modules: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  const entries = await readdir(modules, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const name = packageOf(relative(modules, file));
    const { blocks } = await stat(file);
    if (name !== undefined) sizes.set(name, (sizes.get(name) ?? 0) + (blocks * 512) / 1e6);
  }
  return sizes;
}

/** Returns the package of a path under `node_modules`, also if it is nested in another. */
function packageOf(path: string): string | undefined {
  return /(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/.@][^/]*)\//.exec(path)?.[1];
}
