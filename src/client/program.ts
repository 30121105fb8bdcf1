import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The program that uses this package, from the nearest package.json. */
export interface Program {
  /** The name in the form of an HTTP product name: `@acme/website-operator` becomes `acme-website-operator`. */
  readonly name: string;
  /** `unknown` if the package.json has no version. */
  readonly version: string;
}

export interface ProgramPlace {
  /** The main script, as in `process.argv[1]`. */
  readonly script: string | undefined;
  /** The working directory. */
  readonly directory: string;
}

/** Returns the running program, or `undefined` if no package.json names it. The lookup happens once per process. */
export function thisProgram(): Program | undefined {
  found ??= { program: findProgram({ script: process.argv[1], directory: process.cwd() }) };
  return found.program;
}

let found: { readonly program: Program | undefined } | undefined;

/**
 * Finds the nearest package.json with a name, upwards from the main script and then from the working directory. A
 * script inside `node_modules` is usually a tool that runs the program (vitest, npx), so the working directory comes
 * first there.
 */
export function findProgram({ script, directory }: ProgramPlace): Program | undefined {
  const main = script === undefined ? undefined : realPath(script);
  if (main === undefined) return programAbove(directory);
  const isTool = main.split(/[\\/]/).includes("node_modules");
  const [first, second] = isTool ? [directory, dirname(main)] : [dirname(main), directory];
  return programAbove(first) ?? programAbove(second);
}

function programAbove(directory: string): Program | undefined {
  const program = programIn(directory);
  const parent = dirname(directory);
  return program || parent === directory ? program : programAbove(parent);
}

/** Reads the package.json of this directory. Returns `undefined` if it is missing, unreadable or without a name. */
function programIn(directory: string): Program | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    const { name, version } = read as { readonly name?: unknown; readonly version?: unknown };
    const product = typeof name === "string" ? productName(name) : "";
    if (product === "") return undefined;
    return { name: product, version: (typeof version === "string" && productName(version)) || "unknown" };
  } catch {
    return undefined; // the search continues in the parent directory
  }
}

/**
 * Replaces characters that are not allowed in a product name of a `User-Agent`. The result is also a valid field
 * manager.
 */
function productName(text: string): string {
  return text
    .replace(/^@/, "")
    .replace(/[^A-Za-z0-9!#$%&'*+.^_`|~-]+/g, "-")
    .slice(0, maxNameLength);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // the script may have been deleted; its directory is still the best guess
  }
}

/** The limit of the API server for a field manager. */
const maxNameLength = 128;
