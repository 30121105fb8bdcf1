import type { PodResourceClaim, PodSpec, ResourceClaim } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, GoStruct, invalid, notFound, required } from "../../schema/index.ts";
import { repeats } from "../validation/repeats.ts";
import { internalForm } from "./internal-form.ts";
import { nameErrors } from "./value-errors.ts";

/** Returns the errors in the resource claims of a Pod. */
export function podClaimErrors({ resourceClaims = [] }: PodSpec, field: string): FieldError[] {
  const isDuplicate = repeats(resourceClaims, ({ name }) => name);
  return resourceClaims.flatMap((claim, index) => {
    const path = `${field}[${index}]`;
    return [...claimNameErrors(claim.name, isDuplicate[index] ?? false, path), ...sourceErrors(claim, path)];
  });
}

function claimNameErrors(name: string, isDuplicate: boolean, path: string): FieldError[] {
  if (!name) return [required(`${path}.name`)];
  if (isDuplicate) return [duplicate(`${path}.name`, name)];
  return nameErrors("dns-label", name, `${path}.name`);
}

function sourceErrors(claim: PodResourceClaim, path: string): FieldError[] {
  const { resourceClaimName: name, resourceClaimTemplateName: template } = claim;
  const internal = new GoStruct(internalForm("PodResourceClaim", claim));
  const both = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
  const neither = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
  return [
    ...(name !== undefined && template !== undefined ? [invalid(path, internal, both)] : []),
    ...(name === undefined && template === undefined ? [invalid(path, internal, neither)] : []),
    ...(name === undefined ? [] : nameErrors("dns-subdomain", name, `${path}.resourceClaimName`)),
    ...(template === undefined
      ? []
      : nameErrors("dns-subdomain", template, `${path}.resourceClaimTemplateName`)),
  ];
}

/** The resource claims of a Pod that its containers may use. */
export interface KnownClaims {
  readonly claimNames: ReadonlySet<string>;
  /** The detail of the error for any other claim. */
  readonly expected: string;
}

export function knownClaims({ resourceClaims = [] }: PodSpec): KnownClaims {
  const claimNames = resourceClaims.map(({ name }) => name).sort();
  const listText = claimNames.length === 0 ? " which is empty" : `: ${claimNames.join(", ")}`;
  return {
    claimNames: new Set(claimNames),
    expected: `must be one of the names in pod.spec.resourceClaims${listText}`,
  };
}

/** Returns the errors in the resource claims of a container. */
export function usedClaimErrors(
  claims: readonly ResourceClaim[],
  { claimNames, expected }: KnownClaims,
  field: string,
): FieldError[] {
  const used = new Map<string, Set<string>>();
  return claims.flatMap((claim, index) => {
    const path = `${field}[${index}]`;
    if (!claim.name) return [required(path)];
    return [
      ...(claim.request ? nameErrors("dns-label", claim.request, `${path}.request`) : []),
      ...duplicateErrors(claim, used, path),
      ...(claimNames.has(claim.name) ? [] : [{ ...notFound(path, claim.name), detail: expected }]),
    ];
  });
}

/**
 * Returns an error if a claim or one of its requests is used twice. `used` has the requests of the preceding claims.
 */
function duplicateErrors(
  { name, request = "" }: ResourceClaim,
  used: Map<string, Set<string>>,
  path: string,
): FieldError[] {
  const requests = used.get(name) ?? new Set<string>();
  const [wholeUsedTwice, requestUsedTwice] = [
    requests.has("") || (request === "" && requests.size > 0),
    requests.has(request),
  ];
  used.set(name, requests.add(request));
  if (wholeUsedTwice) return [duplicate(path, name)];
  return requestUsedTwice ? [duplicate(path, `${name}/${request}`)] : [];
}
