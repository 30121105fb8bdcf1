import type { KeyToPath, PodSpec, Volume } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, forbidden, invalid, required } from "../../schema/index.ts";
import { localPathErrors, requiredErrors, requiredNameErrors } from "./value-errors.ts";

/** Returns the errors in the volumes of a Pod or template. The service account is checked for Pods only. */
export function volumeErrors({ volumes = [], serviceAccountName }: PodSpec, field: string): FieldError[] {
  const seen = new Set<string>();
  const account = field === "spec.volumes" ? (serviceAccountName ?? "") : "any";
  return volumes.flatMap((volume, index) => {
    const path = `${field}[${index}]`;
    const volumeNameErrors = requiredNameErrors("dns-label", volume.name, `${path}.name`);
    const isDuplicate = volumeNameErrors.length === 0 && seen.has(volume.name);
    seen.add(volume.name);
    return [
      ...sourceErrors(volume, path, account),
      ...volumeNameErrors,
      ...(isDuplicate ? [duplicate(`${path}.name`, volume.name)] : []),
    ];
  });
}

/** Returns the names of the valid volumes, which containers may mount. */
export function validVolumeNames(spec: PodSpec): ReadonlySet<string> {
  const valid = (spec.volumes ?? []).filter((volume) => sourceErrors(volume, "", "any").length === 0);
  return new Set(valid.map(({ name }) => name));
}

function sourceErrors(volume: Volume, field: string, account: string): FieldError[] {
  const { name: _, emptyDir, ...rest } = volume;
  const sources = { emptyDir, ...rest };
  const [, ...others] = Object.keys(sources).filter((source) => sources[source as keyof typeof sources]);
  return [
    ...others.map((source) => forbidden(`${field}.${source}`, "may not specify more than 1 volume type")),
    ...sourceNameErrors(volume, field),
    ...(volume.secret?.items ?? []).flatMap((item, index) =>
      itemErrors(item, `${field}.secret.items[${index}]`),
    ),
    ...(volume.configMap?.items ?? []).flatMap((item, index) =>
      itemErrors(item, `${field}.configMap.items[${index}]`),
    ),
    ...projectedErrors(volume, field, account),
  ];
}

function sourceNameErrors(volume: Volume, field: string): FieldError[] {
  const { secret, configMap, hostPath, persistentVolumeClaim: claim } = volume;
  return [
    ...(secret ? requiredErrors(secret.secretName, `${field}.secret.secretName`) : []),
    ...(configMap ? requiredErrors(configMap.name, `${field}.configMap.name`) : []),
    ...(hostPath ? pathErrors(hostPath.path, `${field}.hostPath.path`) : []),
    ...(claim ? requiredErrors(claim.claimName, `${field}.persistentVolumeClaim.claimName`) : []),
  ];
}

function pathErrors(path: string | undefined, field: string): FieldError[] {
  if (!path) return [required(field)];
  return path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : [];
}

function itemErrors({ key, path }: KeyToPath, field: string): FieldError[] {
  return [
    ...requiredErrors(key, `${field}.key`),
    ...(path ? localPathErrors(path, `${field}.path`) : [required(`${field}.path`)]),
  ];
}

function projectedErrors({ projected }: Volume, field: string, account: string): FieldError[] {
  const detail = "must not be specified when serviceAccountName is not set";
  return (projected?.sources ?? []).flatMap(({ serviceAccountToken: token }, index) => {
    const path = `${field}.projected.sources[${index}].serviceAccountToken`;
    if (!token) return [];
    return account === "" ? [forbidden(path, detail)] : requiredErrors(token.path, `${path}.path`);
  });
}
