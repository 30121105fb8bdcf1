import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Root folder of the repository. Paths relative to it are written with `/`. */
export const root: string = fileURLToPath(new URL("..", import.meta.url));

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Returns every TypeScript file under `folder`, except dependencies. */
export function sourceFiles(folder: string): SourceFile[] {
  return filesUnder(folder)
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules/"))
    .map((path) => ({ path, text: read(path) }));
}

/** Returns the paths of all files under `folder`, sorted. */
export function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll(sep, "/"))
    .sort();
}

/** Returns the folders directly in `folder`, sorted. */
export function foldersIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Returns the tracked files that are not deleted. */
export function trackedFiles(): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync("git", ["ls-files", "-z", ...args], { cwd: root, encoding: "utf8", maxBuffer: 1e8 }).split(
      "\0",
    );
  const deleted = new Set(git("--deleted"));
  return git().filter((path) => path !== "" && !deleted.has(path));
}

export interface PackageManifest {
  readonly name: string;
  /** A subpath with the target `null` cannot be imported, even if a pattern matches it. */
  readonly exports: Readonly<Record<string, ExportTarget | string | null>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  /** Packages that may run install scripts. */
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** The files of a subpath. */
export interface ExportTarget {
  readonly types: string;
  readonly default: string;
}

export function packageManifest(): PackageManifest {
  return JSON.parse(read("package.json")) as PackageManifest;
}
