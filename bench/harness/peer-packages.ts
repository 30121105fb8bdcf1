import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface PeerPackagesOptions {
  /** Folder with the package.json and package-lock.json of the peers. @default bench/peers-node */
  readonly folder?: string | undefined;
  /** Program and first arguments of npm. @default ["npm"] */
  readonly npm?: readonly string[] | undefined;
  /** Called with a line of text before the installation starts. @default writes it to the error output */
  readonly progress?: ((line: string) => void) | undefined;
}

/**
 * Finds a Node package to measure, and installs all such packages on first use.
 * They are not part of the workspace, so that `npm install` does not download their 126 MB. @returns the URL of the
 * package's main file, or the reason for its absence: without a network the peer is skipped.
 */
export async function peerPackage(
  name: string,
  options: PeerPackagesOptions = {},
): Promise<{ readonly url: string } | { readonly skipped: string }> {
  const { folder = peersFolder, npm = ["npm"], progress = toErrorOutput } = options;
  if (!(await isInstalled(name, folder))) {
    progress(`installing the packages of ${folder}, once`);
    const skipped = await install(folder, npm);
    if (skipped !== undefined) return { skipped };
  }
  const main = createRequire(join(folder, "package.json")).resolve(name);
  return { url: pathToFileURL(main).href };
}

const peersFolder = fileURLToPath(new URL("../peers-node", import.meta.url));

/** Returns true if the installed version is the one in the lock file. */
async function isInstalled(name: string, folder: string): Promise<boolean> {
  const [lock, manifest] = await Promise.all(
    ["package-lock.json", `node_modules/${name}/package.json`].map((file) => jsonOf(join(folder, file))),
  );
  const locked = (lock as Lock | undefined)?.packages[`node_modules/${name}`]?.version;
  return locked !== undefined && locked === (manifest as LockedPackage | undefined)?.version;
}

/** @returns why the packages could not be fetched. Throws if npm fails for another reason. */
async function install(folder: string, npm: readonly string[]): Promise<string | undefined> {
  const [program = "npm", ...args] = npm;
  const flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"];
  try {
    await run(program, [...args, ...flags], { cwd: folder });
    return undefined;
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string }; // `execFile` rejects with this type
    const [code] =
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.exec(stderr) ?? [];
    if (code === undefined) throw new Error(`expected npm ci in ${folder} to succeed, got:\n${stderr}`);
    return `its packages could not be fetched (${code}); run npm ci in bench/peers-node with a network`;
  }
}

async function jsonOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined; // absent, or truncated by an interrupted installation
  }
}

interface LockedPackage {
  readonly version?: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

function toErrorOutput(line: string): void {
  process.stderr.write(`${line}\n`);
}
