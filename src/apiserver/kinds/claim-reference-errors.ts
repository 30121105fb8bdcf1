import type { PodResourceClaim, PodSpec, ResourceClaim } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, GoStruct, invalid, notFound, required } from "../../schema/index.ts";
import { internalForm } from "./internal-form.ts";
import { nameErrors } from "./value-errors.ts";

/** What is wrong with the claims of devices that a Pod brings. */
export function podClaimErrors({ resourceClaims = [] }: PodSpec, field: string): FieldError[] {
  return resourceClaims.flatMap((claim, at) => {
    const path = `${field}[${at}]`;
    return [...claimNameErrors(claim.name, at, { resourceClaims, path }), ...sourceErrors(claim, path)];
  });
}

interface Claims {
  readonly resourceClaims: readonly PodResourceClaim[];
  readonly path: string;
}

function claimNameErrors(name: string, at: number, { resourceClaims, path }: Claims): FieldError[] {
  if (!name) return [required(`${path}.name`)];
  if (resourceClaims.findIndex((other) => other.name === name) < at) return [duplicate(`${path}.name`, name)];
  return nameErrors("dns-label", name, `${path}.name`);
}

function sourceErrors(claim: PodResourceClaim, path: string): FieldError[] {
  const { resourceClaimName: name, resourceClaimTemplateName: template } = claim;
  const form = new GoStruct(internalForm("PodResourceClaim", claim));
  const both = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
  const neither = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
  return [
    ...(name !== undefined && template !== undefined ? [invalid(path, form, both)] : []),
    ...(name === undefined && template === undefined ? [invalid(path, form, neither)] : []),
    ...(name === undefined ? [] : nameErrors("dns-subdomain", name, `${path}.resourceClaimName`)),
    ...(template === undefined
      ? []
      : nameErrors("dns-subdomain", template, `${path}.resourceClaimTemplateName`)),
  ];
}

/** What is wrong with the claims that a container uses, which are those of its Pod. */
export function usedClaimErrors(
  claims: readonly ResourceClaim[],
  { resourceClaims = [] }: PodSpec,
  field: string,
): FieldError[] {
  const known = resourceClaims.map(({ name }) => name).sort();
  return claims.flatMap((claim, at) => {
    const path = `${field}[${at}]`;
    if (!claim.name) return [required(path)];
    return [
      ...(claim.request ? nameErrors("dns-label", claim.request, `${path}.request`) : []),
      ...repeated(claim, claims.slice(0, at), path),
      ...(known.includes(claim.name) ? [] : [unknownClaim(claim.name, known, path)]),
    ];
  });
}

/** A claim as a whole, or the same part of it, may be used once. */
function repeated(
  { name, request }: ResourceClaim,
  earlier: readonly ResourceClaim[],
  path: string,
): FieldError[] {
  const others = earlier.filter((other) => other.name === name);
  if (others.some((other) => !other.request)) return [duplicate(path, name)];
  if (!request) return others.length > 0 ? [duplicate(path, name)] : [];
  return others.some((other) => other.request === request) ? [duplicate(path, `${name}/${request}`)] : [];
}

function unknownClaim(name: string, known: readonly string[], path: string): FieldError {
  const names = known.length === 0 ? " which is empty" : `: ${known.join(", ")}`;
  return { ...notFound(path, name), detail: `must be one of the names in pod.spec.resourceClaims${names}` };
}
