import type { Container, PodSpec, Probe, Volume, VolumeProjection } from "../../api/types/core/v1.ts";

/** Sets the defaults that Pods and Pod templates have in common. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.restartPolicy ??= "Always";
  spec.dnsPolicy ??= "ClusterFirst";
  spec.schedulerName ??= "default-scheduler";
  spec.terminationGracePeriodSeconds ??= 30;
  spec.securityContext ??= {};
  defaultAccount(spec);
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of [...containersOf(spec), ...(spec.ephemeralContainers ?? [])])
    defaultContainer(container);
}

/** Sets `serviceAccountName` and its deprecated alias `serviceAccount` to the same value. */
function defaultAccount(spec: PodSpec): void {
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (!account) return;
  spec.serviceAccountName = account;
  spec.serviceAccount = account;
}

export function containersOf(spec: PodSpec): Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
}

/** Sets the host ports of a Pod in the host network. Templates do not get this default. */
export function defaultHostPorts(spec: PodSpec): void {
  if (!spec.hostNetwork) return;
  for (const { ports = [] } of containersOf(spec))
    for (const port of ports) port.hostPort ||= port.containerPort;
}

function defaultContainer(container: Container): void {
  if (!container.imagePullPolicy) container.imagePullPolicy = pullPolicyOf(container.image ?? "");
  container.terminationMessagePath ??= "/dev/termination-log";
  container.terminationMessagePolicy ??= "File";
  container.resources ??= {};
  for (const port of container.ports ?? []) port.protocol ??= "TCP";
  for (const { valueFrom } of container.env ?? []) if (valueFrom) defaultFieldRef(valueFrom);
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
    if (probe) defaultProbe(probe);
  }
  defaultHandler(container.lifecycle?.postStart);
  defaultHandler(container.lifecycle?.preStop);
}

/** Returns the pull policy of an image. A missing or `latest` tag is pulled each time. */
function pullPolicyOf(image: string): "Always" | "IfNotPresent" {
  const tag = reference.exec(image)?.[1] ?? "latest";
  return reference.test(image) && tag === "latest" ? "Always" : "IfNotPresent";
}

/** Matches an image reference without a digest. The group is the tag. */
const reference = (() => {
  const part = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
  return new RegExp(`^(?:[\\w.-]+(?::\\d+)?/)?${part}(?:/${part})*(?::(\\w[\\w.-]{0,127}))?$`);
})();

/** Sets missing requests to the limits. Templates do not get this default. */
export function defaultRequests(spec: PodSpec): void {
  for (const { resources } of containersOf(spec)) {
    if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
  }
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.grpc) probe.grpc.service ??= "";
  defaultHandler(probe);
}

function defaultHandler(handler: Pick<Probe, "httpGet"> | undefined): void {
  if (!handler?.httpGet) return;
  handler.httpGet.path ||= "/";
  handler.httpGet.scheme ||= "HTTP";
}

/** The default mode of files in volumes: 0644. */
const defaultMode = 0o644;

function defaultVolume(volume: Volume): void {
  const { name: _, ...sources } = volume;
  if (Object.values(sources).every((source) => source === undefined)) volume.emptyDir = {};
  for (const files of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected]) {
    if (files) files.defaultMode ??= defaultMode;
  }
  if (volume.hostPath) volume.hostPath.type ??= "";
  for (const source of volume.projected?.sources ?? []) defaultProjection(source);
  for (const item of volume.downwardAPI?.items ?? []) defaultFieldRef(item);
}

function defaultProjection({ serviceAccountToken, downwardAPI }: VolumeProjection): void {
  if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= 3600;
  for (const item of downwardAPI?.items ?? []) defaultFieldRef(item);
}

function defaultFieldRef(item: { fieldRef?: { apiVersion?: string | undefined } | undefined }): void {
  if (item.fieldRef) item.fieldRef.apiVersion ??= "v1";
}
