import { type Access, serverOf } from "./access.ts";
import { execProblems } from "./exec-section.ts";
import { missingUserProblem } from "./impersonation.ts";
import type { KubeconfigCluster, KubeconfigUser } from "./kubeconfig.ts";
import { readProxy } from "./server-url.ts";

/** Returns every problem of the selected cluster and user, so that one run reports everything to fix. */
export function accessProblems(access: Access): string[] {
  const { cluster, user } = access;
  const problems = [...serverProblems(access), ...clusterProblems(cluster)];
  return user ? [...problems, ...userProblems(user)] : problems;
}

function serverProblems(access: Access): string[] {
  const { place, server } = access.cluster;
  if (server === undefined) return [place.problem("server", "to be a URL", "none")];
  const read = serverOf(access);
  return read.type === "fault" ? [place.problem("server", read.expected, read.got)] : [];
}

function clusterProblems({ place, ...cluster }: KubeconfigCluster): string[] {
  const problems: string[] = [];
  const proxy = cluster.proxyUrl === undefined ? undefined : readProxy(cluster.proxyUrl);
  if (proxy?.type === "fault") problems.push(place.problem("proxy-url", proxy.expected, proxy.got));
  if (cluster.insecureSkipTlsVerify && cluster.certificateAuthority) {
    const expected = "to be false beside a certificate authority";
    problems.push(place.problem("insecure-skip-tls-verify", expected, "true: remove one of the two"));
  }
  return problems;
}

function userProblems(user: KubeconfigUser): string[] {
  return [
    ...methodProblems(user),
    ...certificateProblems(user),
    ...providerProblems(user),
    ...impersonationProblems(user),
    ...(user.exec ? execProblems(user.exec) : []),
  ];
}

function methodProblems({ place, ...user }: KubeconfigUser): string[] {
  const token = user.token !== undefined || user.tokenFile !== undefined;
  const basic = user.username !== undefined || user.password !== undefined;
  return token && basic ? [place.problem("", "to have a token or a username", "both")] : [];
}

function certificateProblems({ place, clientCertificate, clientKey }: KubeconfigUser): string[] {
  if ((clientCertificate === undefined) === (clientKey === undefined)) return [];
  return clientKey
    ? [place.problem("client-certificate", "to stand beside client-key", "none")]
    : [place.problem("client-key", "to stand beside client-certificate", "none")];
}

function providerProblems({ place, authProvider }: KubeconfigUser): string[] {
  if (authProvider === undefined) return [];
  const advice = providerAdvice[authProvider] ?? "use exec with a credential plugin instead";
  return [place.problem("auth-provider", "to be absent", `"${authProvider}": ${advice}`)];
}

/** Replacements for the removed auth providers, which are still common in old kubeconfigs. */
const providerAdvice: Readonly<Record<string, string>> = {
  gcp: "it was removed from Kubernetes in 1.26, use exec with gke-gcloud-auth-plugin instead",
  azure: "it was removed from Kubernetes in 1.26, use exec with kubelogin instead",
  oidc: "use exec with a credential plugin for OpenID Connect instead, such as kubectl oidc-login",
};

function impersonationProblems({ place, as, asGroups, asUid, asUserExtra }: KubeconfigUser): string[] {
  const problem = missingUserProblem({ user: as, groups: asGroups, uid: asUid, extra: asUserExtra });
  return problem === undefined
    ? []
    : [place.problem("as", "to name the user to act as", "only other as- fields")];
}
