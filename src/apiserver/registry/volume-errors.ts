import type { KeyToPath, PodSpec, Volume } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "../../schema/index.ts";
import { localPathErrors, missing, neededName } from "./value-errors.ts";

/** What is wrong with the volumes of a Pod, or of a template. Those of templates need no service account yet. */
export function volumeErrors({ volumes = [], serviceAccountName }: PodSpec, field: string): FieldError[] {
  const seen = new Set<string>();
  const account = field === "spec.volumes" ? (serviceAccountName ?? "") : "any";
  return volumes.flatMap((volume, at) => {
    const path = `${field}[${at}]`;
    const nameFaults = neededName("dns-label", volume.name, `${path}.name`);
    const twice = nameFaults.length === 0 && seen.has(volume.name);
    seen.add(volume.name);
    return [
      ...sourceErrors(volume, path, account),
      ...nameFaults,
      ...(twice ? [duplicate(`${path}.name`, volume.name)] : []),
    ];
  });
}

/** The names that containers may mount: of volumes that are right. */
export function volumeSources(spec: PodSpec): ReadonlySet<string> {
  const right = (spec.volumes ?? []).filter((volume) => sourceErrors(volume, "", "any").length === 0);
  return new Set(right.map(({ name }) => name));
}

function sourceErrors(volume: Volume, field: string, account: string): FieldError[] {
  const { name: _, emptyDir, ...rest } = volume;
  const sources = { emptyDir, ...rest };
  const [, ...others] = Object.keys(sources).filter((source) => sources[source as keyof typeof sources]);
  return [
    ...others.map((source) => forbidden(`${field}.${source}`, "may not specify more than 1 volume type")),
    ...nameOfSourceErrors(volume, field),
    ...(volume.secret?.items ?? []).flatMap((item, at) => itemErrors(item, `${field}.secret.items[${at}]`)),
    ...(volume.configMap?.items ?? []).flatMap((item, at) =>
      itemErrors(item, `${field}.configMap.items[${at}]`),
    ),
    ...projectedErrors(volume, field, account),
  ];
}

function nameOfSourceErrors(volume: Volume, field: string): FieldError[] {
  const { secret, configMap, hostPath, persistentVolumeClaim: claim } = volume;
  return [
    ...(secret ? missing(secret.secretName, `${field}.secret.secretName`) : []),
    ...(configMap ? missing(configMap.name, `${field}.configMap.name`) : []),
    ...(hostPath ? pathErrors(hostPath.path, `${field}.hostPath.path`) : []),
    ...(claim ? missing(claim.claimName, `${field}.persistentVolumeClaim.claimName`) : []),
  ];
}

function pathErrors(path: string | undefined, field: string): FieldError[] {
  if (!path) return [required(field)];
  return path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : [];
}

function itemErrors({ key, path }: KeyToPath, field: string): FieldError[] {
  return [
    ...missing(key, `${field}.key`),
    ...(path ? localPathErrors(path, `${field}.path`) : [required(`${field}.path`)]),
  ];
}

function projectedErrors({ projected }: Volume, field: string, account: string): FieldError[] {
  const detail = "must not be specified when serviceAccountName is not set";
  return (projected?.sources ?? []).flatMap(({ serviceAccountToken: token }, at) => {
    const path = `${field}.projected.sources[${at}].serviceAccountToken`;
    if (!token) return [];
    return account === "" ? [forbidden(path, detail)] : missing(token.path, `${path}.path`);
  });
}
