import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";
import type { ConfigField, Place } from "./config-field.ts";
import { displayPath } from "./display-path.ts";
import { type ExecSection, readExec } from "./exec-section.ts";
import { readDocument } from "./kubeconfig-document.ts";
import type { PemSource } from "./pem-source.ts";

/** A parsed kubeconfig, from one file or merged from several. It contains secrets: do not log it. */
export interface Kubeconfig {
  /** The source files, for messages. */
  readonly files: readonly string[];
  readonly currentContext?: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
}

export interface KubeconfigCluster {
  readonly place: Place;
  readonly server?: string | undefined;
  /** From `certificate-authority-data`, or else `certificate-authority`. */
  readonly certificateAuthority?: PemSource | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly disableCompression?: boolean | undefined;
  /** The extension `client.authentication.k8s.io/exec`: this cluster's settings for credential plugins. */
  readonly execConfig?: unknown;
}

export interface KubeconfigUser {
  readonly place: Place;
  readonly clientCertificate?: PemSource | undefined;
  readonly clientKey?: PemSource | undefined;
  readonly token?: string | undefined;
  /** An absolute path. */
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly exec?: ExecSection | undefined;
  /** The name of a legacy auth provider. Kubernetes no longer supports any. */
  readonly authProvider?: string | undefined;
  readonly as?: string | undefined;
  readonly asUid?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
  readonly asUserExtra?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface KubeconfigContext {
  readonly place: Place;
  /** The source file, for messages. */
  readonly file: string;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface ParseKubeconfigOptions {
  /**
   * The source file. Messages name it, and relative paths are resolved against its folder. @default the working
   * directory
   */
  readonly file?: string | undefined;
  /** The home directory, which messages show as `~`. @default the user's */
  readonly homeDir?: string | undefined;
}

/**
 * Parses a kubeconfig in YAML or JSON. It does not read the files that the kubeconfig names.
 *
 * Throws a `ConfigError` with file, line and field path for a value of the wrong type or a duplicate name. An entry
 * that is valid but not usable (no server, an auth-provider) is refused only when it is selected, because kubeconfigs
 * collect old entries.
 */
export async function parseKubeconfig(
  text: string,
  { file, homeDir = homedir() }: ParseKubeconfigOptions = {},
): Promise<Kubeconfig> {
  const name = file === undefined ? "the kubeconfig" : displayPath(file, homeDir);
  const root = await readDocument(text, name);
  expectValue(root.at("kind"), "Config");
  expectValue(root.at("apiVersion"), "v1");
  return {
    files: [name],
    currentContext: root.at("current-context").text(),
    clusters: readNamed(root.at("clusters"), "cluster", (field) => readCluster(field, file)),
    users: readNamed(root.at("users"), "user", (field) => readUser(field, file)),
    contexts: readNamed(root.at("contexts"), "context", (field) => readContext(field, name)),
  };
}

function expectValue(field: ConfigField, expected: string): void {
  const value = field.text() ?? expected;
  if (value !== expected) throw new ConfigError(field.problem("", `to be ${expected}`, value));
}

/** Reads a list of `{ name, [kind]: … }` into a map by name. */
function readNamed<T>(list: ConfigField, kind: string, read: (field: ConfigField) => T): Map<string, T> {
  const entries = new Map<string, T>();
  for (const item of list.items()) {
    const name = item.at("name").text() ?? "";
    if (entries.has(name)) {
      throw new ConfigError(item.problem("name", `to name one ${kind}`, `"${name}" twice`));
    }
    entries.set(name, read(item.at(kind)));
  }
  return entries;
}

function readCluster(field: ConfigField, file: string | undefined): KubeconfigCluster {
  const extensions = readNamed(field.at("extensions"), "extension", ({ value }) => value);
  return {
    place: field,
    server: field.at("server").text({ as: "a URL" }),
    certificateAuthority: readPemSource(field, "certificate-authority", file),
    insecureSkipTlsVerify: field.at("insecure-skip-tls-verify").flag(),
    tlsServerName: field.at("tls-server-name").text(),
    proxyUrl: field.at("proxy-url").text({ as: "a URL" }),
    disableCompression: field.at("disable-compression").flag(),
    execConfig: extensions.get("client.authentication.k8s.io/exec"),
  };
}

function readUser(field: ConfigField, file: string | undefined): KubeconfigUser {
  const exec = field.at("exec");
  const provider = field.at("auth-provider");
  return {
    place: field,
    clientCertificate: readPemSource(field, "client-certificate", file),
    clientKey: readPemSource(field, "client-key", file),
    token: field.at("token").text({ secret: true }),
    tokenFile: besideFile(field.at("tokenFile").text({ as: "a path" }), file),
    username: field.at("username").text(),
    password: field.at("password").text({ secret: true }),
    exec: exec.present ? readExec(exec, file) : undefined,
    authProvider: provider.present ? (provider.at("name").text() ?? "") : undefined,
    ...readImpersonation(field),
  };
}

function readImpersonation(
  field: ConfigField,
): Pick<KubeconfigUser, "as" | "asUid" | "asGroups" | "asUserExtra"> {
  const extra = field.at("as-user-extra");
  return {
    as: field.at("as").text(),
    asUid: field.at("as-uid").text(),
    asGroups: field.at("as-groups").present ? readTexts(field.at("as-groups")) : undefined,
    asUserExtra: extra.present
      ? Object.fromEntries(extra.fields().map(([key, values]) => [key, readTexts(values)]))
      : undefined,
  };
}

function readContext(field: ConfigField, file: string): KubeconfigContext {
  return {
    place: field,
    file,
    cluster: field.at("cluster").text(),
    user: field.at("user").text(),
    namespace: field.at("namespace").text(),
  };
}

function readTexts(list: ConfigField): string[] {
  return list.items().map((item) => item.text() ?? "");
}

/** Reads a certificate or key. As in kubectl, the data form takes precedence over the file form. */
function readPemSource(field: ConfigField, name: string, file: string | undefined): PemSource | undefined {
  const base64 = field.at(`${name}-data`).text({ as: "base64", secret: true });
  const path = besideFile(field.at(name).text({ as: "a path" }), file);
  if (base64 !== undefined)
    return { place: field, field: `${name}-data`, content: { type: "base64", base64 } };
  return path === undefined
    ? undefined
    : { place: field, field: name, content: { type: "file", file: path } };
}

function besideFile(path: string | undefined, file: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return file === undefined ? resolve(path) : resolve(dirname(file), path);
}
