import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed when it is disposed, or when this process exits by itself. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  if (undisposed.size === 0) process.on("exit", removeUndisposed);
  undisposed.add(path);
  return {
    path,
    async [Symbol.asyncDispose]() {
      undisposed.delete(path);
      if (undisposed.size === 0) process.off("exit", removeUndisposed);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Folders that are not disposed yet. They share one exit listener, because Node warns of many. */
const undisposed = new Set<string>();

function removeUndisposed(): void {
  for (const path of undisposed) rmSync(path, { recursive: true, force: true });
}
