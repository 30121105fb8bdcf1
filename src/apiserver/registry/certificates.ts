import type { CertificateSigningRequest } from "../../api/types/certificates/v1.ts";
import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { requiredErrors } from "./value-errors.ts";

export const certificates: readonly KindEntry[] = [
  kindEntry<CertificateSigningRequest>("certificates.k8s.io/CertificateSigningRequest", {
    /** The server sets the requesting user. */
    prepareCreate({ spec }, { user }) {
      const { username, uid, groups, extra } = user;
      Object.assign(
        spec,
        { username, groups: [...groups] },
        uid && { uid },
        extra && { extra: { ...extra } },
      );
    },
    prepareUpdate(request, before) {
      request.spec = before.spec;
    },
    validate: ({ spec }) => [
      ...requestErrors(spec.request),
      ...requiredErrors(spec.usages, "spec.usages"),
      ...(spec.usages ?? []).flatMap((usage, index) =>
        usages.includes(usage) ? [] : [notSupported(`spec.usages[${index}]`, usage, usages)],
      ),
      ...signerErrors(spec.signerName ?? "", "spec.signerName"),
      ...expirationErrors(spec.expirationSeconds, "spec.expirationSeconds"),
    ],
    parts: { approval: { take: withConditions } },
    statusKeeps: ["spec", "status.conditions"],
    fields: { "spec.signerName": ({ spec }) => spec.signerName },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

function requestErrors(request: string | undefined): FieldError[] {
  const text = Buffer.from(request ?? "", "base64").toString();
  const begin = text.indexOf("-----BEGIN CERTIFICATE REQUEST-----");
  if (begin >= 0 && text.includes("-----END CERTIFICATE REQUEST-----", begin)) return [];
  return [invalid("spec.request", request || null, "PEM block type must be CERTIFICATE REQUEST")];
}

const usages: readonly string[] = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

function signerErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
  return /^[^/]+\/[^/]/.test(name) ? [] : [invalid(field, name, detail)];
}

function expirationErrors(seconds: number | undefined, field: string): FieldError[] {
  const detail = "may not specify a duration less than 600 seconds (10 minutes)";
  return seconds === undefined || seconds >= 600 ? [] : [invalid(field, seconds, detail)];
}

/** Returns the stored request with the new conditions. Approvals change nothing else. */
function withConditions(
  request: CertificateSigningRequest,
  before: CertificateSigningRequest,
): CertificateSigningRequest {
  const { conditions } = request.status ?? {};
  return { ...request, spec: before.spec, status: { ...before.status, conditions } };
}
