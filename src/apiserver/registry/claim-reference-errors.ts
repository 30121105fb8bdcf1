import type { PodResourceClaim, PodSpec, ResourceClaim } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, GoStruct, invalid, notFound, required } from "../../schema/index.ts";
import { repeats } from "../repeats.ts";
import { internalForm } from "./internal-form.ts";
import { nameErrors } from "./value-errors.ts";

/** What is wrong with the claims of devices that a Pod brings. */
export function podClaimErrors({ resourceClaims = [] }: PodSpec, field: string): FieldError[] {
  const again = repeats(resourceClaims, ({ name }) => name);
  return resourceClaims.flatMap((claim, at) => {
    const path = `${field}[${at}]`;
    return [...claimNameErrors(claim.name, again[at] ?? false, path), ...sourceErrors(claim, path)];
  });
}

function claimNameErrors(name: string, again: boolean, path: string): FieldError[] {
  if (!name) return [required(`${path}.name`)];
  if (again) return [duplicate(`${path}.name`, name)];
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

/** The claims of a Pod that its containers may use. */
export interface KnownClaims {
  readonly names: ReadonlySet<string>;
  /** What an error says about a claim that is not among them. */
  readonly expected: string;
}

export function knownClaims({ resourceClaims = [] }: PodSpec): KnownClaims {
  const names = resourceClaims.map(({ name }) => name).sort();
  const listed = names.length === 0 ? " which is empty" : `: ${names.join(", ")}`;
  return { names: new Set(names), expected: `must be one of the names in pod.spec.resourceClaims${listed}` };
}

/** What is wrong with the claims that a container uses, which are those of its Pod. */
export function usedClaimErrors(
  claims: readonly ResourceClaim[],
  { names, expected }: KnownClaims,
  field: string,
): FieldError[] {
  const used = new Map<string, Set<string>>();
  return claims.flatMap((claim, at) => {
    const path = `${field}[${at}]`;
    if (!claim.name) return [required(path)];
    return [
      ...(claim.request ? nameErrors("dns-label", claim.request, `${path}.request`) : []),
      ...repeated(claim, used, path),
      ...(names.has(claim.name) ? [] : [{ ...notFound(path, claim.name), detail: expected }]),
    ];
  });
}

/** A claim as a whole, or the same part of it, may be used once. `used` has the parts of claims used so far. */
function repeated(
  { name, request = "" }: ResourceClaim,
  used: Map<string, Set<string>>,
  path: string,
): FieldError[] {
  const parts = used.get(name) ?? new Set<string>();
  const [whole, again] = [parts.has("") || (request === "" && parts.size > 0), parts.has(request)];
  used.set(name, parts.add(request));
  if (whole) return [duplicate(path, name)];
  return again ? [duplicate(path, `${name}/${request}`)] : [];
}
