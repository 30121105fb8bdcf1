import { resolve } from "node:path";
import type { Access } from "./access.ts";
import type { Impersonation } from "./cluster-config.ts";
import { ConfigError } from "./config-error.ts";
import type { Place } from "./config-field.ts";
import { missingUserProblem } from "./impersonation.ts";
import type { KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";

/** Settings that take precedence over those of the kubeconfig or the Pod. */
export interface Overrides {
  /** URL of the API server. It disables the kubeconfig's `tls-server-name`. */
  readonly server?: string | undefined;
  readonly namespace?: string | undefined;
  /** A bearer token. It replaces all other credentials, including client certificates. */
  readonly token?: string | undefined;
  /** True if the server's certificate is not checked. No certificate authority is used then. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Path of a PEM file. It enables the check of the server's certificate. */
  readonly certificateAuthority?: string | undefined;
  readonly tlsServerName?: string | undefined;
  /**
   * An `http:`, `https:` or `socks5:` URL. @default the kubeconfig's, or HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the
   * environment
   */
  readonly proxyUrl?: string | undefined;
  /** The user to impersonate, in place of the kubeconfig's. */
  readonly impersonate?: Impersonation | undefined;
}

/** Describes options in messages, by the names of the corresponding kubeconfig fields. */
export const optionsPlace: Place = {
  problem: (field, expected, got) => `expected the ${optionName(field)} option ${expected}, got ${got}`,
  describe: (field) => `the ${optionName(field)} option`,
};

/** Returns `access` with the overrides applied. */
export function override(access: Access, overrides: Overrides): Access {
  return {
    ...access,
    cluster: overrideCluster(access.cluster, overrides),
    user: overrideUser(access.user, overrides),
    namespace: overrides.namespace?.replace(/^(ns|namespaces?)\//, "") ?? access.namespace,
  };
}

function overrideCluster(cluster: KubeconfigCluster, overrides: Overrides): KubeconfigCluster {
  return {
    ...cluster,
    ...(overrides.server !== undefined && { server: overrides.server, tlsServerName: undefined }),
    ...trustOverride(overrides),
    ...(overrides.tlsServerName !== undefined && { tlsServerName: overrides.tlsServerName }),
    ...(overrides.proxyUrl !== undefined && { proxyUrl: overrides.proxyUrl }),
    place: overriddenPlace(cluster.place, overrides),
  };
}

/** Skipping the check removes the certificate authority, and setting an authority enables the check. */
function trustOverride(overrides: Overrides): Partial<KubeconfigCluster> {
  const { insecureSkipTlsVerify: insecure, certificateAuthority: file } = overrides;
  if (insecure && file !== undefined) {
    throw new ConfigError("expected insecureSkipTlsVerify or certificateAuthority as an option, got both");
  }
  if (insecure) return { insecureSkipTlsVerify: true, certificateAuthority: undefined };
  if (file === undefined) return insecure === undefined ? {} : { insecureSkipTlsVerify: false };
  const content = { type: "file", file: resolve(file) } as const;
  return {
    insecureSkipTlsVerify: false,
    certificateAuthority: { place: optionsPlace, field: "certificate-authority", content },
  };
}

function overrideUser(user: KubeconfigUser | undefined, overrides: Overrides): KubeconfigUser | undefined {
  const { token, impersonate } = overrides;
  const authenticated = token === undefined ? user : { ...impersonationIn(user), place: optionsPlace, token };
  if (!impersonate) return authenticated;
  const problem = missingUserProblem(impersonate);
  if (problem !== undefined) throw new ConfigError(`${problem} in the impersonate option`);
  const { user: as, groups: asGroups, uid: asUid, extra: asUserExtra } = impersonate;
  return { place: optionsPlace, ...authenticated, as, asGroups, asUid, asUserExtra };
}

function impersonationIn(user: KubeconfigUser | undefined): Partial<KubeconfigUser> {
  if (!user) return {};
  const { as, asGroups, asUid, asUserExtra } = user;
  return { as, asGroups, asUid, asUserExtra };
}

/** Returns a place that reports problems of overridden settings as problems of the option. */
function overriddenPlace(place: Place, overrides: Overrides): Place {
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(overrides));
  const placeOf = (field: string): Place =>
    given.get(optionName(field)) === undefined ? place : optionsPlace;
  return {
    problem: (field, expected, got) => placeOf(field).problem(field, expected, got),
    describe: (field) => placeOf(field).describe(field),
  };
}

/** Returns the option's name for a kubeconfig field: "proxyUrl" for "proxy-url". */
function optionName(field: string): string {
  return field.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
