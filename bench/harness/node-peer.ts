import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Peer, Prepared } from "./bench.ts";
import { compile } from "./compile.ts";
import { peerPackage } from "./peer-packages.ts";

export interface NodePeerOptions {
  readonly name: string;
  readonly ours?: boolean | undefined;
  /** The TypeScript program. */
  readonly program: URL;
  /** Arguments before those of the case. */
  readonly args?: readonly string[] | undefined;
  /** A package, or a file of one, that must be installed: "undici", "trimtab/dist/client/index.js". */
  readonly needs?: string | undefined;
  /** A package of bench/peers-node, installed on first use. The program gets its URL as `--package`. */
  readonly peerPackage?: string | undefined;
  /** The lowest supported Node version of the package. */
  readonly minNode?: readonly [major: number, minor: number] | undefined;
}

/** A peer that is a Node program of this workspace. */
export function nodePeer(options: NodePeerOptions): Peer {
  return { name: options.name, ours: options.ours, prepare: () => prepare(options) };
}

async function prepare(options: NodePeerOptions): Promise<Prepared> {
  const { program, args = [], needs, peerPackage: name, minNode } = options;
  if (needs !== undefined && installed(needs) === undefined) {
    return { skipped: `expected node_modules/${needs}, got nothing: run npm install and npm run build` };
  }
  if (minNode && !nodeIsAtLeast(...minNode)) {
    return { skipped: `needs Node ${minNode.join(".")}, this is ${process.versions.node}` };
  }
  const found = name === undefined ? undefined : await peerPackage(name);
  if (found && "skipped" in found) return found;
  const given = found ? [`--package=${found.url}`, ...args] : args;
  return { command: [process.execPath, await compile(program), ...given] };
}

/** Returns the path of a package, or of a file of one, in this workspace. */
export function installed(path: string): string | undefined {
  return ["../node_modules/", "../../node_modules/"]
    .map((folder) => fileURLToPath(new URL(`${folder}${path}`, import.meta.url)))
    .find((place) => existsSync(place));
}

/** Returns true if the current Node has at least this version. */
export function nodeIsAtLeast(major: number, minor: number): boolean {
  const [hasMajor = 0, hasMinor = 0] = process.versions.node.split(".").map(Number);
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}
