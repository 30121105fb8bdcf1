import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { type Environment, kubeCacheFolder, kubeRelease } from "./kube-release.ts";

/** Paths of the programs that make a control plane. */
export interface Binaries {
  readonly etcd: string;
  readonly kubeApiserver: string;
}

/** Thrown when `engine: "binaries"` finds no programs to run. `paths` lists the paths that were tried. */
export class MissingBinariesError extends Error {
  override readonly name: string = "MissingBinariesError";
  readonly paths: readonly string[];

  constructor(program: string, paths: readonly string[]) {
    super(
      `expected an executable ${program}, got none at ${paths.join(", ")}: ` +
        `run \`npm run kube\` in a checkout of trimtab to build ${kubeRelease}, or set KUBEBUILDER_ASSETS to a folder that has one`,
    );
    this.paths = paths;
  }
}

/**
 * Finds each program as Kubernetes' own test environment does: the file that `TEST_ASSET_ETCD` or
 * `TEST_ASSET_KUBE_APISERVER` names, else in the folder `KUBEBUILDER_ASSETS`, else in the cache of `npm run kube`, else
 * in /usr/local/kubebuilder/bin.
 *
 * If a variable names a path, only that path is tried, so that no other version is used by accident.
 */
export function findBinaries(env: Environment = process.env): Binaries {
  return {
    etcd: find("etcd", env.TEST_ASSET_ETCD, env),
    kubeApiserver: find("kube-apiserver", env.TEST_ASSET_KUBE_APISERVER, env),
  };
}

function find(program: string, path: string | undefined, env: Environment): string {
  const places = path ? [path] : folders(env).map((folder) => join(folder, program));
  const found = places.find(executable);
  if (found === undefined) throw new MissingBinariesError(program, places);
  return found;
}

function folders(env: Environment): string[] {
  const assets = env.KUBEBUILDER_ASSETS;
  return assets ? [assets] : [kubeCacheFolder(env), "/usr/local/kubebuilder/bin"];
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // An absent file and a file that is not executable have the same meaning: there is no program to run.
    return false;
  }
}
