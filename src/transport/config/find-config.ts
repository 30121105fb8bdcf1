import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { asError, realClock, silentLogger } from "../../base/index.ts";
import type { Access, AccessSettings } from "./access.ts";
import { accessConfig } from "./access-config.ts";
import type { ClusterConfig } from "./cluster-config.ts";
import { ConfigError, systemCode, throwIfAny } from "./config-error.ts";
import { displayPath } from "./display-path.ts";
import { inClusterAccess } from "./in-cluster.ts";
import { type Kubeconfig, parseKubeconfig } from "./kubeconfig.ts";
import type { ConfigOptions, LoadOptions } from "./load-options.ts";
import { mergeKubeconfigs } from "./merge-kubeconfigs.ts";
import { optionsPlace, override } from "./overrides.ts";
import { selectContext } from "./select-context.ts";

/** Implements `loadConfig`. */
export async function findConfig(options: LoadOptions): Promise<ClusterConfig> {
  return checkedConfig(await findAccess(options), options);
}

/** Returns the cluster configuration of a parsed kubeconfig. */
export async function configFrom(
  kubeconfig: Kubeconfig,
  options: ConfigOptions = {},
): Promise<ClusterConfig> {
  return checkedConfig(selectContext(kubeconfig, options), options);
}

async function checkedConfig(access: Access, options: ConfigOptions): Promise<ClusterConfig> {
  const { config, readFiles } = accessConfig(override(access, options), settingsOf(options));
  await readFiles();
  return config;
}

async function findAccess(options: LoadOptions): Promise<Access> {
  const { KUBECONFIG: list } = options.env ?? process.env;
  if (options.kubeconfig !== undefined) return fromPath(options.kubeconfig, options);
  if (list) return fromList(list, options);
  const checked: string[] = [];
  const access =
    (await fromPod(options, checked)) ?? (await fromHome(options, checked)) ?? fromServer(options);
  if (access) return access;
  throw new ConfigError(
    `expected a cluster to talk to, got none:${checked.map((each) => `\n- ${each}`).join("")}\n` +
      "pass kubeconfig or server, set KUBECONFIG, or write ~/.kube/config",
  );
}

async function fromPath(path: string, options: LoadOptions): Promise<Access> {
  const kubeconfig = await readKubeconfig(resolve(path), options);
  if (kubeconfig) return selectContext(kubeconfig, options);
  throw new ConfigError(`expected the kubeconfig option to name a file, got ${path}, which does not exist`);
}

async function fromList(list: string, options: LoadOptions): Promise<Access> {
  const paths = new Set(list.split(delimiter).filter((path) => path !== ""));
  const found = await readAll([...paths], options);
  if (found.length > 0) return selectContext(mergeKubeconfigs(found), options);
  const absent = paths.size === 1 ? "which does not exist" : "which do not exist";
  throw new ConfigError(
    `expected KUBECONFIG to name at least one file, got ${[...paths].join(", ")}, ${absent}: correct it, or unset it`,
  );
}

/** Reads the files that exist. The problems of all files are one error. */
async function readAll(paths: readonly string[], options: LoadOptions): Promise<Kubeconfig[]> {
  const read = await Promise.allSettled(paths.map((path) => readKubeconfig(resolve(path), options)));
  throwIfAny(read.flatMap((result) => (result.status === "rejected" ? asError(result.reason).message : [])));
  return read.flatMap((result) => (result.status === "fulfilled" && result.value ? result.value : []));
}

async function fromPod(options: LoadOptions, checked: string[]): Promise<Access | undefined> {
  checked.push("the kubeconfig option: not given", "KUBECONFIG: not set");
  if (options.context !== undefined || options.cluster !== undefined || options.user !== undefined) {
    checked.push("the Pod's service account: not used, because a context, cluster or user was named");
    return undefined;
  }
  try {
    return await inClusterAccess({ ...options, ...settingsOf(options) });
  } catch (error) {
    checked.push(`the Pod's service account: ${asError(error).message}`);
    return undefined;
  }
}

async function fromHome(options: LoadOptions, checked: string[]): Promise<Access | undefined> {
  const path = join(homeOf(options), ".kube", "config");
  const kubeconfig = await readKubeconfig(path, options);
  if (!kubeconfig) checked.push(`${path}: does not exist`);
  return kubeconfig && selectContext(kubeconfig, options);
}

function fromServer({ server }: LoadOptions): Access | undefined {
  if (server === undefined) return undefined;
  const cluster = { place: optionsPlace, insecureSkipTlsVerify: false };
  return { cluster, namespace: "default", origin: "the server option" };
}

/** Reads a kubeconfig. Returns `undefined` if the file does not exist, and throws if it cannot be read. */
async function readKubeconfig(path: string, options: LoadOptions): Promise<Kubeconfig | undefined> {
  const homeDir = homeOf(options);
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    if (systemCode(cause) === "ENOENT") return undefined;
    throw new ConfigError(
      `expected ${displayPath(path, homeDir)} to be a readable file, got ${systemCode(cause)}`,
      {
        cause,
      },
    );
  });
  return text === undefined ? undefined : parseKubeconfig(text, { file: path, homeDir });
}

function homeOf({ homeDir, env = process.env }: LoadOptions): string {
  return homeDir ?? (env.HOME || homedir());
}

function settingsOf(options: ConfigOptions): AccessSettings {
  const { env = process.env, clock = realClock, log = silentLogger } = options;
  return { env, clock, log };
}
