/**
 * Writes `src/api/types/` from the API documents of one Kubernetes release.
 *
 * `npm run generate` takes them from the Go module of the release; `npm run generate -- --from DIR` from a copy of it.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { factsModule } from "./facts-module.ts";
import { Names } from "./names.ts";
import { protobufModule } from "./protobuf-module.ts";
import { readSource, sourceFolder } from "./source.ts";
import { typeModules } from "./type-module.ts";

/** The Kubernetes release whose API the package knows. */
const release = "v1.36.3";

const output = fileURLToPath(new URL("../../src/api/types/", import.meta.url));

try {
  const { values: flags } = parseArgs({ options: { from: { type: "string" } } });
  const source = readSource(sourceFolder(release, flags.from), release);
  const names = new Names(source);
  const files = new Map([
    ...typeModules(source, names),
    ["facts.ts", factsModule(source, release)],
    ["protobuf.ts", protobufModule(source)],
  ]);
  rmSync(output, { recursive: true, force: true });
  for (const [path, text] of files) write(join(output, path), text);
  process.stdout.write(`${release}: ${source.resources.length} resources in ${files.size} files\n`);
} catch (error) {
  process.stderr.write(`generate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
