import { homedir } from "node:os";
import { join } from "node:path";

/** The Kubernetes release that Trimtab is built and tested against. */
export const kubeRelease = "v1.36.3";

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder in which `npm run kube` puts the binaries of that release, and in which `engine: "binaries"` finds
 * them: `kube/<release>-<os>-<arch>` under `TRIMTAB_CACHE`, by default `trimtab` in the user's cache folder.
 */
export function kubeCacheFolder(env: Environment = process.env): string {
  return join(cacheRoot(env), "kube", `${kubeRelease}-${goPlatform(process.platform, process.arch)}`);
}

function cacheRoot(env: Environment): string {
  return env.TRIMTAB_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "trimtab");
}

/** Returns Go's name of a platform, as in the folder names of Kubernetes' own test tools: "linux-amd64". */
function goPlatform(platform: string, arch: string): string {
  const os = platform === "win32" ? "windows" : platform;
  return `${os}-${goArchitectures[arch] ?? arch}`;
}

const goArchitectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };
