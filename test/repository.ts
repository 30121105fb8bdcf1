import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that everything here is about; paths below it are written with `/`. */
export const root: string = fileURLToPath(new URL("..", import.meta.url));

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file under `folder`, dependencies aside. */
export function sourceFiles(folder: string): SourceFile[] {
  return filesUnder(folder)
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules/"))
    .map((path) => ({ path, text: read(path) }));
}

/** Every file under `folder`, in order. */
export function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll(sep, "/"))
    .sort();
}

/** Folders directly in `folder`. */
export function foldersIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** What git tracks and is still there. */
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
  /** A subpath that leads to `null` cannot be imported, whatever pattern it falls under. */
  readonly exports: Readonly<Record<string, ExportTarget | string | null>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  /** Which packages may run install scripts. */
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** The files a subpath stands for. */
export interface ExportTarget {
  readonly types: string;
  readonly default: string;
}

export function packageManifest(): PackageManifest {
  return JSON.parse(read("package.json")) as PackageManifest;
}
