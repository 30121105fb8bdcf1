import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is gone when it is disposed of, or when this process ends by itself. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  if (kept.size === 0) process.on("exit", removeKept);
  kept.add(path);
  return {
    path,
    async [Symbol.asyncDispose]() {
      kept.delete(path);
      if (kept.size === 0) process.off("exit", removeKept);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Those that nobody has disposed of. One listener for all: Node warns of many. */
const kept = new Set<string>();

function removeKept(): void {
  for (const path of kept) rmSync(path, { recursive: true, force: true });
}
