import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { kubeCacheFolder, kubeRelease } from "trimtab/testing";

/** A kubectl to run. */
export interface Kubectl {
  /** A path, or a name on PATH. */
  readonly file: string;
  /** True if it has the release of the recorded transcripts. Other releases print other texts. */
  readonly pinned: boolean;
}

/** Returns the kubectl that `npm run kube` built, or else the one on PATH. */
export function findKubectl(): Kubectl | undefined {
  const built = join(kubeCacheFolder(), "kubectl");
  const file = existsSync(built) ? built : "kubectl";
  const { status, stdout } = spawnSync(file, ["version", "--client"], { encoding: "utf8" });
  return status === 0 ? { file, pinned: stdout.includes(`Client Version: ${kubeRelease}\n`) } : undefined;
}
