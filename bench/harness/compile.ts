import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Inside the workspace, so that compiled programs resolve its packages. */
const outFolder = fileURLToPath(new URL("../.cache/", import.meta.url));

/**
 * Compiles a TypeScript program of this workspace to JavaScript, and returns its path.
 * A loader that compiles at run time would be measured with the program, above all its memory.
 */
export async function compile(source: URL): Promise<string> {
  const path = fileURLToPath(source);
  const outfile = `${outFolder}${basename(path, ".ts")}-${hash(path)}.mjs`;
  await build({
    entryPoints: [path],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  return outfile;
}

/** Files of the same name in different folders must not overwrite each other. */
function hash(text: string): string {
  let bits = 7;
  for (const char of text) bits = (Math.imul(bits, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return bits.toString(36);
}
