import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Inside the workspace, so that compiled programs find its packages. */
const outFolder = fileURLToPath(new URL("../.cache/", import.meta.url));

/**
 * Turns a TypeScript program of this workspace into JavaScript and says where it is.
 *
 * A loader that compiles while the program runs would be measured with it: its memory above all.
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
