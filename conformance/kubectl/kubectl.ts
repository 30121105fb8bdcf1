import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { kubeCacheFolder, kubeRelease } from "trimtab/testing";

/** A kubectl to run. */
export interface Kubectl {
  /** A path, or a name to be found by PATH. */
  readonly file: string;
  /** Of the release that the transcripts were recorded with. Another one has texts of its own. */
  readonly pinned: boolean;
}

/** The one that `npm run kube` built, else the one on PATH. */
export function findKubectl(): Kubectl | undefined {
  const built = join(kubeCacheFolder(), "kubectl");
  const file = existsSync(built) ? built : "kubectl";
  const { status, stdout } = spawnSync(file, ["version", "--client"], { encoding: "utf8" });
  return status === 0 ? { file, pinned: stdout.includes(`Client Version: ${kubeRelease}\n`) } : undefined;
}
