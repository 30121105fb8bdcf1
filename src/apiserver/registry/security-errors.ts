import type { PodSpec, SeccompProfile, SecurityContext, Sysctl } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, GoStruct, invalid, notSupported, required } from "../../schema/index.ts";
import { repeats } from "../validation/repeats.ts";
import { internalForm } from "./internal-form.ts";
import { localPathErrors } from "./value-errors.ts";

/** Returns the errors in the security context of a Pod. */
export function podSecurityErrors(spec: PodSpec, field: string): FieldError[] {
  const { securityContext: context = {}, hostPID, shareProcessNamespace } = spec;
  return [
    ...(["fsGroup", "runAsUser", "runAsGroup"] as const).flatMap((name) =>
      idErrors(context[name], `${field}.${name}`),
    ),
    ...(context.supplementalGroups ?? []).flatMap((id, index) =>
      idErrors(id, `${field}.supplementalGroups[${index}]`),
    ),
    ...(hostPID && shareProcessNamespace
      ? [
          invalid(
            `${field}.shareProcessNamespace`,
            true,
            "ShareProcessNamespace and HostPID cannot both be enabled",
          ),
        ]
      : []),
    ...sysctlErrors(context.sysctls ?? [], `${field}.sysctls`),
    ...choiceErrors(
      context.fsGroupChangePolicy,
      ["Always", "OnRootMismatch"],
      `${field}.fsGroupChangePolicy`,
    ),
    ...seccompErrors(context.seccompProfile, `${field}.seccompProfile`),
    ...choiceErrors(
      context.supplementalGroupsPolicy,
      ["Merge", "Strict"],
      `${field}.supplementalGroupsPolicy`,
    ),
  ];
}

/** Returns the errors in the security context of a container. */
export function containerSecurityErrors(context: SecurityContext | undefined, field: string): FieldError[] {
  if (!context) return [];
  return [
    ...(["runAsUser", "runAsGroup"] as const).flatMap((name) => idErrors(context[name], `${field}.${name}`)),
    ...choiceErrors(context.procMount, ["Default", "Unmasked"], `${field}.procMount`),
    ...seccompErrors(context.seccompProfile, `${field}.seccompProfile`),
    ...escalationErrors(context, field),
  ];
}

/** Returns the errors if privilege escalation is disabled for a container that is privileged. */
function escalationErrors(context: SecurityContext, field: string): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const conflict = (setting: string): FieldError =>
    invalid(
      field,
      new GoStruct(internalForm("SecurityContext", context)),
      `cannot set \`allowPrivilegeEscalation\` to false and ${setting}`,
    );
  const admin = (context.capabilities?.add ?? []).filter((name) => name === "CAP_SYS_ADMIN");
  return [
    ...(context.privileged ? [conflict("`privileged` to true")] : []),
    ...admin.map(() => conflict("`capabilities.Add` CAP_SYS_ADMIN")),
  ];
}

const maxId = 2 ** 31 - 1;

/** Returns the errors in a user or group id. */
function idErrors(id: number | undefined, field: string): FieldError[] {
  if (id === undefined || (id >= 0 && id <= maxId)) return [];
  return [invalid(field, id, `must be between 0 and ${maxId}, inclusive`)];
}

const sysctlName = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const sysctlPattern = new RegExp(sysctlName);

function sysctlErrors(sysctls: readonly Sysctl[], field: string): FieldError[] {
  const isDuplicate = repeats(sysctls, ({ name }) => name);
  return sysctls.flatMap(({ name }, index) => {
    const path = `${field}[${index}].name`;
    if (!name) return [required(path)];
    if (name.length > 253 || !sysctlPattern.test(name)) {
      return [invalid(path, name, `must have at most 253 characters and match regex ${sysctlName}`)];
    }
    return isDuplicate[index] ? [duplicate(path, name)] : [];
  });
}

function seccompErrors(profile: SeccompProfile | undefined, field: string): FieldError[] {
  if (!profile) return [];
  const { type, localhostProfile: file } = profile;
  const path = `${field}.localhostProfile`;
  const types = ["Localhost", "RuntimeDefault", "Unconfined"];
  return [
    ...(types.includes(type) ? [] : [notSupported(`${field}.type`, type, types)]),
    ...(type === "Localhost" && file === undefined
      ? [required(path, "must be set when seccomp type is Localhost")]
      : []),
    ...(type === "Localhost" && file !== undefined ? localPathErrors(file, path) : []),
    ...(type !== "Localhost" && file !== undefined
      ? [
          invalid(
            path,
            new GoStruct(internalForm("SeccompProfile", profile)),
            "can only be set when seccomp type is Localhost",
          ),
        ]
      : []),
  ];
}

function choiceErrors(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(field, value, supported)];
}
